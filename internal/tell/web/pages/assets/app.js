import { base, set } from "./base.js";
import * as prefs from "./prefs.js";
import * as clock from "./clock.js";
import * as day from "./day.js";
import * as feed from "./feed.js";
import * as live from "./live.js";

// Only the page that plays a programme needs this.
if (document.getElementById("programme")) import("./watch.js").then((watch) => watch.start());
for (const part of [prefs, clock, day, feed, live]) part.start();

// What the page of no network says: when the server was last heard of. This page came from it just now.
set("heard", Date.now());
// Keeps the shell and shows an honest page when there is no network. Only where the browser trusts the address: https, or this machine.
navigator.serviceWorker?.register(base + "/sw.js").catch((e) => console.warn("no service worker: " + e.message));

// A page that waits for the process to start anew goes on, or says so, once /setup answers: while it restarts it is not available.
for (const at of document.querySelectorAll("[data-await]")) {
  const again = setInterval(async () => {
    const res = await fetch(base + "/setup", { cache: "no-store" }).catch(() => null);
    if (!res || res.status === 503) return;
    clearInterval(again);
    const stopped = (await res.text()).includes('id="stopped"');
    if (stopped || at.dataset.await) location.assign(stopped ? base + "/setup" : at.dataset.await);
    else at.textContent = at.dataset.runs;
  }, 500);
}
