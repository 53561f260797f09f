package dedup

import (
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/phash"
)

// TakenDown finds the takedown of a content: the same bytes, or the same picture however it was encoded; nil if there is none.
// how says by what it was recognised.
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
