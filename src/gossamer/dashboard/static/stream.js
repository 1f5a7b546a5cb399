// One event stream for all tabs of a browser: a browser opens six connections to a server, and no more.
// It runs in a SharedWorker. Where there is none (some phones), each page runs it for itself.
"use strict";

const SILENCE = 6000; // milliseconds without a beat after which the server counts as gone; it beats every two seconds
const PAUSE = 2000; // until it is tried again
const FORGOTTEN = 150000; // a tab that has said nothing for so long is closed; hidden tabs are woken once a minute

// The event that says why a part could not be drawn: of its crawl, if there are several.
function troubleOf(name) {
  return /^[^/:?]+:/.test(name) ? name.replace(/:.*/s, ":trouble") : "trouble";
}

class Stream {
  // `deliver` takes {kind: "picture", name, text}, {kind: "beat"}, {kind: "lost"} or {kind: "refused"}.
  constructor(deliver) {
    this.deliver = deliver;
    this.names = [];
    this.pictures = new Map();
    this.source = null;
    this.heard = 0;
    this.isLost = false;
    setInterval(() => this.watch(), 1000);
  }

  want(names) {
    const sorted = [...new Set(names)].sort();
    if (sorted.join("\n") === this.names.join("\n")) return;
    this.names = sorted;
    for (const name of this.pictures.keys()) if (!sorted.includes(name)) this.pictures.delete(name);
    this.open();
  }

  open() {
    this.source?.close();
    this.source = null;
    clearTimeout(this.waiting);
    this.heard = Date.now();
    if (!this.names.length) return;
    const source = new EventSource("/events?of=" + this.names.map(encodeURIComponent).join("&of="));
    this.source = source;
    for (const name of new Set([...this.names, ...this.names.map(troubleOf)])) {
      source.addEventListener(name, (event) => this.take({ kind: "picture", name, text: event.data }));
    }
    source.addEventListener("beat", () => this.take({ kind: "beat" }));
    source.onerror = () => this.lose(source);
  }

  take(message) {
    this.heard = Date.now();
    this.isLost = false;
    if (message.kind === "picture" && this.names.includes(message.name)) this.pictures.set(message.name, message.text);
    this.deliver(message);
  }

  lose(source) {
    if (source !== this.source) return;
    this.isLost = true;
    this.deliver({ kind: "lost" });
    source.close(); // a browser waits longer and longer, and gives up after a refusal
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.open(), PAUSE);
    this.ask(source.url);
  }

  async ask(url) {
    // Was it a refusal? An event stream does not say.
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(PAUSE) });
      if (answer.status === 401) this.deliver({ kind: "refused" });
      await answer.body.cancel();
    } catch {
      // nobody answers
    }
  }

  watch() {
    // A server that hangs closes no connection.
    if (this.source?.readyState !== EventSource.CLOSED && Date.now() - this.heard > SILENCE && this.names.length) {
      this.lose(this.source);
    }
  }
}

if (typeof SharedWorkerGlobalScope !== "undefined") {
  const tabs = new Map(); // a port, and what it wants and when it last said so
  const stream = new Stream((message) => {
    for (const port of tabs.keys()) port.postMessage(message);
  });
  const gather = () => stream.want([...tabs.values()].flatMap((one) => one.names));

  onconnect = ({ ports: [port] }) => {
    port.onmessage = ({ data: names }) => {
      const isNew = !tabs.has(port);
      if (names) tabs.set(port, { names, time: Date.now() });
      else tabs.delete(port);
      gather();
      if (!names || !isNew) return;
      if (stream.isLost) port.postMessage({ kind: "lost" });
      for (const name of names) {
        if (stream.pictures.has(name)) port.postMessage({ kind: "picture", name, text: stream.pictures.get(name) });
      }
    };
  };
  setInterval(() => {
    for (const [port, one] of tabs) if (Date.now() - one.time > FORGOTTEN) tabs.delete(port);
    gather();
  }, 10000);
}
