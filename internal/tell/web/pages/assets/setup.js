// The set-up page: what is ticked and typed is shown at once. Without this script each form has its button.
import { base } from "./base.js";
const $ = (id) => document.getElementById(id);
const latest = {}; // request of each part: an older answer is not shown

// show asks for the page anew and takes these parts of it.
async function show(ids, address, form) {
  const mine = {};
  for (const id of ids) latest[id] = mine, $(id).setAttribute("aria-busy", "true");
  const res = await fetch(address, { cache: "no-store", ...(form && { method: "POST", body: new URLSearchParams(form) }) }).catch(() => null);
  const page = res?.ok && new DOMParser().parseFromString(await res.text(), "text/html");
  for (const id of ids) {
    if (latest[id] !== mine) continue;
    $(id).removeAttribute("aria-busy");
    const fresh = page && page.getElementById(id);
    if (fresh) $(id).replaceWith(document.adoptNode(fresh));
    else $(id).textContent = "The page does not answer. Is footy up still running?";
  }
}

const today = () => show(["today"], base + "/setup?today=1");
const choose = (form) => show(["clubs", "today", ...($("changed") ? ["changed"] : [])], base + "/setup/choose", form);

$("choose").addEventListener("change", (e) => choose(new FormData(e.currentTarget)));
document.addEventListener("submit", (e) => {
  const by = e.submitter, form = e.target;
  if (form.id === "club-find") {
    e.preventDefault();
    find();
  } else if (form.getAttribute("action") === base + "/setup/choose") {
    e.preventDefault();
    if (form.id === "untick") for (const box of $("choose").querySelectorAll(":checked")) box.checked = false;
    choose(new FormData(form, by));
    if (by?.name === "add") { $("club").value = ""; $("club-found").replaceChildren(); $("club").focus(); }
  } else if (by?.dataset.busy) {
    by.textContent = by.dataset.busy;
  }
});

let typing;
function find() {
  clearTimeout(typing);
  const q = $("club").value.trim();
  if (q.length < 3) return;
  $("club-found").textContent = "Looking…";
  show(["club-found"], base + "/setup?q=" + encodeURIComponent(q));
}
$("club").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(find, 400); });

// A step that was tried, or asked for by its address, is open.
const at = location.hash && document.getElementById(location.hash.slice(1));
if (at instanceof HTMLDetailsElement) at.open = true;
if ($("today").dataset.looked !== "true") today();
setInterval(() => { if (!document.hidden && !$("today").ariaBusy) today(); }, 30_000);
