// All clips of a day as one programme. The list on the page says what there is and is kept up to date by live.js; this plays it: one
// video for the whole night, so that nothing grows.
import { begin, castable, dress, full, hushed, mute, share, toggle } from "./film.js";
import { base, free, get, set, t } from "./base.js";

const $ = (id) => document.getElementById(id);
const video = $("tv-video"), tv = $("tv"), bar = $("tv-bar"), list = $("programme"), root = document.documentElement;
const veiled = () => "spoilers" in root.dataset;

let now = null; // what plays: the data of its item when it began
let place = ""; // the last one that was played in its turn
let known = new Set(), played = new Set(), queue = [];
let date = list.dataset.date, card = 0, told = 0, over = false, wake = () => {}, angle = 0;

const asked = new URLSearchParams(location.search), match = asked.get("match"); // of one match only
const newestFirst = () => !veiled() && asked.get("order") !== "order";
const fits = (li) => match ? li.dataset.fixture === match : !("localOut" in li.dataset);

// items are those of the programme in the order in which they are played.
function items() {
  const all = [...list.children].filter(fits);
  return newestFirst() ? all : all.reverse();
}
const itemOf = (uid) => [...list.children].find((li) => li.dataset.uid === uid);

// tell shows a text for a moment.
const note = $("tv-note");
function tell(text) { note.textContent = text; note.hidden = false; clearTimeout(told); told = setTimeout(() => { note.hidden = true; }, 6000); }

// caption says what plays. Spoiler-free it says who scored after the goal only, and never the score.
function caption(after) {
  const open = !veiled() || after;
  $("tv-over").hidden = !now;
  if (!now) return;
  const score = veiled() ? now.match : now.sub;
  $("tv-title").textContent = open ? now.title : "";
  $("tv-match").textContent = score;
  $("tv-comp").textContent = now.comp + (now.proof ? " · " + now.proof : "");
  if (!navigator.mediaSession || typeof MediaMetadata === "undefined") return;
  navigator.mediaSession.metadata = new MediaMetadata({ title: open ? now.title : now.match, artist: score, album: now.comp,
    artwork: now.poster ? [{ src: now.poster, type: "image/jpeg" }] : [] });
}

function mark() {
  for (const li of list.children) {
    li.hidden = !fits(li);
    li.classList.toggle("now", !!now && li.dataset.uid === now.uid);
    const link = li.querySelector("[data-play]");
    if (now && li.dataset.uid === now.uid) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    if (played.has(li.dataset.uid) && li.dataset.uid !== now?.uid) li.dataset.localSeen = "";
  }
  list.classList.toggle("upwards", !newestFirst());
}

function play(li, inTurn) {
  clearTimeout(card);
  over = false; $("tv-end").hidden = true;
  now = { ...li.dataset };
  queue = queue.filter((uid) => uid !== now.uid);
  if (inTurn) place = now.uid;
  played.add(now.uid);
  if (now.poster) video.poster = now.poster; else video.removeAttribute("poster");
  video.src = now.src;
  $("tv-story").hidden = false; $("tv-story").href = here() + "#story";
  turn(0); caption(false); mark(); roll();
}

const here = () => now.page + "?v=" + now.clip, angles = () => now?.angles.trim().split(" ").map((path) => base + path) ?? [];

// turn shows which angle plays, and plays another one.
function turn(to) {
  const all = angles(), button = bar.querySelector("[data-tv=angle]");
  if (to && !all[to]) to = 0;
  button.hidden = all.length < 2; button.textContent = ("sofa" in root.dataset ? t("Angle %d", to + 1) : to + 1) + " / " + all.length;
  if (to !== angle && all[to] && now.src !== all[to]) { now.src = all[to]; now.clip = all[to].split("/").at(-1).split(".")[0]; video.src = now.src; roll(); }
  angle = to;
}

// The first touch or key brings back the sound that the browser forbade.
const roll = () => begin(video, () => tell(t("The browser keeps the sound off until you touch the page")));
function heard() { if (hushed(video)) mute(video, false); }

// following is what comes next: new goals, then what was not played behind the present place, then before it.
function following() {
  for (const uid of queue) { const li = itemOf(uid); if (li && fits(li)) return [li, false]; }
  const all = items(), at = all.findIndex((li) => li.dataset.uid === place);
  const li = [...all.slice(at + 1), ...all.slice(0, at + 1)].find((l) => !played.has(l.dataset.uid));
  return [li, true];
}

function next() {
  let [li, inTurn] = following();
  if (!li && get("watch-repeat") && items().length) { played.clear(); place = ""; [li, inTurn] = following(); }
  if (li) play(li, inTurn); else end();
}

function previous() {
  const all = items(), before = all[all.findIndex((li) => li.dataset.uid === now?.uid) - 1];
  if (before) play(before, true); else if (now) video.currentTime = 0;
}

// end waits for a new goal.
function end() {
  now = null; over = true;
  clearTimeout(card);
  video.pause(); video.removeAttribute("src"); video.removeAttribute("poster"); video.load();
  caption(false); mark();
  $("tv-story").hidden = true;
  const any = items().length;
  $("tv-end-text").textContent = any ? t("That was everything up to now. New goals come by themselves.") : t("No clip yet. The first one comes by itself.");
  $("tv-again").hidden = !any;
  $("tv-end").hidden = false;
}

function again() { played.clear(); place = ""; next(); }

