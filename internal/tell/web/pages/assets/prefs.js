// What a reader chose: colours, zone, spoilers, favourites, filters. Kept in this browser only.
import { get, set } from "./base.js";
const $ = (id) => document.getElementById(id);
const root = document.documentElement;
let favourites = new Set(get("favourites").split(",").filter(Boolean));
let filter = { show: get("show"), league: get("league") };
// remember tells the server by a cookie what it draws in its place: the zone and the language of a page, whose matches come first.
const remember = (name, value) => { document.cookie = name + "=" + value + "; path=/; max-age=" + (value ? 31536000 : 0) + "; samesite=lax"; };
const mine = (el) => el.dataset.teams.trim().split(" ").some((t) => favourites.has(t));

function apply() {
  for (const b of document.querySelectorAll("button.fav")) {
    b.setAttribute("aria-pressed", favourites.has(b.dataset.team));
  }
  for (const r of document.querySelectorAll(".fixture .row")) r.toggleAttribute("data-local-mine", favourites.has(r.dataset.team));
  const form = $("filters");
  if (!form || new URLSearchParams(location.search).has("match")) { if (form) form.hidden = true; return; } // a programme of one match
  const league = $("pick-league");
  // A competition chosen on another day may not play today: then it does not restrict.
  const pick = [...league.options].some((o) => o.value === filter.league) ? filter.league : "";
  league.value = pick;
  for (const b of form.querySelectorAll("[data-show]")) b.setAttribute("aria-pressed", b.dataset.show === filter.show);
  let any = false;
  for (const f of document.querySelectorAll(".fixture, .gcard, .vcard, .programme li")) {
    const ok = (!pick || f.dataset.league === pick) && (filter.show !== "fav" || mine(f) || favourites.has("l" + f.dataset.league));
    f.toggleAttribute("data-local-out", !ok); any = any || ok;
  }
  for (const c of document.querySelectorAll(".competition")) c.toggleAttribute("data-local-out", !c.querySelector(".fixture:not([data-local-out])"));
  if ($("nomatch")) $("nomatch").hidden = any;
  if ($("nofav")) { $("nofav").hidden = filter.show !== "fav" || favourites.size > 0; $("nofit").hidden = !$("nofav").hidden; }
  document.dispatchEvent(new CustomEvent("footy:filtered"));
}

function veil(on) {
  set("spoilers", on ? "1" : "");
  if (on) root.dataset.spoilers = ""; else delete root.dataset.spoilers;
  $("veiler").setAttribute("aria-pressed", on);
  if ($("set-spoilers")) $("set-spoilers").checked = on;
}

function settings() {
  const theme = $("set-theme");
  $("set-spoilers").addEventListener("change", (e) => veil(e.target.checked));
  for (const box of document.querySelectorAll("[data-set]")) {
    box.checked = get(box.dataset.set) !== box.dataset.off;
    box.addEventListener("change", () => set(box.dataset.set, box.checked ? "" : box.dataset.off));
  }
  theme.value = get("theme");
  theme.addEventListener("change", () => { set("theme", theme.value); if (theme.value) root.dataset.theme = theme.value; else delete root.dataset.theme; });
  for (const z of Intl.supportedValuesOf?.("timeZone") || []) $("set-zone").add(new Option(z.replace(/_/g, " "), z));
  // What the server draws, it learns from a cookie.
  for (const [name, cookie, standard] of [["lang", "lang", ""], ["clock", "clock", ""], ["zone", "tz", Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"]]) {
    const select = $("set-" + name);
    select.value = get(name);
    select.addEventListener("change", () => { set(name, select.value); remember(cookie, select.value || standard); location.reload(); });
  }
}

export function start() {
  if ($("set-theme")) settings();
  veil("spoilers" in root.dataset);
  remember("favourites", [...favourites].join(","));
  document.addEventListener("click", (e) => {
    const fav = e.target.closest("button.fav"), show = e.target.closest("[data-show]"), reveal = e.target.closest("[data-reveal]");
    if (fav) {
      const id = fav.dataset.team;
      if (favourites.has(id)) favourites.delete(id); else favourites.add(id);
      set("favourites", [...favourites].join(",")); remember("favourites", get("favourites"));
      document.dispatchEvent(new CustomEvent("footy:favourites"));
      apply();
    } else if (show) { filter.show = show.dataset.show; set("show", filter.show); apply(); }
    else if (reveal) { const f = reveal.closest("[data-veil]"); f.dataset.localShown = ""; f.querySelector(".board, .who a, h1, .spoil-all a")?.focus(); }
    else if (e.target.closest("#veiler, [data-veil-off]")) veil(!("spoilers" in root.dataset));
    else if (e.target.id === "clear-filters") { filter = { show: "", league: "" }; set("show", ""); set("league", ""); apply(); }
  });
  document.addEventListener("change", (e) => { if (e.target.id === "pick-league") { filter.league = e.target.value; set("league", filter.league); apply(); } });
  document.addEventListener("submit", (e) => {
    if (e.target.id === "filters") e.preventDefault();
    const ask = e.target.dataset.confirm;
    if (ask && !confirm(ask)) e.preventDefault();
  });
  document.addEventListener("footy:changed", apply);
  apply();
}
