// Plays the clips of a page: one <video> for all boxes, in the one most in sight, so that sound that was allowed once stays so. And what one does
// with a clip: other angles, sound, share, download, copy.
import { free, get, t } from "./base.js";
import { begin, castable, copy, full, hushed, icon, mute, share, wire } from "./film.js";
const root = document.documentElement, news = document.getElementById("news");
const make = (html) => { const t = document.createElement("template"); t.innerHTML = html; return t.content.firstChild; };

const video = make("<video data-local playsinline loop preload=auto></video>");
const sound = make('<button type="button" class="sound" data-local><svg class="i" aria-hidden="true"><use href="#i-mute"/></svg><span></span></button>');
const bar = make('<span class="played" data-local><i></i></span>');
let at = null, stopped = null, chosen = null; // the box that has the video; the boxes whose clip the person stopped, or turned to
const seen = new Map(); // boxes and how much of them is in sight

const wanted = () => get("autoplay") !== "no" && !matchMedia("(prefers-reduced-motion: reduce)").matches && !navigator.connection?.saveData && !("spoilers" in root.dataset);
const loud = () => { try { return sessionStorage.getItem("sound") === "on"; } catch { return false; } };
const angles = (stage) => [...stage.querySelectorAll(".angle")];
const index = (stage) => { const row = stage.querySelector(".angles"); return Math.max(0, Math.min(angles(stage).length - 1, Math.round(row.scrollLeft / (row.clientWidth || 1)))); };
const goalOf = (el) => el.closest("[data-page]");
const stageOf = (el) => goalOf(el)?.querySelector("[data-stage]");

// put brings the video to a box, or to another angle of the one that has it.
function put(stage, play) {
  const angle = angles(stage)[index(stage)];
  if (at && at !== stage) leave();
  if (video.parentNode !== angle) {
    angle.append(video); stage.append(sound, bar);
    video.src = angle.dataset.src;
    if (!hushed(video)) video.muted = !loud();
  }
  at = stage;
  if (play) { stopped = null; begin(video); }
}

function leave() {
  if (!at) return;
  video.pause(); video.remove(); sound.remove(); bar.remove(); video.removeAttribute("src"); video.load();
  delete at.dataset.localPlaying;
  at = null;
}

// look gives the video to the box most in sight, if at least half of it is.
function look() {
  let best = null, most = .5;
  for (const [stage, share] of seen) if (stage.isConnected && share >= most && (share > most || !best)) { best = stage; most = share; }
  if (at && (seen.get(at) ?? 0) >= .5 && (seen.get(at) >= most || at === chosen)) return;
  if (at && best !== at) leave();
  if (best && best !== stopped && wanted()) put(best, true);
}
const observer = new IntersectionObserver((all) => { for (const e of all) seen.set(e.target, e.isIntersecting ? e.intersectionRatio : 0); look(); }, { threshold: [0, .25, .5, .75, 1], rootMargin: "0px 0px -56px" });

