package dedup

import (
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// TakenDown finds the tombstone of a content: the same bytes, or the same picture however it was encoded; nil if there is none.
func TakenDown(tombstones []footy.Tombstone, digest string, print footy.Fingerprint) *footy.Tombstone {
	for i, t := range tombstones {
		if t.Digest == digest && digest != "" {
			return &tombstones[i]
		}
	}
	if print.Empty() {
		return nil
	}
	for i, t := range tombstones {
		if t.Fingerprint.Empty() {
			continue
		}
		if phash.Compare(t.Fingerprint, print).Same {
			return &tombstones[i]
		}
	}
	return nil
}
