// How far a build is, while it is under way. Without it, the page says so when it is loaded again.
"use strict";

const said = document.getElementById("job");

async function look() {
  const answer = await fetch("/api/control").catch(() => null);
  if (answer === null || !answer.ok) return setTimeout(look, 5000);
  const { job } = await answer.json();
  if (!job) return;
  if (!job.is_running) return location.reload();
  said.firstElementChild.textContent = job.said;
  const bar = document.querySelector("#build-progress");
  if (job.total) { bar.max = job.total; bar.value = job.done; } else { bar.removeAttribute("value"); }
  setTimeout(look, 1000);
}

if (said && said.dataset.running) setTimeout(look, 1000);
