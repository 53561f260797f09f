// Where the page is mounted on its host: "" at the root, else a path like /footy.
export const base = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

const words = window.footyWords || {}, forms = new Intl.PluralRules(document.documentElement.lang || "en");
// A sentence of the catalogue (internal/tell/words) in the page's language; its first argument chooses the plural.
export function t(key, ...args) {
  const entry = words[key] ?? key, text = entry.other ? entry[forms.select(args[0])] ?? entry.other : entry;
  let next = 0;
  return text.replace(/%(?:\[(\d)\])?[ds]/g, (_, n) => args[n ? n - 1 : next++]);
}
