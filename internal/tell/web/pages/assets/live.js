// Listens to what changed and asks for just that. The page itself is the truth; the stream only says "look again".
import { base, get, hour12, set, t } from "./base.js";
import { morph, inPlace } from "./morph.js";

const main = document.getElementById("main"), net = document.getElementById("net");
const asked = performance.getEntriesByType("navigation")[0]?.requestStart ?? 0; // when this page was asked for
let source = null, ids = new Set(), whole = false, timer = 0, generation = null, sleep = 0, lost = 0, busy = false;
const changed = () => document.dispatchEvent(new CustomEvent("footy:changed"));
const news = document.getElementById("news");

// update makes a change in place and points out goals that were not there before.
function update(change) {
  const known = new Set([...document.querySelectorAll("#day .goal")].map((g) => g.id));
  inPlace(() => { change(); changed(); });
  const fresh = [...document.querySelectorAll("#day .goal")].filter((g) => !known.has(g.id));
  if (!fresh.length) return;
  for (const g of fresh) { g.dataset.localFresh = ""; setTimeout(() => { delete g.dataset.localFresh; }, 8000); }
  // Read out for those who do not see it; never to those who do not want to know.
  if (!("spoilers" in document.documentElement.dataset)) news.textContent = fresh.map((g) => t("Goal: %s", g.dataset.title + ", " + g.dataset.sub)).join(". ");
}

// A template, no DOMParser: Chromium never lets go of a document of its that has a video, and each refresh would leave one behind.
function parse(text) { const t = document.createElement("template"); t.innerHTML = text; t.content.querySelectorAll("noscript").forEach((n) => n.remove()); return t.content; }

async function fetchPage(url) {
  const res = await fetch(url, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(30000) });
  // A removed goal answers 410 with a page that says why: that page is the news.
  if (!res.ok && res.status !== 410) throw new Error(String(res.status));
  return parse(await res.text());
}

// here is this page's address, with what a video under way asks to keep: the server knows whether it may still be seen.
function here() {
  const asked = new URLSearchParams(location.search);
  for (const film of document.querySelectorAll("video[data-ask]")) {
    if (film.currentTime > 0 && !film.ended) for (const [name, value] of new URLSearchParams(film.dataset.ask)) asked.set(name, value);
  }
  return location.pathname + (asked.size ? "?" + asked : "");
}

async function refreshWhole() {
  const doc = await fetchPage(here());
  const next = doc.getElementById("main");
  if (!next) return;
  const title = doc.querySelector("title");
  if (title) document.title = title.textContent;
  update(() => morph(main, next));
}

async function refreshFixtures(list) {
  const doc = await fetchPage(base + "/part/fixtures?ids=" + list.join(","));
  const parts = [...doc.querySelectorAll("article.fixture")];
  update(() => {
    for (const part of parts) { const have = document.getElementById(part.id); if (have?.dataset.phase !== part.dataset.phase) { whole = true; soon(); } else if (have) morph(have, part); }
  });
}

// run asks for what changed. One follows the other: an answer that was asked for earlier never comes over a later one.
async function run() {
  timer = 0;
  if (busy || away()) return; // done when the one before has ended, or the reader looks again
  const list = [...ids], all = whole;
  ids = new Set(); whole = false; busy = true;
  try {
    if (all) { await refreshWhole(); return; }
    const onPage = list.filter((id) => document.getElementById("f-" + id));
    if (onPage.length !== list.length && document.querySelector("[data-day]")) { await refreshWhole(); return; }
    for (let i = 0; i < onPage.length; i += 50) await refreshFixtures(onPage.slice(i, i + 50));
  } catch {
    list.forEach((id) => ids.add(id)); whole = whole || all;
    if (!timer) timer = setTimeout(run, 5000);
  } finally {
    busy = false;
    if (ids.size || whole) soon();
  }
}

// A short wait gathers what one poll changes; the random part keeps 500 readers from asking in the same instant.
function soon() { if (!timer) timer = setTimeout(run, 80 + Math.random() * 220); }

