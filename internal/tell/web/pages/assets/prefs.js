// What a reader chose: colours, zone, spoilers, favourites, filters. Kept in this browser only.
const $ = (id) => document.getElementById(id);
const get = (k) => { try { return localStorage.getItem(k) || ""; } catch { return ""; } };
const set = (k, v) => { try { if (v) localStorage.setItem(k, v); else localStorage.removeItem(k); } catch { /* private mode */ } };
const root = document.documentElement;
const fold = (s) => s.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

let favourites = new Set(get("favourites").split(",").filter(Boolean));
let filter = { show: get("show"), league: get("league"), team: "" };

function apply() {
  for (const b of document.querySelectorAll("button.fav")) {
    b.setAttribute("aria-pressed", favourites.has(b.dataset.team));
  }
  const form = $("filters");
  if (!form) return;
  const league = $("pick-league");
  // A competition chosen on another day may not play today: then it does not restrict.
  const pick = [...league.options].some((o) => o.value === filter.league) ? filter.league : "";
  league.value = pick;
  for (const b of form.querySelectorAll("[data-show]")) b.setAttribute("aria-pressed", b.dataset.show === filter.show);
  const words = fold(filter.team).split(/\s+/).filter(Boolean);
  let any = false;
  for (const c of document.querySelectorAll(".competition")) {
    let shown = false;
    for (const f of c.querySelectorAll(".fixture")) {
      const teams = f.dataset.teams.split(" "), text = fold(f.dataset.words);
      const ok = (!pick || f.dataset.league === pick) && words.every((w) => text.includes(w)) &&
        (filter.show !== "live" || f.dataset.phase === "live") && (filter.show !== "clips" || f.querySelector(".clip")) &&
        (filter.show !== "fav" || teams.some((t) => favourites.has(t)) || favourites.has("l" + f.dataset.league));
      f.hidden = !ok; shown = shown || ok;
    }
    c.hidden = !shown; any = any || shown;
  }
  $("nomatch").hidden = any;
  $("nofav").hidden = filter.show !== "fav" || favourites.size > 0; $("nofit").hidden = !$("nofav").hidden;
}

function settings() {
  const open = $("open-settings"), dialog = $("settings"), theme = $("set-theme"), zone = $("set-zone"), language = $("set-language"), spoilers = $("set-spoilers");
  open.addEventListener("click", () => {
    theme.value = get("theme"); spoilers.checked = !!get("spoilers");
    if (zone.options.length < 3) for (const z of Intl.supportedValuesOf?.("timeZone") || []) zone.add(new Option(z.replace(/_/g, " "), z));
    zone.value = get("zone"); language.value = get("lang");
    dialog.showModal();
  });
  theme.addEventListener("change", () => { set("theme", theme.value); if (theme.value) root.dataset.theme = theme.value; else delete root.dataset.theme; });
  spoilers.addEventListener("change", () => {
    set("spoilers", spoilers.checked ? "1" : "");
    if (spoilers.checked) root.dataset.spoilers = ""; else delete root.dataset.spoilers;
  });
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
  settings();
  document.addEventListener("click", (e) => {
    const fav = e.target.closest("button.fav"), show = e.target.closest("[data-show]"), reveal = e.target.closest("[data-reveal]");
    if (fav) {
      const id = fav.dataset.team;
      if (favourites.has(id)) favourites.delete(id); else favourites.add(id);
      set("favourites", [...favourites].join(","));
      document.dispatchEvent(new CustomEvent("footy:favourites"));
      apply();
    } else if (show) { filter.show = show.dataset.show; set("show", filter.show); apply(); }
    else if (reveal) { const f = reveal.closest("[data-veil]"); f.dataset.localShown = ""; f.querySelector("details.goals > summary, .who a, h1, .spoil-all a")?.focus(); }
    else if (e.target.id === "clear-filters") { filter = { show: "", league: "", team: "" }; set("show", ""); set("league", ""); $("pick-team").value = ""; apply(); }
  });
  document.addEventListener("change", (e) => { if (e.target.id === "pick-league") { filter.league = e.target.value; set("league", filter.league); apply(); } });
  document.addEventListener("input", (e) => { if (e.target.id === "pick-team") { filter.team = e.target.value; apply(); } });
  document.addEventListener("submit", (e) => {
    if (e.target.id === "filters") e.preventDefault();
    const ask = e.target.dataset.confirm;
    if (ask && !confirm(ask)) e.preventDefault();
  });
  document.addEventListener("footy:changed", apply);
  apply();
}
