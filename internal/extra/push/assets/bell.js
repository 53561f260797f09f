// The bell: only a reader who opens the dialog, or has notifications on, needs push.js.
import { get } from "./base.js";
const push = () => import("./push.js");
document.addEventListener("click", (e) => { if (e.target.closest("#open-push, [data-push]")) push().then((p) => p.open()); });
const on = () => get("push") === "on";
if (on()) push().then((p) => p.bell());
document.addEventListener("footy:favourites", () => { if (on()) push().then((p) => p.changed()).catch((e) => console.warn("notifications: " + e.message)); });
