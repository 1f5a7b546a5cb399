// Live pages: parts with `data-live` are patched as the server sends them, and the head says how old they are.
// Without it, everything works by loading the page again.
"use strict";

const OLD = 7000; // milliseconds without a beat after which the page says that the connection is lost
const parts = [...document.querySelectorAll("[data-live]")];
const names = [...new Set(parts.map((part) => part.dataset.live))];
const connection = document.getElementById("connection");
const updated = document.getElementById("updated");
let heard = Date.now();
let isLost = false;

function take(message) {
  if (message.kind === "lost") return lose();
  if (message.kind === "refused") return say("The server wants its key again: reload the page to log in.");
  heard = Date.now();
  isLost = false;
  document.documentElement.removeAttribute("data-connection");
  if (message.kind === "picture" && message.name === "trouble") say(`Not up to date: ${message.text}`);
  else if (message.kind === "picture" || !connection.textContent.startsWith("Not")) say("");
  if (message.kind === "picture") draw(message);
  tick();
}

function draw({ name, text }) {
  const drawn = new DOMParser().parseFromString(text, "text/html");
  for (const part of parts) {
    if (part.dataset.live !== name) continue;
    patchPart(part, drawn.body.cloneNode(true));
    part.setAttribute("data-drawn", String(Number(part.getAttribute("data-drawn") ?? 0) + 1));
  }
  dispatchEvent(new Event("patched"));
}

function say(words) {
  if (connection.textContent !== words) connection.textContent = words;
}

function lose() {
  if (isLost) return;
  isLost = true;
  document.documentElement.setAttribute("data-connection", "lost");
  const moment = new Date(heard).toISOString().slice(11, 19);
  say(`Connection lost. What stands here is as of ${moment} (UTC). Trying to connect again.`);
  tick();
}

function tick() {
  const seconds = Math.floor((Date.now() - heard) / 1000);
  if (seconds * 1000 > OLD) lose();
  const ago = seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
  const words = `last update ${ago} ago`;
  if (updated.textContent !== words) updated.textContent = words;
}

function listen() {
  if (typeof SharedWorker === "undefined") {
    const stream = new Stream(take);
    const choose = () => stream.want(document.hidden ? [] : names);
    document.addEventListener("visibilitychange", choose);
    choose();
    return;
  }
  const { port } = new SharedWorker("/static/stream.js");
  port.onmessage = ({ data }) => take(data);
  const want = () => port.postMessage(names);
  want();
  setInterval(want, 20000);
  addEventListener("pagehide", () => port.postMessage(null));
  addEventListener("pageshow", (event) => event.persisted && want());
}

// A table that fits needs no stop of the tab key; one that does not is scrolled with the arrow keys.
function markScrolled() {
  for (const box of document.querySelectorAll(".wide")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

// Tables that are not read to their end yet: the page asks again until they are.
async function askForMore() {
  if (!document.querySelector("[data-unread]")) return;
  try {
    const answer = await fetch(location.href);
    const main = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    if (answer.ok && main) patchPart(document.querySelector("main"), main);
    dispatchEvent(new Event("patched"));
  } catch {
    // nobody answers; the head says so
  }
  setTimeout(askForMore, 2000);
}

setTimeout(askForMore, 2000);
markScrolled();
addEventListener("patched", markScrolled);
addEventListener("resize", markScrolled);

if (connection) {
  listen();
  setInterval(tick, 1000);
}

for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  });
}
