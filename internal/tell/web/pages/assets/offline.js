// The page that stands for any other while the network or the server is away. It knows no score; it says since when, and leaves by itself.
import { base, get, hour12 } from "./base.js";
const last = Number(get("heard")), since = document.getElementById("offline-since");

since.hidden = !last;
since.querySelector("time").textContent = new Date(last).toLocaleString(document.documentElement.lang, { timeStyle: "short", dateStyle: "medium", hour12, timeZone: get("zone") || undefined });

async function again() {
  const res = await fetch(base + "/healthz", { cache: "no-store" }).catch(() => null);
  if (!res?.ok) return;
  if (location.pathname === base + "/offline") location.replace(base + "/"); else location.reload();
}
again();
setInterval(again, 5000);
addEventListener("online", again);
