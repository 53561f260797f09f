// Where the page is mounted on its host: "" at the root, else a path like /footy.
export const base = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

const words = window.footyWords || {}, forms = new Intl.PluralRules(document.documentElement.lang || "en");
// A sentence of the catalogue (internal/tell/words) in the page's language; its first argument chooses the plural.
export function t(key, ...args) {
  const entry = words[key] ?? key, text = entry.other ? entry[forms.select(args[0])] ?? entry.other : entry;
  let next = 0;
  return text.replace(/%(?:\[(\d)\])?[ds]/g, (_, n) => args[n ? n - 1 : next++]);
}

// Whether hours are those of a.m. and p.m.
export const hour12 = document.documentElement.dataset.hours === "12";

// What the reader chose is kept in this browser, where it lets itself be kept.
export const get = (k) => { try { return localStorage.getItem(k) || ""; } catch { return ""; } };
export const set = (k, v) => { try { if (v === "") localStorage.removeItem(k); else localStorage.setItem(k, v); } catch { /* private mode */ } };
// free reports whether a key is the page's: no shortcut of the browser, nothing typed, no dialog over the page.
export const free = (e) => !(e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || document.querySelector("dialog[open], :popover-open") || e.target.closest("input, select, textarea, video[controls]"));
