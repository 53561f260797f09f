// Notifications of this device: the dialog behind the bell, and what the page's server is told of it.
import { base, get, set, t } from "./base.js";
const $ = (id) => document.getElementById(id);
const say = (text) => { $("push-state").textContent = text; };

// Without a favourite all goals are told: a device that is turned on must hear of something.
const standard = () => ({ whose: favourites().length ? "fav" : "all", goals: true, clips: true, from: "", to: "" });
const chosen = () => { try { return { ...standard(), spoilers: !!get("spoilers"), ...JSON.parse(get("push-wish") || "{}") }; } catch { return standard(); } };
const favourites = () => get("favourites").split(",").filter(Boolean);

// impossible says why this browser cannot be told here, and what to do about it.
function impossible() {
  if (!isSecureContext) return t("Browsers allow notifications only on https:// addresses and on this machine itself.");
  if (!navigator.serviceWorker || !("PushManager" in window) || !("Notification" in window)) {
    return /iPhone|iPad/.test(navigator.userAgent) ? t("On this device add the page to the home screen first, and open it from there.") : t("This browser knows no push notifications.");
  }
  if (Notification.permission === "denied") return t("This browser was told never to show notifications of this page. Its site settings can change that.");
  return "";
}

async function ask(path, body) {
  const how = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), keepalive: true } : { cache: "no-store" };
  const res = await fetch(base + "/api/v1/push" + path, { ...how, signal: AbortSignal.timeout(60_000) }).catch(() => { throw new Error(t("The page's server does not answer.")); });
  const answer = await res.json().catch(() => ({}));
  if (!res.ok) throw Object.assign(new Error(answer.error?.message || t("The page's server does not answer.")), { status: res.status });
  return answer;
}

const subscription = async () => (await navigator.serviceWorker.ready).pushManager.getSubscription();
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

function wish() {
  const w = chosen(), ids = favourites();
  return {
    all: w.whose === "all", goals: w.goals, clips: w.clips, spoiler_free: !!w.spoilers, quiet_from: w.from, quiet_to: w.to,
    teams: ids.filter((id) => /^\d+$/.test(id)).map(Number), leagues: ids.filter((id) => /^l\d+$/.test(id)).map((id) => Number(id.slice(1))),
    language: document.documentElement.lang, zone: get("zone") || Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
  };
}

// What a device wants is told one after the other: of two requests under way the older one could arrive last, and stay.
let telling = Promise.resolve();
function tell(path, body) {
  const told = telling.then(() => ask(path, body()));
  telling = told.catch(() => { /* said to whoever asked for it */ });
  return told;
}

function keep(sub) {
  const { endpoint, keys } = sub.toJSON();
  return tell("/device", () => ({ endpoint, keys, wish: wish() }));
}

async function turnOn() {
  read(); // what was on the screen holds, also once there are favourites
  if (await Notification.requestPermission() !== "granted") throw new Error(t("The browser does not allow it: you or its settings said no."));
  const { key } = await ask(""), { pushManager } = await navigator.serviceWorker.ready;
  let sub = await pushManager.getSubscription();
  const mine = sub?.options?.applicationServerKey && btoa(String.fromCharCode(...new Uint8Array(sub.options.applicationServerKey))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
  if (sub && mine && mine !== key) { await sub.unsubscribe(); sub = null; } // of keys that the server does not have any more
  sub ||= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  await keep(sub);
  set("push", "on");
}

async function turnOff() {
  const sub = await subscription();
  if (sub) {
    await tell("/forget", () => ({ endpoint: sub.endpoint }));
    await sub.unsubscribe();
  }
  set("push", "");
}

// changed tells the server what this device wants now, if it is told anything.
export async function changed() {
  if (impossible() || get("push") !== "on") return;
  const sub = await subscription();
  if (sub) await keep(sub); else set("push", "");
}

function show() {
  const w = chosen(), on = get("push") === "on", why = impossible();
  $("push-whose").value = w.whose; $("push-goals").checked = w.goals; $("push-clips").checked = w.clips; $("push-spoilers").checked = !!w.spoilers;
  $("push-quiet").checked = !!w.from; $("push-hours").hidden = !w.from;
  if (w.from) { $("push-from").value = w.from; $("push-to").value = w.to; }
  $("push-none").hidden = w.whose !== "fav" || favourites().length > 0;
  $("push-wish").hidden = !!why;
  $("push-on").hidden = !!why || on; $("push-off").hidden = $("push-test").hidden = !on || !!why;
  $("push-on").disabled = !w.goals && !w.clips;
  say(why || (on ? t("This device is told of goals, also while no page is open.") : t("This device can be told of goals, also while no page is open. The push service of your browser's maker carries the messages and cannot read them.")));
  bell();
}

export function bell() {
  const on = get("push") === "on", button = $("open-push");
  button.classList.toggle("on", on);
  button.querySelector(".sr").textContent = on ? t("Notifications: on") : t("Notifications");
}

function read() {
  const quiet = $("push-quiet").checked;
  set("push-wish", JSON.stringify({ whose: $("push-whose").value, goals: $("push-goals").checked, clips: $("push-clips").checked, spoilers: $("push-spoilers").checked,
    from: quiet ? $("push-from").value || "23:00" : "", to: quiet ? $("push-to").value || "07:30" : "" }));
}

// doing runs what a button means, and says what went wrong.
async function doing(button, what, done) {
  button.disabled = true;
  let text = done;
  try { await what(); } catch (e) {
    text = e.message;
    if (e.status === 404 && get("push") === "on") set("push", "");
  }
  button.disabled = false;
  show();
  if (text) say(text);
}

let wired = false;
export async function open() {
  if (!wired) {
    wired = true;
    $("push-on").addEventListener("click", (e) => doing(e.target, turnOn));
    $("push-off").addEventListener("click", (e) => doing(e.target, turnOff));
    $("push-test").addEventListener("click", (e) => doing(e.target, async () => { const sub = await subscription(); if (!sub) throw Object.assign(new Error(t("The browser has no subscription any more; turn notifications on again.")), { status: 404 }); await ask("/test", { endpoint: sub.endpoint }); },
      t("A test is on its way: it appears where your system shows notifications.")));
    $("push-wish").addEventListener("change", () => { read(); show(); if (get("push") === "on") doing($("push-on"), changed); });
  }
  show();
  $("push").showModal();
  if (get("push") === "on" && !impossible() && !(await subscription())) { set("push", ""); show(); }
}