// sync shows which angle of a box is in sight, and brings the video along.
function sync(stage) {
  const i = index(stage), all = angles(stage), goal = goalOf(stage);
  stage.querySelectorAll(".dots i").forEach((d, n) => d.classList.toggle("on", n === i));
  const len = stage.querySelector(".onvideo .len"), count = goal.querySelector(".stepper .count"), load = goal.querySelector("[data-act=download]");
  if (len) len.textContent = all[i].dataset.length;
  if (count) count.textContent = i + 1 + " / " + all.length;
  if (load) load.href = all[i].dataset.src + "?download";
  goal.querySelectorAll("[data-angle]").forEach((b, n) => b.setAttribute("aria-pressed", n === i));
  if (stage === at && video.parentNode !== all[i]) put(stage, !stopped);
}
function turn(stage, to) {
  chosen = stage;
  const row = stage.querySelector(".angles");
  row.scrollTo({ left: Math.max(0, Math.min(angles(stage).length - 1, to)) * row.clientWidth, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
}

function press(stage) {
  chosen = stage;
  if (at !== stage || video.paused) put(stage, true);
  else { stopped = stage; video.pause(); }
}
const addressOf = (goal) => { const s = goal.querySelector("[data-stage]"), i = s ? index(s) : 0; return location.origin + goal.dataset.page + (i ? "?v=" + angles(s)[i].dataset.clip : ""); };
// did says what was done, and shows it on the button for a moment.
const did = (button) => (text) => {
  const was = button.querySelector("use").getAttribute("href").slice(3);
  news.textContent = text; icon(button, "check"); setTimeout(() => icon(button, was), 2000);
};
const act = {
  share: (goal, button) => share([goal.dataset.title, goal.dataset.sub].filter(Boolean).join(", "), addressOf(goal), did(button)), copy: (goal, button) => copy(addressOf(goal), did(button)),
  back: (goal) => turn(stageOf(goal), index(stageOf(goal)) - 1), on: (goal) => turn(stageOf(goal), index(stageOf(goal)) + 1),
  full: (goal) => { put(stageOf(goal), true); full(video, video); },
  earlier: (goal) => frame(stageOf(goal), -1), later: (goal) => frame(stageOf(goal), 1), repeat: (goal, box) => { video.loop = box.checked; },
  speed: (goal, button) => { const rate = speeds[(speeds.indexOf(video.playbackRate) + 1) % speeds.length]; video.playbackRate = video.defaultPlaybackRate = rate; button.lastChild.textContent = rate + "×"; },
};
const speeds = [.25, .5, .75, 1, 1.25, 1.5, 2];
// frame goes one picture on or back, of 25 a second.
function frame(stage, by) { put(stage, false); stopped = chosen = stage; video.pause(); video.currentTime = Math.max(0, Math.min(video.duration || 0, video.currentTime + by / 25)); }

function onClick(e) {
  if (e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
  const angle = e.target.closest(".angle"), button = e.target.closest("[data-act]"), thumb = e.target.closest("[data-angle]");
  if (e.target.closest(".sound")) chosen = at;
  else if (angle) { e.preventDefault(); press(angle.closest(".stage")); }
  else if (button && act[button.dataset.act]) act[button.dataset.act](goalOf(button), button);
  else if (thumb) turn(stageOf(thumb), Number(thumb.dataset.angle));
}

// Keys go to the goal that has the focus, else to the one that plays.
function onKey(e) {
  if (!free(e)) return;
  const stage = stageOf(e.target) || at, goal = stage && goalOf(stage), key = e.key.toLowerCase();
  if (!stage || (key === " " && e.target.closest("button, summary"))) return;
  const click = (what) => goal.querySelector(what)?.click();
  const does = { " ": () => press(stage), arrowleft: () => turn(stage, index(stage) - 1), arrowright: () => turn(stage, index(stage) + 1), m: () => { chosen = at; mute(video); },
    f: () => act.full(goal), ",": () => frame(stage, -1), ".": () => frame(stage, 1), s: () => click(".act.share"), d: () => click("[data-act=download]") }[key];
  if (does) { e.preventDefault(); does(); }
}

// What comes while the page is open waits for a tap: nothing moves under a finger.
const feed = document.getElementById("feed"), pill = document.getElementById("new");
let strip = document.getElementById("strip"), known = new Set(), held = new Set(), date = feed?.dataset.date;
const cards = () => [...feed.querySelectorAll(".gcard")];
const cardOf = (uid) => document.getElementById("g-" + uid);

function crown() {
  const first = cards().find((c) => !c.hidden && !("localOut" in c.dataset));
  for (const c of cards()) c.classList.toggle("first", c === first);
}
function tellNew() {
  const newest = cards().find((c) => held.has(c.dataset.uid)), shown = strip?.isConnected && strip.getBoundingClientRect().bottom > 0;
  pill.hidden = !newest || "spoilers" in root.dataset || (shown && held.has(strip.dataset.uid));
  if (newest) pill.querySelector("bdi").textContent = newest.dataset.title;
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = held.size && !("spoilers" in root.dataset) ? "(" + held.size + ") " + title : title;
}
// meet takes in boxes that are new, after the page was brought up to date, and brings back a video that went with its angle.
function meet() {
  for (const stage of document.querySelectorAll("[data-stage]")) if (!seen.has(stage)) { seen.set(stage, 0); observer.observe(stage); } else if (index(stage)) sync(stage);
  const goes = at && at !== stopped && "localPlaying" in at.dataset; // by itself that says too little: it is taken away a moment after a pause
  if (at && !video.isConnected) { const stage = at; leave(); if (stage.isConnected) put(stage, stage !== stopped); } else if (goes && video.paused) begin(video);
}
function arrived() {
  if (feed.dataset.date !== date) { date = feed.dataset.date; known = new Set(cards().map((c) => c.dataset.uid)); held = new Set(); strip = null; }
  const fresh = cards().filter((c) => !known.has(c.dataset.uid) && !held.has(c.dataset.uid));
  for (const c of fresh) held.add(c.dataset.uid);
  for (const uid of held) { const c = cardOf(uid); if (c) c.hidden = true; else held.delete(uid); }
  const now = document.getElementById("strip");
  if (!now && strip) feed.prepend(strip); else strip = now;
  if (strip && held.has(strip.dataset.uid) && !strip.classList.contains("here")) {
    strip.classList.add("here");
    strip.querySelector("[data-words]").textContent = t("The clip is here"); strip.querySelector("time").textContent = t("Watch");
  }
  if (fresh.length && !("spoilers" in root.dataset)) news.textContent = t("The clip is here") + ": " + fresh.map((c) => c.dataset.title + ", " + c.dataset.sub).join(". ");
  crown(); tellNew();
}
function show() {
  let first = null;
  for (const c of cards()) if (held.has(c.dataset.uid)) {
    c.hidden = false; c.dataset.localFresh = ""; first ||= c; known.add(c.dataset.uid);
    setTimeout(() => { delete c.dataset.localFresh; }, 60000);
  }
  if (strip && held.has(strip.dataset.uid)) { strip.remove(); strip = null; }
  held.clear(); crown(); tellNew();
  if (!first) return;
  scrollTo({ top: first === cards()[0] ? 0 : first.getBoundingClientRect().top + scrollY - 72, behavior: "instant" });
  first.querySelector("h2 a").focus({ preventScroll: true });
  put(first.querySelector(".stage"), wanted());
}

export function start() {
  if (!document.querySelector("[data-stage], [data-act], #feed")) return;
  video.addEventListener("playing", () => { if (at) at.dataset.localPlaying = ""; });
  video.addEventListener("pause", () => { if (at && video.isConnected) delete at.dataset.localPlaying; });
  wire(video, sound, bar.firstChild);
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  document.addEventListener("focusin", (e) => { // who goes by key sees what has the focus
    const stage = e.target.matches(":focus-visible") && stageOf(e.target);
    if (stage && stage !== at && wanted()) { chosen = stage; put(stage, true); }
  });
  let settle = 0;
  document.addEventListener("scroll", (e) => { if (!e.target.matches?.(".angles")) return; clearTimeout(settle); settle = setTimeout(() => sync(e.target.closest(".stage")), 90); }, true);
  document.addEventListener("visibilitychange", () => { if (document.hidden) video.pause(); else if (at && at !== stopped) begin(video); });
  const asked = document.querySelector('.angle[data-clip="' + CSS.escape(new URLSearchParams(location.search).get("v") ?? "") + '"]');
  if (asked) asked.parentNode.scrollLeft = asked.offsetLeft; // the angle that the address names
  document.addEventListener("footy:changed", meet);
  meet();
  const cast = document.querySelector("[data-act=cast]");
  if (cast) castable(video, cast);
  const [first] = seen.keys();
  if (first && location.hash === "#play") press(first); // one came by touching its picture
  if (!feed) return;
  known = new Set(cards().map((c) => c.dataset.uid));
  document.addEventListener("footy:changed", arrived);
  document.addEventListener("footy:filtered", crown);
  addEventListener("scroll", tellNew, { passive: true });
  feed.addEventListener("click", (e) => { if (e.target.closest(".strip.here") && held.size) { e.preventDefault(); show(); } });
  pill.addEventListener("click", show);
  crown();
}
