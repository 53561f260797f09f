// The bell: only a reader who opens the dialog, or has notifications on, needs push.js.
const push = () => import("./push.js");
document.getElementById("open-push").addEventListener("click", () => push().then((p) => p.open()));
const on = () => { try { return localStorage.getItem("push") === "on"; } catch { return false; } };
if (on()) push().then((p) => p.bell());
document.addEventListener("footy:favourites", () => { if (on()) push().then((p) => p.changed()).catch((e) => console.warn("notifications: " + e.message)); });
