// Makes one element look like another without replacing it: focus, scroll position, playing videos and what the reader
// opened survive. Elements are paired by data-key, else by id, else by place and tag.
const keyOf = (n) => (n.nodeType === 1 && (n.dataset.key || n.id)) || null;
const kept = (name) => name.startsWith("data-local-") || name === "open"; // whether a fold is open is the reader's business

function attributes(from, to) {
  for (const a of to.attributes) if (!kept(a.name) && from.getAttribute(a.name) !== a.value) from.setAttribute(a.name, a.value);
  for (const a of [...from.attributes]) if (!kept(a.name) && !to.hasAttribute(a.name)) from.removeAttribute(a.name);
}

const alike = (a, b) => a.nodeType === b.nodeType && (a.nodeType !== 1 || (a.tagName === b.tagName && keyOf(a) === keyOf(b)));

// What has moved to another part of the page is the same still.
const elsewhere = (to, id) => { const e = document.getElementById(id); return e && to.isConnected && !e.contains(to) ? e : null; };

export function morph(from, to) {
  if (from.hasAttribute("data-keep")) return; // belongs to the reader once it is there
  attributes(from, to);
  if (from.tagName === "INPUT" || from.tagName === "TEXTAREA" || from.tagName === "SELECT") return;
  const keyed = new Map();
  for (const n of from.children) { const k = keyOf(n); if (k) keyed.set(k, n); }
  const own = (n) => { while (n && n.nodeType === 1 && "local" in n.dataset) n = n.nextSibling; return n; }; // passes over what a script put there
  let at = own(from.firstChild);
  for (const want of [...to.childNodes]) {
    const k = keyOf(want);
    let have = k ? keyed.get(k) || (want.id && from.id !== want.id ? elsewhere(from, want.id) : null) : null;
    if (have && have.tagName !== want.tagName) have = null;
    if (!have && at && alike(at, want) && !keyOf(at)) have = at;
    if (have) {
      if (have === at) at = own(at.nextSibling); else from.insertBefore(have, at);
      if (k) keyed.delete(k);
      if (have.nodeType === 1) morph(have, want);
      else if (have.nodeValue !== want.nodeValue) have.nodeValue = want.nodeValue;
    } else {
      from.insertBefore(document.importNode(want, true), at);
    }
  }
  while (at) { const next = own(at.nextSibling); at.remove(); at = next; }
}

// What the reader looks at: the clip that plays, else the first thing that begins below the sticky head.
function looksAt() {
  const line = 64, seen = (box) => box.height > 0 && box.bottom > line && box.top < innerHeight;
  const playing = document.querySelector("main [data-local-playing]");
  if (playing && seen(playing.getBoundingClientRect())) return playing;
  let around = null;
  for (const el of document.querySelectorAll("main [data-key]")) {
    const box = el.getBoundingClientRect();
    if (!seen(box)) { if (box.top >= innerHeight && around) break; continue; }
    if (box.top >= line) return el;
    around = el;
  }
  return around;
}

// inPlace runs a change and puts what the reader looks at back where it was on the screen.
export function inPlace(change) {
  const anchor = looksAt(), before = anchor && anchor.getBoundingClientRect().top;
  change();
  if (anchor && anchor.isConnected) {
    const moved = anchor.getBoundingClientRect().top - before;
    if (moved) scrollBy({ top: moved, behavior: "instant" });
  }
}
