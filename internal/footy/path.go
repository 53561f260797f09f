package footy

import "path"

// VideoKind is the extension of a stored video's name and path: ".webm" of a WebM file, ".mp4" of all others.
func VideoKind(key string) string {
	if kind := path.Ext(key); kind == ".webm" {
		return kind
	}
	return ".mp4"
}

// VideoType is the content type of a stored video.
func VideoType(key string) string { return "video/" + VideoKind(key)[1:] }

// ClipPath is the stable web path of a clip's bytes, which are stored under key. It names the event by uid, which never changes, so that a
// corrected scorer breaks no link.
func ClipPath(eventUID, clipID, key string) string {
	return "/v/" + eventUID + "/" + clipID + VideoKind(key)
}

// PosterPath is the stable web path of a clip's still picture.
func PosterPath(eventUID, clipID string) string { return "/p/" + eventUID + "/" + clipID + ".jpg" }

// StillPath is the web path of the still picture kept of a post.
func StillPath(eventUID, postID string) string { return "/p/" + eventUID + "/post/" + postID + ".jpg" }

// ClockPath is the web path of the picture of what was read of a post's running clock.
func ClockPath(eventUID, postID string) string {
	return "/p/" + eventUID + "/post/" + postID + "-clock.jpg"
}

// GoalPath is the page of an event under the id it has now; pages of earlier ids redirect there.
func GoalPath(eventID string) string { return "/g/" + eventID }
