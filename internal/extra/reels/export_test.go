package reels

// IDByName finds a team or a competition of a day.
var IDByName = idByName
