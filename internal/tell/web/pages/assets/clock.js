// minute counts a match's clock on between answers of the feed, which the server says nothing of: 44', 45', 45+1'.
function minute(clock, now) {
  const [began, lasts, regular] = clock.dataset.clock.split(" ").map(Number);
  const m = Math.min(Math.floor((now - began) / lasts), regular + 20), text = m > regular ? regular + "+" + (m - regular) + "'" : m + "'";
  if (m > 0 && clock.textContent !== text) clock.textContent = text;
}
// A match that nobody told about since its kick-off is not left standing as if it were to come.
function tick() {
  const now = Date.now();
  document.querySelectorAll("[data-clock]").forEach((c) => minute(c, now));
  for (const t of document.querySelectorAll("time[data-late]")) if (Date.parse(t.dateTime) < now && !t.textContent.startsWith(t.dataset.late)) t.textContent = t.dataset.late + " " + t.textContent;
}
export function start() { tick(); setInterval(tick, 1000); document.addEventListener("footy:changed", tick); }
