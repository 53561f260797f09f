// Runs before the first paint: what the reader chose must not flash in afterwards.
(() => {
  const root = document.documentElement;
  root.dataset.js = ""; // what needs a script has its place from the first paint: nothing jumps when the script comes
  const get = (k) => { try { return localStorage.getItem(k) || ""; } catch { return ""; } };
  if (get("theme")) root.dataset.theme = get("theme");
  if (get("spoilers")) root.dataset.spoilers = "";
  // The server renders times and day borders in the reader's zone; it learns the zone from a cookie.
  let zone = get("zone");
  try { zone = zone || Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"; } catch { zone = zone || "UTC"; }
  const asked = new URLSearchParams(location.search).has("tz");
  const told = (document.cookie.match(/(?:^|; )tz=([^;]*)/)?.[1] || "UTC").replaceAll("%2F", "/"); // the page names an offset that several zones share
  if (!asked && root.dataset.zone && zone !== told) {
    let tried = "";
    try { tried = sessionStorage.getItem("zone-tried"); sessionStorage.setItem("zone-tried", zone); } catch { tried = zone; }
    document.cookie = "tz=" + zone + "; path=/; max-age=31536000; samesite=lax";
    if (tried !== zone) location.reload(); // once: a zone the server does not know must not reload for ever
  }
})();
