package blob

import (
	"path"
	"strings"
)

// StillKey is where the small picture of a downloaded post lies: beside the posters of its goal, and gone with them.
func StillKey(eventUID, digest string) string {
	return PosterPrefix + eventUID + "/still-" + digest + ".jpg"
}

// FootageKey is where it lies by what a downloaded post's footage is recognised, beside its still.
func FootageKey(eventUID, digest string) string {
	return PosterPrefix + eventUID + "/footage-" + digest + ".json"
}

// ClockKey is where the picture of a downloaded post's running clock lies, beside its still.
func ClockKey(eventUID, digest string) string {
	return PosterPrefix + eventUID + "/clock-" + digest + ".jpg"
}

// Traces are the objects that are kept of a downloaded post beside the posters of its goal; not each of them need be there.
func Traces(eventUID, digest string) []string {
	return []string{StillKey(eventUID, digest), FootageKey(eventUID, digest), ClockKey(eventUID, digest)}
}

// DigestOf is the digest of the file that an object beside the posters of a goal was made from.
func DigestOf(key string) string {
	name := strings.TrimSuffix(path.Base(key), path.Ext(key))
	for _, kind := range []string{"still-", "footage-", "clock-"} {
		name = strings.TrimPrefix(name, kind)
	}
	return name
}
