// Live pages: the server draws a part of the page anew, this puts it in place. Without it, everything works by reloading.
"use strict";

for (const part of document.querySelectorAll("[data-live]")) {
  const source = new EventSource("/events?of=" + encodeURIComponent(part.dataset.live));
  source.onmessage = (event) => {
    const drawn = new DOMParser().parseFromString(event.data, "text/html");
    if (part.contains(document.activeElement) && document.activeElement !== document.body) {
      const where = document.activeElement.id;
      part.replaceChildren(...drawn.body.childNodes);
      if (where) document.getElementById(where)?.focus({ preventScroll: true });
    } else {
      part.replaceChildren(...drawn.body.childNodes);
    }
    part.setAttribute("data-drawn", String(Number(part.getAttribute("data-drawn") ?? 0) + 1));
  };
  addEventListener("pagehide", () => source.close());
}

for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  });
}
