import * as prefs from "./prefs.js";
import * as player from "./player.js";
import * as clock from "./clock.js";
import * as live from "./live.js";

for (const part of [prefs, player, clock, live]) part.start();
