// Where the page is mounted on its host: "" at the root, else a path like /footy.
export const base = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
