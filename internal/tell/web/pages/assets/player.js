// The player: one dialog outside of everything that updates, so that a playing video is never disturbed.
const $ = (id) => document.getElementById(id);
const dialog = $("player"), video = $("player-video"), inline = $("inline");
const speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];
let now = null, opener = null, toast = 0, loop = true, silenced = false;
const store = { get(k) { try { return localStorage.getItem(k); } catch { return null; } }, set(k, v) { try { localStorage.setItem(k, v); } catch { /* private mode */ } } };

// What can be played is what the page shows now, in its order: goals, and the clips of each by rank.
function goals() {
  const all = document.querySelectorAll("#day .goal, article.goalpage");
  return [...all].filter((g) => g.querySelector("a.clip") && (g.checkVisibility ? g.checkVisibility() : true));
}
const clipsOf = (g) => [...g.querySelectorAll("a.clip")];

function tell(text) {
  const note = $("player-note");
  note.textContent = text; note.hidden = false;
  clearTimeout(toast); toast = setTimeout(() => { note.hidden = true; }, 1200);
}

function load(link) {
  const goal = link.closest("[data-uid]");
  now = { uid: goal.dataset.uid, clip: link.dataset.clip, src: link.dataset.src, page: goal.dataset.page };
  $("player-title").textContent = goal.dataset.title;
  // To watch a goal is not to ask for the score.
  const veiled = "spoilers" in document.documentElement.dataset && !goal.closest("[data-local-shown]");
  $("player-sub").textContent = veiled ? goal.dataset.match : goal.dataset.sub;
  $("player-proof").textContent = link.dataset.proof; $("player-proof").classList.toggle("open", !("verified" in link.dataset));
  video.src = now.src;
  if (link.dataset.poster) video.poster = link.dataset.poster; else video.removeAttribute("poster");
  video.loop = loop;
  $("player-download").href = now.src + "?download";
  $("player-page").href = now.page + "?v=" + now.clip;
  mark();
  begin(now);
}

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
  const goal = goals().find((g) => g.dataset.uid === now.uid);
  const list = goal ? clipsOf(goal) : [], i = list.findIndex((a) => a.dataset.clip === now.clip);
  if (list[i]) list[i].classList.add("playing");
  $("player-count").textContent = list.length ? (i + 1 || "–") + " of " + list.length : "";
  const g = goals(), at = g.indexOf(goal);
  dialog.querySelector("[data-do=prev]").disabled = i <= 0;
  dialog.querySelector("[data-do=next]").disabled = i < 0 || i >= list.length - 1;
  dialog.querySelector("[data-do=prev-goal]").disabled = at <= 0;
  dialog.querySelector("[data-do=next-goal]").disabled = at < 0 || at >= g.length - 1;
}

function move(clips, by) {
  const all = goals(), goal = all.find((g) => g.dataset.uid === now.uid);
  if (clips) {
    const list = goal ? clipsOf(goal) : [], i = list.findIndex((a) => a.dataset.clip === now.clip), next = list[i + by];
    if (next) load(next); else tell(by > 0 ? "No further clip" : "This is the best clip");
  } else {
    const next = all[all.indexOf(goal) + by];
    if (goal && next) load(clipsOf(next)[0]); else tell(by > 0 ? "No further goal" : "No earlier goal");
  }
}

