package blob

// StillKey is where the small picture of a downloaded post lies: beside the posters of its goal, and gone with them.
func StillKey(eventUID, digest string) string {
	return PosterPrefix + eventUID + "/still-" + digest + ".jpg"
}
