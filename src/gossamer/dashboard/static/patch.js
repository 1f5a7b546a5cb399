// Changes a part of the page into what the server has drawn, and touches only texts and attributes that differ.
// So focus, selection, scrolling and open details stay. Elements with `data-key` or an id are known again when rows come
// before them; those with `data-own` belong to a script of ours and are left alone.
"use strict";

function patchPart(part, drawn) {
  const selected = readSelection(part);
  patchChildren(part, drawn);
  if (selected) restoreSelection(selected);
}

function keyOf(node) {
  if (!isElement(node)) return "";
  return node.dataset.key || node.id || node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") || "";
}

function areAlike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && sameKey(one, other);
}

function sameKey(one, other) {
  const isLabelled = one.nodeName === "svg" || one.hasAttribute?.("data-own"); // their labels change
  return isLabelled || keyOf(one) === keyOf(other);
}

// How far the next node is that is like this one, from `from` on; Infinity when there is none.
function distance(node, from) {
  let far = 0;
  for (let at = from; at; at = at.nextSibling, far++) if (areAlike(at, node)) return far;
  return Infinity;
}

function isElement(node) {
  return node.nodeType === Node.ELEMENT_NODE;
}

function patchChildren(old, drawn) {
  let at = old.firstChild;
  let next = drawn.firstChild;
  while (next) {
    // Text between elements is alike everywhere: it must not count as what an element is looked for behind.
    while (at && isElement(next) && !isElement(at)) at = removeAndStep(at);
    const toOld = at ? distance(next, at) : Infinity;
    if (toOld > 0 && (toOld === Infinity || distance(at, next) <= toOld)) {
      old.insertBefore(document.importNode(next, true), at); // it is new
    } else {
      for (let gone = 0; gone < toOld; gone++) at = removeAndStep(at);
      patchNode(at, next);
      at = at.nextSibling;
    }
    next = next.nextSibling;
  }
  while (at) at = removeAndStep(at);
}

function removeAndStep(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function patchNode(node, next) {
  if (!isElement(node)) {
    if (node.data !== next.data) node.data = next.data;
    return;
  }
  if (node.hasAttribute("data-own")) return;
  for (const { name } of [...node.attributes]) {
    if (!next.hasAttribute(name) && !(node.nodeName === "DETAILS" && name === "open")) node.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (node.nodeName === "DETAILS" && name === "open") continue; // the reader's choice
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  patchChildren(node, next);
}

function readSelection(part) {
  const selection = getSelection();
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  if (selection.isCollapsed || !(part.contains(anchorNode) || part.contains(focusNode))) return null;
  return { anchorNode, anchorOffset, focusNode, focusOffset };
}

function restoreSelection({ anchorNode, anchorOffset, focusNode, focusOffset }) {
  if (!anchorNode.isConnected || !focusNode.isConnected) return;
  const within = (node, offset) => Math.min(offset, node.nodeType === Node.TEXT_NODE ? node.length : node.childNodes.length);
  getSelection().setBaseAndExtent(
    anchorNode, within(anchorNode, anchorOffset), focusNode, within(focusNode, focusOffset),
  );
}
