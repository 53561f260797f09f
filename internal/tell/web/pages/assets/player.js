import { t } from "./base.js";

// The player: one dialog outside of everything that updates, so that a playing video is never disturbed.
const $ = (id) => document.getElementById(id);
const dialog = $("player"), video = $("player-video"), screen = dialog.querySelector(".screen"), root = document.documentElement;
const speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];
let now = null, opener = null, toast = 0, loop = true, silenced = false, wake = () => {};
const store = { get(k) { try { return localStorage.getItem(k); } catch { return null; } }, set(k, v) { try { localStorage.setItem(k, v); } catch { /* private mode */ } } };
const veiled = (goal) => "spoilers" in root.dataset && !goal.closest("[data-local-shown]");

// What can be played is what the page shows now, in its order: goals, and the clips of each by rank.
const clipsOf = (g) => [...g.querySelectorAll("a.clip")].filter((a) => a.closest("[data-uid]") === g);
const goals = () => [...document.querySelectorAll("main [data-uid]")].filter((g) => clipsOf(g).length && g.checkVisibility());

function tell(text) {
  const note = $("player-note");
  note.textContent = text; note.hidden = false;
  clearTimeout(toast); toast = setTimeout(() => { note.hidden = true; }, 1200);
}

const clock = (s) => Math.floor(s / 60) + ":" + String(Math.floor(s % 60)).padStart(2, "0");

// dress gives a video its sound button, time and progress, and a touch that pauses it. What is written over it leaves after three seconds
// (data-awake goes) and comes back with the function that is returned.
export function dress(video, box) {
  const part = (name) => box.querySelector("[data-hud=" + name + "]"), sound = part("sound"), line = part("line");
  let asleep = 0;
  const wake = () => {
    box.dataset.awake = "";
    clearTimeout(asleep); asleep = setTimeout(() => { if (!video.paused) delete box.dataset.awake; }, 3000);
  };
  const heard = () => {
    sound.querySelector("use").setAttribute("href", video.muted ? "#i-mute" : "#i-sound");
    sound.lastElementChild.textContent = video.muted ? t("Unmute") : t("Mute");
    sound.lastElementChild.className = store.get("muted") === null ? "" : "sr"; // who used it once knows what the sign means
  };
  const at = () => {
    part("time").textContent = video.duration ? clock(video.currentTime) + " / " + clock(video.duration) : "";
    line.querySelector("i").style.transform = "scaleX(" + (video.duration ? video.currentTime / video.duration : 0) + ")";
  };
  sound.addEventListener("click", () => { video.muted = !video.muted; });
  line.addEventListener("pointerdown", (e) => { if (video.duration) video.currentTime = video.duration * e.offsetX / line.offsetWidth; });
  video.addEventListener("click", () => { if (video.paused) video.play().catch(() => {}); else video.pause(); });
  for (const name of ["volumechange", "loadstart"]) video.addEventListener(name, heard);
  for (const name of ["timeupdate", "loadedmetadata", "seeked"]) video.addEventListener(name, at);
  for (const name of ["play", "pause", "loadstart"]) video.addEventListener(name, wake);
  for (const name of ["pointermove", "pointerdown", "focusin"]) box.addEventListener(name, wake);
  heard();
  return wake;
}

// spread opens the system's sheet, or copies the link where there is none.
export async function spread(title, path, tell) {
  const url = location.origin + path;
  if (navigator.share) { await navigator.share({ title, url }).catch(() => {}); return; }
  await copy(url, tell);
}
async function copy(url, tell) { try { await navigator.clipboard.writeText(url); tell(t("Link copied")); } catch { prompt(t("Copy this link"), url); } }

function load(link) {
  const goal = link.closest("[data-uid]");
  now = { uid: goal.dataset.uid, clip: link.dataset.clip, src: link.dataset.src, page: goal.dataset.page, title: goal.dataset.title };
  // To watch a goal is not to ask for the score.
  const sub = veiled(goal) ? goal.dataset.match : goal.dataset.sub;
  $("player-title").textContent = now.title;
  $("player-sub").textContent = sub;
  screen.querySelector(".caption").textContent = now.title + " · " + sub;
  $("player-proof").hidden = "verified" in link.dataset;
  video.src = now.src;
  if (link.dataset.poster) video.poster = link.dataset.poster; else video.removeAttribute("poster");
  video.loop = loop;
  $("player-download").href = now.src + "?download";
  $("player-page").href = path() + "#story";
  mark();
  begin(now);
}
const path = () => now.page + "?v=" + now.clip;

