// minute counts a match's clock on between answers of the feed, which the server says nothing of: 44', 45', 45+1'.
function minute(clock, now) {
  const [began, lasts, regular] = clock.dataset.clock.split(" ").map(Number);
  const m = Math.min(Math.floor((now - began) / lasts), regular + 20), text = m > regular ? regular + "+" + (m - regular) + "'" : m + "'";
  if (m > 0 && clock.textContent !== text) clock.textContent = text;
}
// Countdown to kick-off in the last day before it. A match that nobody told about since is not left standing as if it were to come.
function tick() {
  const now = Date.now();
  document.querySelectorAll("[data-clock]").forEach((c) => minute(c, now));
  for (const t of document.querySelectorAll("time[data-count]")) {
    const left = Math.ceil((Date.parse(t.dateTime) - now) / 60000);
    if (left > 24 * 60 || Number.isNaN(left)) continue;
    const h = Math.floor(left / 60), m = left % 60;
    t.textContent = left <= -5 ? "Kick-off was due " + t.dataset.count + ", no news yet" : left <= 0 ? "Kick-off due" : h ? "in " + h + " h " + m + " min" : "in " + m + " min";
  }
}
export function start() { tick(); setInterval(tick, 1000); document.addEventListener("footy:changed", tick); }
