// A browser that has logged in and asks for an address without the private path: it is led there. Where that is,
// only this origin remembers, and so not what is served at another port.
"use strict";

const remembered = localStorage.getItem("gossamer-home");

async function goHome() {
  const answer = await fetch(`${remembered}api/token`);
  if (answer.ok) location.replace(remembered);
}

if (remembered && !location.pathname.startsWith(remembered)) goHome().catch(() => {}); // nobody answers: log in
