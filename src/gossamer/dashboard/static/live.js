// Live pages: parts with `data-live` are patched as the server sends them, and the head says how old they are.
// Without it, everything works by loading the page again.
"use strict";

const OLD = 7000; // milliseconds without a beat after which the page says that the connection is lost
const AGED = 30; // seconds after which a page whose content is not live offers to load it again
const { crawl, top: above } = document.documentElement.dataset;
const isShared = typeof SharedWorker !== "undefined";
const before = isShared && crawl ? `${crawl}:` : ""; // one stream for all tabs, also those of other crawls of this server
const parts = [...document.querySelectorAll("[data-live]")];
const names = [...new Set(parts.map((part) => before + part.dataset.live))];
const isLive = parts.some((part) => part.closest("main"));
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
  const isOwn = message.kind === "picture" && names.includes(message.name);
  if (message.kind === "picture" && message.name === `${before}trouble`) say(`Not up to date: ${message.text}`);
  else if (isOwn || !connection.textContent.startsWith("Not")) say("");
  if (isOwn) draw(message);
  tick();
}

function draw({ name, text }) {
  const drawn = new DOMParser().parseFromString(text, "text/html");
  for (const field of drawn.querySelectorAll("input[name=token]")) field.setAttribute("value", document.body.dataset.token);
  for (const part of parts) {
    if (before + part.dataset.live !== name) continue;
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
  if (isLive) tell(`last update ${agoOf(seconds)} ago`);
  else if (updated.dataset.loaded) tellAge(Number(updated.dataset.loaded));
}

function agoOf(seconds) {
  return seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

function tell(words) {
  if (updated.firstChild?.data !== words) (updated.firstChild ?? updated.appendChild(new Text())).data = words;
}

// The head is live, the content of this page is not: the head must not make it look fresh.
function tellAge(loaded) {
  const seconds = Math.floor((Date.now() - performance.timeOrigin) / 1000);
  const moment = new Date(loaded * 1000).toISOString().slice(11, 19);
  tell(`page as of ${moment} (UTC)${seconds < AGED ? "" : `, ${agoOf(seconds)} ago `}`);
  if (seconds >= AGED && !updated.querySelector("a")) {
    const again = updated.appendChild(document.createElement("a"));
    again.href = location.href.split("#")[0];
    again.textContent = "Load again";
  }
}

function listen() {
  if (!isShared) {
    const stream = new Stream(take);
    const choose = () => stream.want(document.hidden ? [] : names);
    document.addEventListener("visibilitychange", choose);
    choose();
    return;
  }
  const { port } = new SharedWorker(above === undefined ? "/static/stream.js" : `${above}static/stream.js`);
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

// For an address without the private path (entrance.js).
if (document.querySelector("form[action$='/logout']")) {
  localStorage.setItem("gossamer-home", document.querySelector("header .name a").pathname);
}

if (connection) {
  listen();
  setInterval(tick, 1000);
}

addEventListener("submit", (event) => {
  const { confirm: question } = event.target.dataset; // forms in live parts come and go
  if (question && !confirm(question)) event.preventDefault();
});
