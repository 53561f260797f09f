// The pages of a day under the hands of their reader: from goal to goal by key, another day by date.
import { base, free } from "./base.js";
// step goes to the next goal that can be seen, or to the one before; from nowhere, to the first below the head of the page.
function step(by) {
  const goals = [...document.querySelectorAll("#day .goal, .gcard, .rest .goal")].filter((g) => g.checkVisibility());
  let at = goals.findIndex((g) => g.contains(document.activeElement));
  if (at >= 0) at += by;
  else {
    at = goals.findIndex((g) => g.getBoundingClientRect().bottom > 64);
    if (at < 0) at = goals.length;
    if (by < 0) at--;
  }
  const goal = goals[Math.max(0, Math.min(goals.length - 1, at))];
  if (!goal) return;
  goal.querySelector(".who a, h2 a").focus({ preventScroll: true });
  goal.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
}

function onKey(e) {
  if (!free(e)) return;
  const key = e.key.toLowerCase();
  if (key === "j") step(1);
  else if (key === "k") step(-1);
  else return;
  e.preventDefault();
}

// The arrow keys and each typed figure change a date, too: only Enter and leaving the field mean it then.
function picker(pick) {
  let typed = false;
  const go = () => { if (pick.value >= "2000" && pick.value !== pick.dataset.dayOf) location.assign(base + pick.dataset.of + pick.value); };
  pick.addEventListener("pointerdown", () => { typed = false; });
  pick.addEventListener("keydown", (e) => { typed = true; if (e.key === "Enter") { e.preventDefault(); go(); } });
  pick.addEventListener("change", () => { if (!typed) go(); });
  pick.addEventListener("blur", go);
}

export function start() {
  document.addEventListener("keydown", onKey);
  const pick = document.getElementById("pick-day");
  if (pick) picker(pick);
}
