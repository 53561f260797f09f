
self.addEventListener("push", (e) => {
  let m = {};
  try { m = e.data.json(); } catch { /* shown as it is: a push that shows nothing takes the right to push away */ }
  e.waitUntil(self.registration.showNotification(m.title || "Found Footy", {
    body: m.body || "There is news.", tag: m.tag || "news", renotify: !!m.again, timestamp: Date.parse(m.at) || Date.now(), lang: m.lang || "en", dir: "auto",
    icon: "@base@/assets/" + version + "/icon-192.png", badge: "@base@/assets/" + version + "/badge-96.png", data: { url: "@base@" + (m.url || "/") },
  }));
});

self.addEventListener("notificationclick", (e) => {
  e.notification.close();
  const to = new URL(e.notification.data?.url || "@base@/", self.location.origin);
  if (to.origin !== self.location.origin) return;
  e.waitUntil(self.clients.matchAll({ type: "window" }).then((open) => {
    const there = open.find((c) => new URL(c.url).pathname === to.pathname);
    return there ? there.focus() : self.clients.openWindow(to.href);
  }));
});

// A browser that gets another address keeps what it wants to be told.
self.addEventListener("pushsubscriptionchange", (e) => {
  e.waitUntil((async () => {
    const old = e.oldSubscription, key = (await (await fetch("@base@/api/v1/push", { cache: "no-store" })).json()).key;
    const bytes = Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    const sub = e.newSubscription || await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes });
    const { endpoint, keys } = sub.toJSON();
    await fetch("@base@/api/v1/push/device", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ endpoint, keys, replaces: old?.endpoint || "" }) });
  })());
});
