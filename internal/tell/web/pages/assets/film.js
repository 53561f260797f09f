// What all videos of the page have in common: sound that is remembered, progress, full screen, another screen; and to share one.
import { get, set, t } from "./base.js";

const silenced = new WeakSet(); // muted by the browser, not by the person: that is not remembered
export const hushed = (video) => silenced.has(video);
export const icon = (svg, name) => svg.querySelector("use").setAttribute("href", "#i-" + name);
export const toggle = (video) => { if (video.paused) video.play().catch(() => {}); else video.pause(); };

// begin plays a clip. Only a browser that forbids sound before a click is worked around; a pause or the next clip ends a pending play, too, and
// those were wanted.
export function begin(video, hush = () => {}) {
  const src = video.src;
  video.play().catch((e) => {
    if (e.name !== "NotAllowedError" || video.src !== src) return;
    if (!video.muted) { silenced.add(video); video.muted = true; hush(); }
    video.play().catch(() => {});
  });
}

export function mute(video, on = !video.muted) {
  silenced.delete(video); video.muted = on;
  set("muted", on ? "yes" : "no");
  try { sessionStorage.setItem("sound", !on && get("sound") !== "no" ? "on" : ""); } catch { /* private mode */ }
}
export function full(box, video) {
  if (document.fullscreenElement) document.exitFullscreen();
  else if (box.requestFullscreen) box.requestFullscreen().catch(() => {}); // with what is written over the picture
  else video.webkitEnterFullscreen?.();
}

// wire keeps a sound button and a bar of progress with a video. Who used the button once knows what its sign means.
export function wire(video, sound, played) {
  const heard = () => {
    icon(sound, video.muted ? "mute" : "sound");
    sound.lastElementChild.textContent = video.muted ? t("Unmute") : t("Mute");
    sound.lastElementChild.className = get("muted") || !video.muted ? "sr" : "";
  };
  sound.addEventListener("click", () => mute(video));
  for (const name of ["volumechange", "loadstart"]) video.addEventListener(name, heard);
  for (const name of ["timeupdate", "loadedmetadata", "seeked"]) video.addEventListener(name, () => { played.style.transform = "scaleX(" + (video.duration ? video.currentTime / video.duration : 0) + ")"; });
  heard();
}

const clock = (s) => Math.floor(s / 60) + ":" + String(Math.floor(s % 60)).padStart(2, "0");

// dress is wire for a player, with its time, a line to seek on and a touch that pauses. What is written over the picture leaves after three
// seconds (data-awake goes) and comes back with the function that is returned.
export function dress(video, box) {
  const part = (name) => box.querySelector("[data-hud=" + name + "]"), line = part("line");
  let asleep = 0;
  const wake = () => {
    box.dataset.awake = "";
    clearTimeout(asleep); asleep = setTimeout(() => { if (!video.paused) delete box.dataset.awake; }, 3000);
  };
  wire(video, part("sound"), line.querySelector("i"));
  line.addEventListener("pointerdown", (e) => { if (video.duration) video.currentTime = video.duration * e.offsetX / line.offsetWidth; });
  video.addEventListener("click", () => toggle(video));
  for (const name of ["timeupdate", "loadedmetadata"]) video.addEventListener(name, () => { part("time").textContent = video.duration ? clock(video.currentTime) + " / " + clock(video.duration) : ""; });
  for (const name of ["play", "pause", "loadstart"]) video.addEventListener(name, wake);
  for (const name of ["pointermove", "pointerdown", "focusin"]) box.addEventListener(name, wake);
  return wake;
}

// share opens the system's sheet, or copies the link where there is none.
export const share = (title, url, tell) => navigator.share ? navigator.share({ title, url }).catch(() => {}) : copy(url, tell);
export async function copy(url, tell) { try { await navigator.clipboard.writeText(url); tell(t("Link copied")); } catch { prompt(t("Copy this link"), url); } }

// castable shows a button where the browser can play a video on another screen.
export function castable(video, button) {
  button.addEventListener("click", () => video.remote?.prompt().catch(() => {}));
  video.remote?.watchAvailability((there) => { button.hidden = !there; }).catch(() => { button.hidden = false; }); // it cannot watch: asking may find one
}