// Only a browser that forbids sound before a click is worked around. A pause, the next clip or closing end a pending
// play, too (AbortError), and those were wanted.
function begin(clip) {
  video.play().catch((e) => {
    if (e.name !== "NotAllowedError" || now !== clip) return;
    if (!video.muted) { silenced = true; video.muted = true; } // by the browser, not by the person: it is not remembered
    video.play().catch(() => {});
  });
}

function mark() {
  if (!now) return;
  document.querySelectorAll("a.clip.playing").forEach((a) => a.classList.remove("playing"));
  const all = goals(), goal = all.find((g) => g.dataset.uid === now.uid), at = all.indexOf(goal);
  const list = goal ? clipsOf(goal) : [], i = list.findIndex((a) => a.dataset.clip === now.clip);
  if (list[i]) list[i].classList.add("playing");
  $("player-count").textContent = list.length ? (i + 1 || "–") + " / " + list.length : "";
  dialog.querySelector(".stepper").hidden = list.length < 2;
  const button = (name, off) => { dialog.querySelector("[data-do=" + name + "]").disabled = off; };
  button("prev", i <= 0); button("next", i < 0 || i >= list.length - 1); button("next-goal", at < 0 || at >= all.length - 1);
  // What comes next tells who scored.
  const coming = at < 0 || all.some(veiled) ? [] : all.slice(at + 1, at + 7);
  $("player-next").replaceChildren(...coming.map((g) => {
    const clip = clipsOf(g)[0], li = document.createElement("li"), b = document.createElement("button"), img = new Image(), text = document.createElement("span"), title = document.createElement("b");
    b.type = "button"; b.dataset.next = g.dataset.uid; img.alt = ""; img.width = 112; img.height = 63;
    if (clip.dataset.poster) img.src = clip.dataset.poster;
    title.textContent = g.dataset.title; text.append(title, g.dataset.sub);
    b.append(img, text); li.append(b);
    return li;
  }));
  dialog.querySelector(".player-next").hidden = !coming.length;
}

function move(clips, by) {
  const all = goals(), goal = all.find((g) => g.dataset.uid === now.uid);
  if (clips) {
    const list = goal ? clipsOf(goal) : [], i = list.findIndex((a) => a.dataset.clip === now.clip), next = list[i + by];
    if (next) load(next); else tell(by > 0 ? t("No further angle") : t("This is the best clip"));
  } else {
    const next = all[all.indexOf(goal) + by];
    if (goal && next) load(clipsOf(next)[0]); else tell(by > 0 ? t("No further goal") : t("No earlier goal"));
  }
}

export function open(link) {
  opener = link;
  silenced = false; video.muted = store.get("muted") !== "no";
  const v = parseFloat(store.get("volume")); if (v >= 0 && v <= 1) video.volume = v;
  if (!dialog.open) { dialog.showModal(); enter(); }
  dialog.querySelector(".more").open = false;
  load(link);
  video.focus({ preventScroll: true });
}

function close() { if (dialog.open) dialog.close(); }

// An entry in the history lets Back close the player. Who closes it by hand leaves the entry behind, and Back passes over it then: going
// back at once would take along a reader who just followed a link.
const ours = () => Boolean(history.state?.player);
let inside = ours();
function enter() {
  if (!inside) history.pushState({ player: true }, "");
  inside = true;
}

const frame = 1 / 25;
const act = {
  close, prev: () => move(true, -1), next: () => move(true, 1), "prev-goal": () => move(false, -1), "next-goal": () => move(false, 1),
  step: () => { video.pause(); video.currentTime = Math.min(video.duration || 0, video.currentTime + frame); },
  "step-back": () => { video.pause(); video.currentTime = Math.max(0, video.currentTime - frame); },
  speed: () => speed(speeds[(speeds.indexOf(video.playbackRate) + 1) % speeds.length]),
  loop: () => {
    loop = !loop; video.loop = loop;
    const b = dialog.querySelector("[data-do=loop]");
    b.setAttribute("aria-pressed", loop); b.querySelector("b").textContent = loop ? t("on") : t("off");
    tell(loop ? t("Repeat on") : t("Repeat off"));
  },
  share: () => spread(now.title, path(), tell), copy: () => copy(location.origin + path(), tell),
  download: () => $("player-download").click(),
  keys: () => $("keys").showModal(),
  play: () => { if (video.paused) video.play().catch(() => {}); else video.pause(); },
  mute: () => { silenced = false; video.muted = !video.muted; tell(video.muted ? t("Muted") : t("Sound on")); },
  full: () => { if (document.fullscreenElement) document.exitFullscreen(); else if (screen.requestFullscreen) screen.requestFullscreen().catch(() => {}); else video.webkitEnterFullscreen?.(); },
  cast: () => video.remote?.prompt().catch(() => {}),
};
function speed(s) { video.playbackRate = s; video.defaultPlaybackRate = s; $("player-speed").textContent = s + "×"; tell(s + "×"); }
function louder(by) { video.volume = Math.max(0, Math.min(1, Math.round((video.volume + by) * 100) / 100)); if (by > 0) { silenced = false; video.muted = false; } tell(t("Volume %d %%", Math.round(video.volume * 100)).replace("%%", "%")); }
function faster(by) { const i = speeds.indexOf(video.playbackRate); speed(speeds[Math.max(0, Math.min(speeds.length - 1, i + by))]); }

