"use strict";
const claims = [...document.querySelectorAll("details.claim")];
const families = [...document.querySelectorAll(".family")];
const text = document.getElementById("find-text");
const standing = document.getElementById("find-standing");
const found = document.getElementById("found");
const picture = document.getElementById("graph-picture");
const chosen = document.getElementById("graph-claim");

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

function ancestors(id) {
  const nodes = new Map([...picture.querySelectorAll(".node")].map((node) => [node.dataset.id, node]));
  const wanted = new Set();
  const todo = id ? [id] : [...nodes.keys()];
  while (todo.length) {
    const next = todo.pop();
    if (wanted.has(next) || !nodes.has(next)) continue;
    wanted.add(next);
    todo.push(...nodes.get(next).dataset.rests.split(" ").filter(Boolean));
  }
  for (const [name, node] of nodes) node.classList.toggle("away", !wanted.has(name));
  for (const edge of picture.querySelectorAll(".edge")) edge.classList.toggle("away", !(wanted.has(edge.dataset.from) && wanted.has(edge.dataset.to)));
  picture.setAttribute("viewBox", picture.dataset.whole);
  if (!id || !wanted.size) return;
  const boxes = [...wanted].map((name) => nodes.get(name).getBBox());
  const left = Math.min(...boxes.map((b) => b.x)) - 20;
  const top = Math.min(...boxes.map((b) => b.y)) - 20;
  const width = Math.max(400, Math.max(...boxes.map((b) => b.x + b.width)) + 20 - left);
  const height = Math.max(...boxes.map((b) => b.y + b.height)) + 20 - top;
  picture.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
}

document.getElementById("find").addEventListener("submit", (event) => event.preventDefault());
text.addEventListener("input", find);
standing.addEventListener("change", find);
document.getElementById("open-all").addEventListener("click", (event) => {
  const open = claims.some((claim) => !claim.hidden && !claim.open);
  for (const box of document.querySelectorAll("details.claim, details.parts")) if (!box.hidden) box.open = open;
  event.target.textContent = open ? "close all" : "open all";
});
if (picture) {
  chosen.addEventListener("change", () => ancestors(chosen.value));
  document.getElementById("graph-all").addEventListener("click", () => { chosen.value = ""; ancestors(""); });
  for (const button of document.querySelectorAll("button.ancestors")) {
    button.addEventListener("click", () => {
      chosen.value = button.dataset.id;
      ancestors(button.dataset.id);
      document.getElementById("graph").scrollIntoView();
    });
  }
}
window.addEventListener("hashchange", openTarget);
window.addEventListener("beforeprint", () => { for (const box of document.querySelectorAll("details.claim, details.parts")) box.open = true; });
openTarget();
