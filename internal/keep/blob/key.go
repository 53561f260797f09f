package blob

import (
	"cmp"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/found-footy/found-footy/internal/footy"
)

// Limits that every adapter keeps, so that what one accepts another can take over.
const (
	maxKey      = 1024 // bytes, S3
	maxSegment  = 200  // bytes, file systems allow 255 and adapters add a little
	maxMetadata = 2048 // bytes once encoded, S3
)

// CheckKey refuses keys that could leave the store or that one of the adapters cannot hold.
func CheckKey(op, key string) error {
	bad := !fs.ValidPath(key) || key == "." || len(key) > maxKey || strings.ContainsAny(key, "\\\x00") || !utf8.ValidString(key)
	for segment := range strings.SplitSeq(key, "/") {
		bad = bad || strings.HasPrefix(segment, ".") || len(segment) > maxSegment
	}
	if bad {
		return footy.Errorf(footy.CodeInvalid, op, "key %q is not a plain relative path without hidden parts", key)
	}
	return nil
}

// CheckPut refuses an object that cannot be stored.
func CheckPut(op, key string, info Info) error {
	return cmp.Or(CheckKey(op, key), checkInfo(op, info))
}

// CheckCopy refuses keys and words of a copy that cannot be stored.
func CheckCopy(op, from, to string, info Info) error {
	return cmp.Or(CheckKey(op, from), CheckPut(op, to, info))
}

// checkInfo refuses what cannot travel with an object: metadata keys become HTTP header names.
func checkInfo(op string, info Info) error {
	size := 0
	for k, v := range info.Metadata {
		if k == "" || strings.Trim(k, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return footy.Errorf(footy.CodeInvalid, op, "metadata key %q may hold only a-z, 0-9, - and _", k)
		}
		if !utf8.ValidString(v) {
			return footy.Errorf(footy.CodeInvalid, op, "metadata %s is not UTF-8", k)
		}
		size += len(k) + len(EncodeMetadata(v))
	}
	if size > maxMetadata {
		return footy.Errorf(footy.CodeInvalid, op, "metadata takes %d bytes encoded, %d are allowed", size, maxMetadata)
	}
	return nil
}

// EncodeMetadata writes UTF-8 as the ASCII that HTTP headers allow: percent-encoded.
func EncodeMetadata(value string) string { return url.PathEscape(value) }

// DecodeMetadata undoes EncodeMetadata; what somebody else wrote plainly stays as it is.
func DecodeMetadata(value string) string {
	if plain, err := url.PathUnescape(value); err == nil {
		return plain
	}
	return value
}

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
