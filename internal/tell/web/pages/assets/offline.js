// The page that stands for any other while the network or the server is away. It knows no score; it says since when, and leaves by itself.
import { base, get, hour12 } from "./base.js";
const last = Number(get("heard"));
const language = document.documentElement.lang;

function show() {
  const why = document.getElementById("offline-why");
  why.textContent = navigator.onLine === false ? why.dataset.alone : why.dataset.down;
  const since = document.getElementById("offline-since");
  since.hidden = !last;
  if (!last) return;
  const at = new Date(last), zone = { timeZone: get("zone") || undefined };
  const today = new Date().toLocaleDateString(language, zone) === at.toLocaleDateString(language, zone);
  since.querySelector("time").dateTime = at.toISOString();
  since.querySelector("time").textContent = at.toLocaleString(language, { ...zone, timeStyle: "short", hour12, dateStyle: today ? undefined : "medium" });
}

async function again() {
  const res = await fetch(base + "/healthz", { cache: "no-store" }).catch(() => null);
  if (!res?.ok) return;
  if (location.pathname === base + "/offline") location.replace(base + "/"); else location.reload();
}

show();
again();
setInterval(() => { show(); again(); }, 5000);
addEventListener("online", () => { show(); again(); });
addEventListener("offline", show);
document.getElementById("offline-again").addEventListener("click", () => location.reload());
