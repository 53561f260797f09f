package footy

// ClipPath is the stable web path of a clip's bytes. It names the event by uid, which never changes, so that a
// corrected scorer breaks no link.
func ClipPath(eventUID, clipID string) string { return "/v/" + eventUID + "/" + clipID + ".mp4" }

// PosterPath is the stable web path of a clip's still picture.
func PosterPath(eventUID, clipID string) string { return "/p/" + eventUID + "/" + clipID + ".jpg" }

// GoalPath is the page of an event under the id it has now; pages of earlier ids redirect there.
func GoalPath(eventID string) string { return "/g/" + eventID }
