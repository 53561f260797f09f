package dedup

import (
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/phash"
)

// TakenDown finds the takedown that covers a content, by its bytes or, however it was re-encoded, by its picture; nil if none
// does. how says what it was recognised by.
func TakenDown(stones []footy.Tombstone, digest string, print footy.Fingerprint) (stone *footy.Tombstone, how string) {
	for i, t := range stones {
		if t.Digest == digest && digest != "" {
			return &stones[i], "the very same file"
		}
	}
	if print.Empty() {
		return nil, ""
	}
	for i, t := range stones {
		if t.Fingerprint.Empty() {
			continue
		}
		if m := phash.Compare(t.Fingerprint, print); m.Same {
			return &stones[i], m.Reason
		}
	}
	return nil, ""
}