export function open(link) {
  opener = link;
  silenced = false; video.muted = store.get("muted") !== "no";
  const v = parseFloat(store.get("volume")); if (v >= 0 && v <= 1) video.volume = v;
  if (inline) inline.pause();
  if (!dialog.open) { dialog.showModal(); enter(); }
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
  loop: () => { loop = !loop; video.loop = loop; dialog.querySelector("[data-do=loop]").setAttribute("aria-pressed", loop); tell(loop ? "Loop on" : "Loop off"); },
  copy: async () => {
    const url = location.origin + now.page + "?v=" + now.clip;
    try { await navigator.clipboard.writeText(url); tell("Link copied"); } catch { prompt("Copy this link", url); }
  },
  download: () => $("player-download").click(),
  keys: () => $("keys").showModal(),
  play: () => { if (video.paused) video.play().catch(() => {}); else video.pause(); },
  mute: () => { silenced = false; video.muted = !video.muted; tell(video.muted ? "Muted" : "Sound on"); },
  full: () => { if (document.fullscreenElement) document.exitFullscreen(); else (video.requestFullscreen || video.webkitEnterFullscreen)?.call(video); },
};
function speed(s) { video.playbackRate = s; video.defaultPlaybackRate = s; $("player-speed").textContent = s + "×"; tell(s + "×"); }
function seek(by) { video.currentTime = Math.max(0, Math.min(video.duration || 0, video.currentTime + by)); }
function louder(by) { video.volume = Math.max(0, Math.min(1, Math.round((video.volume + by) * 100) / 100)); if (by > 0) { silenced = false; video.muted = false; } tell("Volume " + Math.round(video.volume * 100) + " %"); }
function faster(by) { const i = speeds.indexOf(video.playbackRate); speed(speeds[Math.max(0, Math.min(speeds.length - 1, i + by))]); }

const keys = {
  " ": act.play, k: act.play, K: act.play, j: () => seek(-10), l: () => seek(10), J: () => seek(-10), L: () => seek(10),
  ArrowLeft: () => seek(-5), ArrowRight: () => seek(5), ArrowUp: () => louder(.05), ArrowDown: () => louder(-.05),
  m: act.mute, M: act.mute, f: act.full, F: act.full, ",": act["step-back"], ".": act.step, "<": () => faster(-1), ">": () => faster(1),
  Home: () => { video.currentTime = 0; }, End: () => { video.currentTime = video.duration || 0; }, N: act.next, P: act.prev,
  "]": act["next-goal"], "[": act["prev-goal"], r: act.loop, R: act.loop, d: act.download, D: act.download, s: act.copy, S: act.copy, "?": act.keys,
};

function onKey(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || $("keys").open) return;
  if (!dialog.open) { if (e.key === "?" && !e.target.closest("input, select, textarea")) { e.preventDefault(); act.keys(); } return; }
  // A button keeps its own space and enter; everything else is the video's.
  if ((e.key === " " || e.key === "Enter") && e.target.closest("button, a")) return;
  if (/^[0-9]$/.test(e.key) && video.duration) { e.preventDefault(); video.currentTime = video.duration * Number(e.key) / 10; return; }
  const f = keys[e.key];
  if (f) { e.preventDefault(); e.stopPropagation(); f(); }
}

// swipe calls back with 1 for a stroke to the left and -1 for one to the right. The foot of a video is left to its controls.
export function swipe(on, go) {
  let from = null;
  on.addEventListener("touchstart", (e) => {
    const t = e.changedTouches[0];
    from = e.touches.length === 1 && t.clientY < on.getBoundingClientRect().bottom - 72 ? { x: t.clientX, y: t.clientY } : null;
  }, { passive: true });
  on.addEventListener("touchend", (e) => {
    if (!from) return;
    const x = e.changedTouches[0].clientX - from.x, y = e.changedTouches[0].clientY - from.y;
    from = null;
    if (Math.abs(x) > 50 && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? 1 : -1);
  }, { passive: true });
}

export function start() {
  swipe(dialog.querySelector(".screen"), (by) => move(true, by));
  document.addEventListener("click", (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    const link = e.target.closest("a.clip");
    if (link) { e.preventDefault(); open(link); }
  });
  dialog.addEventListener("click", (e) => {
    const b = e.target.closest("[data-do]");
    if (b) act[b.dataset.do]();
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
  video.addEventListener("error", () => { if (now) tell("This clip cannot be played right now"); });
  dialog.querySelector("[data-do=loop]").setAttribute("aria-pressed", loop);
  document.addEventListener("footy:changed", mark);
}