const keys = {
  " ": act.play, ArrowLeft: act.prev, ArrowRight: act.next, ArrowUp: () => louder(.05), ArrowDown: () => louder(-.05), j: act["next-goal"], k: act["prev-goal"],
  m: act.mute, f: act.full, ",": act["step-back"], ".": act.step, "<": () => faster(-1), ">": () => faster(1),
  Home: () => { video.currentTime = 0; }, End: () => { video.currentTime = video.duration || 0; },
  "]": act["next-goal"], "[": act["prev-goal"], r: act.loop, d: act.download, s: act.share, "?": act.keys,
};

function onKey(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || $("keys").open || $("settings")?.open) return;
  if (!dialog.open) { if (e.key === "?" && !e.target.closest("input, select, textarea")) { e.preventDefault(); act.keys(); } return; }
  wake();
  // A button keeps its own space and enter; everything else is the video's.
  if ((e.key === " " || e.key === "Enter") && e.target.closest("button, a, summary")) return;
  if (/^[0-9]$/.test(e.key) && video.duration) { e.preventDefault(); video.currentTime = video.duration * Number(e.key) / 10; return; }
  const f = keys[e.key] ?? keys[e.key.toLowerCase()];
  if (f) { e.preventDefault(); e.stopPropagation(); f(); }
}

// swipe calls back with 1 for a stroke to the left and -1 for one to the right.
export function swipe(on, go) {
  let from = null;
  on.addEventListener("touchstart", (e) => {
    const t = e.changedTouches[0];
    from = e.touches.length === 1 ? { x: t.clientX, y: t.clientY } : null;
  }, { passive: true });
  on.addEventListener("touchend", (e) => {
    if (!from) return;
    const x = e.changedTouches[0].clientX - from.x, y = e.changedTouches[0].clientY - from.y;
    from = null;
    if (Math.abs(x) > 50 && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? 1 : -1);
  }, { passive: true });
}

// castable shows a button where the browser can play a video on another screen.
export function castable(video, button) {
  video.remote?.watchAvailability((there) => { button.hidden = !there; }).catch(() => { button.hidden = false; }); // it cannot watch: asking may find one
}

export function start() {
  wake = dress(video, screen);
  castable(video, dialog.querySelector("[data-do=cast]"));
  swipe(screen, (by) => move(true, by));
  document.addEventListener("click", (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    const link = e.target.closest("a.clip");
    const share = e.target.closest("[data-share]");
    if (link) { e.preventDefault(); open(link); }
    else if (share) spread(share.dataset.title, share.dataset.page, (text) => { $("news").textContent = text; });
  });
  dialog.addEventListener("click", (e) => {
    const b = e.target.closest("[data-do]"), next = e.target.closest("[data-next]");
    if (b) act[b.dataset.do]();
    else if (next) { const goal = goals().find((g) => g.dataset.uid === next.dataset.next); if (goal) load(clipsOf(goal)[0]); }
    else if (e.target === dialog) close(); // the backdrop
  });
  dialog.addEventListener("close", () => {
    video.pause(); video.removeAttribute("src"); video.load();
    document.querySelectorAll("a.clip.playing").forEach((a) => a.classList.remove("playing"));
    // The browser gives the focus back, unless the link was redrawn meanwhile: then to the one that stands for it now. Who has moved on keeps it.
    const back = opener && opener.isConnected ? opener : now && document.querySelector('[data-clip="' + now.clip + '"]');
    if (document.activeElement === document.body) back?.focus({ preventScroll: true });
    now = null;
  });
  addEventListener("popstate", () => {
    const passed = inside && !ours() && !dialog.open;
    inside = ours();
    close();
    if (passed) history.back();
  });
  document.addEventListener("keydown", onKey, true);
  video.addEventListener("volumechange", () => {
    if (!video.muted) silenced = false; // the person brought the sound back
    if (!now) return;
    if (!silenced) store.set("muted", video.muted ? "yes" : "no");
    store.set("volume", video.volume);
  });
  video.addEventListener("error", () => { if (now) tell(t("This clip cannot be played right now")); });
  document.addEventListener("footy:changed", mark);
}
