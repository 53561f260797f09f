import { t } from "./base.js";
import { begin, castable, copy, dress, full, louder, mute, recall, share, swipe, toaster, toggle } from "./film.js";

// The player: one dialog outside of everything that updates, so that a playing video is never disturbed.
const $ = (id) => document.getElementById(id);
const dialog = $("player"), video = $("player-video"), screen = dialog.querySelector(".screen"), root = document.documentElement;
const speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];
let now = null, opener = null, loop = true, wake = () => {};
const veiled = (goal) => "spoilers" in root.dataset && !goal.closest("[data-local-shown]");

// What can be played is what the page shows now, in its order: goals, and the clips of each by rank.
const clipsOf = (g) => [...g.querySelectorAll("a.clip")].filter((a) => a.closest("[data-uid]") === g);
const goals = () => [...document.querySelectorAll("main [data-uid]")].filter((g) => clipsOf(g).length && g.checkVisibility());

const tell = toaster($("player-note"), 1200);

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
  begin(video);
}
const path = () => now.page + "?v=" + now.clip, address = () => location.origin + path();

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
  recall(video);
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
  share: () => share(now.title, address(), tell), copy: () => copy(address(), tell),
  download: () => $("player-download").click(),
  keys: () => $("keys").showModal(),
  mute: () => { mute(video); tell(video.muted ? t("Muted") : t("Sound on")); },
  full: () => full(screen, video),
};
function speed(s) { video.playbackRate = s; video.defaultPlaybackRate = s; $("player-speed").textContent = s + "×"; tell(s + "×"); }
function volume(by) { louder(video, by); tell(t("Volume %d %%", Math.round(video.volume * 100)).replace("%%", "%")); }
function faster(by) { const i = speeds.indexOf(video.playbackRate); speed(speeds[Math.max(0, Math.min(speeds.length - 1, i + by))]); }

const keys = {
  " ": () => toggle(video), ArrowLeft: act.prev, ArrowRight: act.next, ArrowUp: () => volume(.05), ArrowDown: () => volume(-.05), j: act["next-goal"], k: act["prev-goal"],
  m: act.mute, f: act.full, ",": act["step-back"], ".": act.step, "<": () => faster(-1), ">": () => faster(1),
  Home: () => { video.currentTime = 0; }, End: () => { video.currentTime = video.duration || 0; },
  "]": act["next-goal"], "[": act["prev-goal"], r: act.loop, d: act.download, s: act.share, "?": act.keys,
};

function onKey(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || $("keys").open) return;
  if (!dialog.open) { if (e.key === "?" && !e.target.closest("input, select, textarea")) { e.preventDefault(); act.keys(); } return; }
  wake();
  // A button keeps its own space and enter; everything else is the video's.
  if ((e.key === " " || e.key === "Enter") && e.target.closest("button, a, summary")) return;
  if (/^[0-9]$/.test(e.key) && video.duration) { e.preventDefault(); video.currentTime = video.duration * Number(e.key) / 10; return; }
  const f = keys[e.key] ?? keys[e.key.toLowerCase()];
  if (f) { e.preventDefault(); e.stopPropagation(); f(); }
}

export function start() {
  wake = dress(video, screen);
  castable(video, dialog.querySelector("[data-do=cast]"));
  swipe(screen, (by) => move(true, by));
  document.addEventListener("click", (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    const link = e.target.closest("a.clip");
    if (link) { e.preventDefault(); open(link); }
  });
  dialog.addEventListener("click", (e) => {
    const b = e.target.closest("[data-do]"), next = e.target.closest("[data-next]");
    if (b) act[b.dataset.do]?.();
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
  video.addEventListener("error", () => { if (now) tell(t("This clip cannot be played right now")); });
  document.addEventListener("footy:changed", mark);
}
