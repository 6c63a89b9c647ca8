"use strict";
const claims = [...document.querySelectorAll("details.claim")];
const families = [...document.querySelectorAll(".family")];
const text = document.getElementById("find-text");
const standing = document.getElementById("find-standing");
const found = document.getElementById("found");
const says = document.getElementById("graph-says");
const words = (text) => text.split(" ").filter(Boolean);
const nodes = [...document.querySelectorAll(".node")].map((box) => ({ box, id: box.getAttribute("href").slice(1), rests: words(box.dataset.rests), parts: words(box.dataset.parts) }));

function find() {
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  let number = 0;
  for (const claim of claims) {
    const says = claim.textContent.toLowerCase();
    const shown = (!standing.value || claim.dataset.standing === standing.value) && words.every((word) => says.includes(word));
    claim.hidden = !shown;
    number += shown;
  }
  for (const family of families) {
    const parts = family.querySelector("details.parts");
    const found = parts && parts.querySelector("details.claim:not([hidden])");
    if (parts) parts.hidden = !found;
    if (found && (words.length || standing.value)) parts.open = true;
    family.hidden = !family.querySelector(":scope > details.claim:not([hidden]), details.parts:not([hidden])");
  }
  for (const paper of document.querySelectorAll("section.paper")) paper.hidden = !paper.querySelector("details.claim:not([hidden])");
  found.textContent = words.length || standing.value ? `${number} found` : "";
}

function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const claim = target && target.closest("details.claim");
  if (!claim) return;
  for (let box = claim; box; box = box.parentElement.closest("details, .family")) {
    box.hidden = false;
    if (box.matches("details.parts")) box.open = true;
  }
  claim.open = true;
  claim.scrollIntoView();
}

// What a headline is, in the words of its own line: the summary of its claim.
const line = (id) => document.getElementById(id).closest("details").querySelector("summary").firstElementChild.textContent;

function listed(title, ids) {
  const part = document.createElement("div");
  if (!ids.length) return part;
  part.append(Object.assign(document.createElement("b"), { textContent: title }));
  const list = part.appendChild(document.createElement("ul"));
  for (const id of ids) list.appendChild(document.createElement("li")).append(Object.assign(document.createElement("a"), { href: `#${id}`, textContent: line(id) }));
  return part;
}

function choose(id) {
  const near = new Map(nodes.map((node) => [node.id, node.rests]));
  const up = (of) => nodes.filter((node) => node.rests.includes(of)).map((node) => node.id);
  const wanted = new Set();
  for (const step of [(of) => near.get(of) || [], up]) {
    const todo = [id];
    while (todo.length) { const next = todo.pop(); wanted.add(next); todo.push(...step(next).filter((other) => !wanted.has(other))); }
  }
  for (const node of nodes) { node.box.classList.toggle("away", Boolean(id) && !wanted.has(node.id)); node.box.classList.toggle("chosen", node.id === id); }
  for (const edge of document.querySelectorAll(".edge")) edge.classList.toggle("away", Boolean(id) && !(wanted.has(edge.dataset.from) && wanted.has(edge.dataset.to)));
  document.getElementById("graph-all").hidden = !id;
  const chosen = nodes.find((node) => node.id === id);
  if (chosen) chosen.box.closest(".wide").after(says);
  says.replaceChildren(...(chosen ? [listed("Chosen", [id]), listed("Rests on", chosen.rests), listed("Carries", up(id)), listed("Parts", chosen.parts)] : []));
}

// What is wider than its place can be scrolled by keys.
function reach() {
  for (const box of document.querySelectorAll(".wide, .f")) {
    if (box.scrollWidth <= box.clientWidth || box.tabIndex === 0) continue;
    for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", "can be scrolled"]]) box.setAttribute(name, value);
  }
}

document.getElementById("find").addEventListener("submit", (event) => event.preventDefault());
text.addEventListener("input", find);
standing.addEventListener("change", find);
document.getElementById("open-all").addEventListener("click", (event) => {
  const open = claims.some((claim) => !claim.hidden && !claim.open);
  for (const box of document.querySelectorAll("details.claim, details.parts")) if (!box.hidden) box.open = open;
  event.target.textContent = open ? "close all" : "open all";
});
for (const node of nodes) node.box.addEventListener("click", (event) => { event.preventDefault(); choose(node.id); });
if (says) document.getElementById("graph-all").addEventListener("click", () => choose(""));
document.addEventListener("toggle", reach, true);
window.addEventListener("resize", reach);
window.addEventListener("hashchange", openTarget);
window.addEventListener("beforeprint", () => { for (const box of document.querySelectorAll("details.claim, details.parts")) box.open = true; });
openTarget();
reach();