// note looks up what of the page a change is about. data-live names what the page shows all of: "health", "whole" (all that is about matches), "fixture:5001".
function note(n) {
  const shows = document.querySelector("[data-live]")?.dataset.live.split(" ") ?? [], list = n.ids ?? [], about = !["health", "page"].includes(n.entity);
  if (n.entity === "health") alarm();
  const here = n.entity === "page" && list.includes(location.pathname.slice(base.length));
  if (here || n.entity === "all" || shows.includes(n.entity) || (about && shows.includes("whole")) || list.some((id) => shows.includes(n.entity + ":" + id))) whole = true;
  else if (about && document.getElementById("day")) {
    const day = document.querySelector("[data-day]"), fixtures = list.map((id) => n.entity === "fixture" ? id : document.getElementById("e-" + id)?.closest(".fixture").dataset.fixture);
    fixtures.filter((id) => id && (day || document.getElementById("f-" + id))).forEach((id) => ids.add(id));
  }
  if (whole || ids.size) soon();
}

let heard = Date.now();
function hear() { heard = Date.now(); set("heard", heard); }
const since = () => new Date(heard).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short", hour12, timeZone: get("zone") || undefined });

function say(text) { net.hidden = !text; net.textContent = text; }

function connect() {
  if (source) return;
  source = new EventSource(base + "/api/v1/stream");
  source.addEventListener("connected", (e) => {
    const d = JSON.parse(e.data);
    clearTimeout(lost); lost = 0; say(""); hear();
    document.documentElement.dataset.stream = "on";
    // Whatever was missed meanwhile: since the last connection, or between the drawing of this page and its first one.
    if (generation !== null || d.quiet_ms < performance.now() - asked + 1000) { whole = true; soon(); }
    generation = d.generation;
    if (d.version !== document.documentElement.dataset.version) say(t("A new version of this page is there. Reload when it suits you."));
  });
  source.addEventListener("invalidate", (e) => { hear(); note(JSON.parse(e.data)); });
  source.addEventListener("heartbeat", hear);
  source.onerror = () => {
    document.documentElement.dataset.stream = "off";
    if (!lost) lost = setTimeout(() => say(navigator.onLine === false ? t("You are offline. This page shows how things stood at %s.", since()) : t("Connection lost. This page shows how things stood at %s. Trying again …", since())), 1500);
    if (source && source.readyState === EventSource.CLOSED) { source.close(); source = null; setTimeout(connect, 3000); }
  };
}

// Trouble anywhere shows on the way to Health, so that people know why clips do not come.
async function alarm() {
  try {
    const res = await fetch(base + "/api/v1/health");
    if (!res.ok) return;
    const h = await res.json(), wrong = h.components.filter((c) => c.state === "down" || c.state === "degraded");
    for (const dot of document.querySelectorAll(".alarm")) {
      dot.hidden = !wrong.length;
      dot.parentNode.title = wrong.filter((c) => c.reason).map((c) => c.name + ": " + c.reason).join("\n"); // which operators alone are told
    }
  } catch { /* the lost connection is told elsewhere */ }
}

function disconnect() { if (source) { source.close(); source = null; document.documentElement.dataset.stream = "off"; } }

// Out of sight is a page that nobody sees a video of either.
const away = () => document.hidden && !document.pictureInPictureElement && document.getElementById("tv-video")?.remote?.state !== "connected";

export function start() {
  if (!document.querySelector("#day, [data-live]")) return;
  connect();
  alarm();
  setInterval(() => { if (!document.hidden) alarm(); }, 60000 + Math.random() * 20000);
  document.addEventListener("visibilitychange", () => {
    clearTimeout(sleep);
    if (away()) { sleep = setTimeout(disconnect, 60000); return; } // browsers allow six streams per site
    connect();
    if (ids.size || whole) soon();
  });
  // A page that is kept for the back button would keep its stream, too: the seventh page within a minute waited for the first.
  addEventListener("pagehide", disconnect);
  addEventListener("pageshow", (e) => { if (e.persisted) connect(); });
  addEventListener("online", () => { whole = true; soon(); });
  // What is being made may fail without anybody telling.
  setInterval(() => { if (document.querySelector("[data-making]") && !document.hidden) { whole = true; soon(); } }, 5000);
  // Without a stream (a proxy that swallows it) the page still moves.
  setInterval(() => { if (document.documentElement.dataset.stream !== "on" && !document.hidden) { whole = true; soon(); } }, 30000);
}
