// The service worker: it keeps the shell, never a page that tells of a match. What tells of matches comes from the network or not at all.
const version = "@version@", shell = "shell-" + version, offline = "@base@/offline";
const files = ["app.css", "boot.js", "offline.js", "base.js", "icon.svg"].map((name) => "@base@/assets/" + version + "/" + name);

self.addEventListener("install", (e) => {
  self.skipWaiting();
  // Without the cookies of whoever is signed in: the page of no network is the same for everybody.
  e.waitUntil(caches.open(shell).then((kept) => Promise.all([offline, ...files].map(async (path) => {
    const res = await fetch(path, { cache: "no-cache", credentials: "omit" });
    if (!res.ok) throw new Error(path + ": " + res.status);
    await kept.put(path, res);
  }))));
});

self.addEventListener("activate", (e) => {
  e.waitUntil(caches.keys().then((all) => Promise.all(all.filter((name) => name.startsWith("shell-") && name !== shell).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (e) => {
  const r = e.request, path = new URL(r.url).pathname;
  if (r.method !== "GET" || !r.url.startsWith(self.location.origin + "/")) return;
  if (r.mode === "navigate" && r.destination === "document") {
    // "Back" would take an old page from the browser's own cache without asking.
    e.respondWith(fetch(r, { cache: "no-cache" }).catch(async (err) => (await caches.match(offline)) || Promise.reject(err)));
  } else if (files.includes(path)) {
    e.respondWith(caches.match(path).then((kept) => kept || fetch(r)));
  }
});
