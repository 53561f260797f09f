// What a reader chose: colours, zone, spoilers, favourites, filters. Kept in this browser only.
const $ = (id) => document.getElementById(id);
const get = (k) => { try { return localStorage.getItem(k) || ""; } catch { return ""; } };
const set = (k, v) => { try { if (v) localStorage.setItem(k, v); else localStorage.removeItem(k); } catch { /* private mode */ } };
const root = document.documentElement;
let favourites = new Set(get("favourites").split(",").filter(Boolean));
let filter = { show: get("show"), league: get("league") };
const mine = (el) => el.dataset.teams.trim().split(" ").some((t) => favourites.has(t));

// arrange puts the matches of the reader's teams before all others, and their competitions before those of others.
function arrange(day) {
  if (!day || !favourites.size) return;
  const own = [...day.querySelectorAll(".fixture")].filter(mine), leagues = new Set(own.map((f) => f.dataset.league));
  const live = day.querySelector("[data-key=c-live]"), first = live ? live.nextElementSibling : day.firstElementChild;
  for (const c of day.querySelectorAll(".competition[data-league]")) if (c !== first && (favourites.has("l" + c.dataset.league) || leagues.has(c.dataset.league))) day.insertBefore(c, first);
  if (own.length) {
    const part = $("mine").content.firstElementChild.cloneNode(true);
    part.querySelector(".fixtures").append(...own);
    day.prepend(part);
  }
  for (const c of day.querySelectorAll(".competition")) if (!c.querySelector(".fixture")) c.remove();
}

function apply() {
  for (const b of document.querySelectorAll("button.fav")) {
    b.setAttribute("aria-pressed", favourites.has(b.dataset.team));
  }
  for (const r of document.querySelectorAll(".fixture .row")) r.toggleAttribute("data-local-mine", favourites.has(r.dataset.team));
  const form = $("filters");
  if (!form) return;
  const league = $("pick-league");
  // A competition chosen on another day may not play today: then it does not restrict.
  const pick = [...league.options].some((o) => o.value === filter.league) ? filter.league : "";
  league.value = pick;
  for (const b of form.querySelectorAll("[data-show]")) b.setAttribute("aria-pressed", b.dataset.show === filter.show);
  let any = false;
  for (const f of document.querySelectorAll(".fixture, .gcard, .vcard")) {
    const ok = (!pick || f.dataset.league === pick) && (filter.show !== "fav" || mine(f) || favourites.has("l" + f.dataset.league));
    f.toggleAttribute("data-local-out", !ok); any = any || ok;
  }
  for (const c of document.querySelectorAll(".competition")) c.toggleAttribute("data-local-out", !c.querySelector(".fixture:not([data-local-out])"));
  $("nomatch").hidden = any;
  $("nofav").hidden = filter.show !== "fav" || favourites.size > 0; $("nofit").hidden = !$("nofav").hidden;
  document.dispatchEvent(new CustomEvent("footy:filtered"));
}

function veil(on) {
  set("spoilers", on ? "1" : "");
  if (on) root.dataset.spoilers = ""; else delete root.dataset.spoilers;
  $("veiler").setAttribute("aria-pressed", on);
  if ($("set-spoilers")) $("set-spoilers").checked = on;
}

function settings() {
  const theme = $("set-theme"), zone = $("set-zone"), language = $("set-language"), calendar = $("my-calendar");
  $("set-spoilers").addEventListener("change", (e) => veil(e.target.checked));
  for (const box of document.querySelectorAll("[data-set]")) {
    box.checked = get(box.dataset.set) !== box.dataset.off;
    box.addEventListener("change", () => set(box.dataset.set, box.checked ? "" : box.dataset.off));
  }
  calendar.closest(".set").hidden = !favourites.size;
  calendar.search = "?favourites=" + [...favourites].join(",");
  theme.value = get("theme");
  for (const z of Intl.supportedValuesOf?.("timeZone") || []) zone.add(new Option(z.replace(/_/g, " "), z));
  zone.value = get("zone");
  theme.addEventListener("change", () => { set("theme", theme.value); if (theme.value) root.dataset.theme = theme.value; else delete root.dataset.theme; });
  language.value = get("lang");
  language.addEventListener("change", () => {
    set("lang", language.value);
    document.cookie = "lang=" + language.value + "; path=/; max-age=" + (language.value ? 31536000 : 0) + "; samesite=lax";
    location.reload();
  });
  zone.addEventListener("change", () => {
    set("zone", zone.value);
    document.cookie = "tz=" + (zone.value || Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC") + "; path=/; max-age=31536000; samesite=lax";
    location.reload(); // times and day borders are the server's to draw
  });
}

export function start() {
  if ($("set-theme")) settings();
  veil("spoilers" in root.dataset);
  arrange($("day")); delete root.dataset.favourites;
  document.addEventListener("footy:next", (e) => arrange(e.detail.querySelector("#day")));
  document.addEventListener("click", (e) => {
    const fav = e.target.closest("button.fav"), show = e.target.closest("[data-show]"), reveal = e.target.closest("[data-reveal]");
    if (fav) {
      const id = fav.dataset.team;
      if (favourites.has(id)) favourites.delete(id); else favourites.add(id);
      set("favourites", [...favourites].join(","));
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