// changed looks at the list after it was brought up to date.
function changed() {
  const all = [...list.children];
  if (list.dataset.date !== date) { // midnight: another list, and what plays may end
    date = list.dataset.date; known = new Set(); played = new Set(); queue = []; place = "";
    if (now) now.yesterday = true;
  }
  const there = new Set(all.map((li) => li.dataset.uid));
  const fresh = all.filter((li) => !known.has(li.dataset.uid) && fits(li)).map((li) => li.dataset.uid).reverse(); // oldest first
  known = there;
  for (const uid of played) if (!there.has(uid) && uid !== now?.uid) played.delete(uid);
  queue = [...queue, ...fresh].filter((uid) => there.has(uid) && !played.has(uid));
  if (now && !now.yesterday && !there.has(now.uid)) {
    tell(t("This goal no longer stands"));
    next();
    return;
  }
  mark();
  if (over && following()[0]) { next(); return; }
  if (fresh.length) {
    const li = itemOf(fresh[0]);
    tell(veiled() ? t("A new goal comes next") : t("New goal, next: %s", li.dataset.title + ", " + li.dataset.sub));
  }
}

const act = {
  next, prev: previous, full: () => full(tv, video), angle: () => turn(angle + 1), share: () => now && share(now.title, location.origin + here(), tell),
  repeat: () => { set("watch-repeat", get("watch-repeat") ? "" : "1"); shown(); if (over && get("watch-repeat")) again(); },
  pause: () => { if (video.src) toggle(video); }, mute: () => mute(video),
};
const keys = {
  ArrowRight: next, n: next, N: next, "]": next, MediaTrackNext: next, ArrowLeft: previous, p: previous, P: previous, "[": previous, MediaTrackPrevious: previous,
  " ": act.pause, k: act.pause, K: act.pause, MediaPlayPause: act.pause, m: act.mute, M: act.mute, a: act.angle, A: act.angle, s: act.share, S: act.share, f: act.full, F: act.full, r: act.repeat, R: act.repeat,
};

// remote moves about the layout for a television: down to the row of clips, up to the buttons, sideways in both.
function remote(e) {
  const focus = document.activeElement, row = [list, bar].find((r) => r.contains(focus));
  if (e.key === "Enter") { if (!row) act.pause(); return !row; }
  const clips = items().map((li) => li.querySelector("a")).filter((a) => a.checkVisibility()), buttons = [...bar.querySelectorAll("button, summary")].filter((b) => b.checkVisibility());
  const into = row === bar ? buttons : clips, by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  let to = null;
  if (e.key === "ArrowDown") to = row === list ? focus : clips.find((a) => a.closest("li").dataset.uid === now?.uid) ?? clips[0];
  else if (e.key === "ArrowUp") to = row === bar ? focus : buttons[0];
  else if (by && row) to = into[into.indexOf(focus) + by] ?? focus;
  else return false;
  to?.focus(); to?.scrollIntoView({ block: "nearest", inline: "center", behavior: "instant" });
  return true;
}

// back hides what lies over the picture, then leaves.
function back() {
  if (!("awake" in tv.dataset)) { window.history.back(); return; }
  document.activeElement?.blur(); delete tv.dataset.awake;
}

function onKey(e) {
  heard();
  if (!free(e)) return;
  const far = "sofa" in root.dataset;
  if (far && ["Escape", "Backspace", "GoBack", "BrowserBack", "XF86Back"].includes(e.key)) { e.preventDefault(); back(); return; }
  wake();
  if (far && remote(e)) { e.preventDefault(); e.stopPropagation(); return; }
  if ((e.key === " " || e.key === "Enter") && e.target.closest("button, a, summary")) return;
  const f = keys[e.key];
  if (f) { e.preventDefault(); e.stopPropagation(); f(); }
}

function sounds() { bar.querySelector("[data-tv=mute]").textContent = video.muted ? t("Sound off") : t("Sound on"); }

function shown() { document.querySelector("[data-tv=repeat]").setAttribute("aria-pressed", !!get("watch-repeat")); }

function devices() {
  castable(video, bar.querySelector("[data-tv=cast]"));
  const on = (name, f) => { try { navigator.mediaSession?.setActionHandler(name, f); } catch { /* not known to this browser */ } };
  on("nexttrack", next); on("previoustrack", previous);
  on("play", () => video.play().catch(() => {})); on("pause", () => video.pause());
}

export function start() {
  if (asked.has("tv") || matchMedia("(min-width: 1600px) and (not (any-pointer: fine))").matches) root.dataset.sofa = "";
  wake = dress(video, tv);
  document.addEventListener("footy:filtered", () => { queue = queue.filter((uid) => fits(itemOf(uid))); place = ""; mark(); if (over || !now) next(); });
  video.muted = get("muted") !== "no";
  video.addEventListener("volumechange", sounds); sounds();
  video.addEventListener("ended", () => { caption(true); clearTimeout(card); if (veiled()) card = setTimeout(next, 3000); else next(); });
  video.addEventListener("error", () => { if (!now || !video.getAttribute("src")) return; tell(t("This clip cannot be played right now")); clearTimeout(card); card = setTimeout(next, 2000); });
  document.addEventListener("click", (e) => {
    const button = e.target.closest("[data-tv]"), item = e.target.closest("[data-play]");
    if (button) act[button.dataset.tv]?.();
    else if (item && !e.ctrlKey && !e.metaKey && !e.shiftKey) { e.preventDefault(); play(item.closest("li"), true); }
    else if (e.target.id === "tv-again") again();
  });
  addEventListener("pointerdown", heard, true);
  addEventListener("keydown", onKey, true);
  document.addEventListener("footy:changed", changed);
  devices(); shown();
  known = new Set([...list.children].map((li) => li.dataset.uid));
  mark(); next();
}
