package blob

import (
	"context"
	"encoding/json"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
)

// ReelPrefix is where reels lie. All of them can be made again.
const ReelPrefix = "reels/"

// MadePrefix is where each reel has its directory.
const MadePrefix = ReelPrefix + "made/"

// Names of what is kept of a reel.
const (
	ReelFilm   = "reel.mp4"
	ReelPoster = "poster.jpg"
	ReelRecord = "reel.json" // written last: without it there is no reel
	// ReelWatched is empty. When it was written tells a sweep that the reel is watched.
	ReelWatched = "watched"
)

// ReelKey is where a part of a reel lies.
func ReelKey(reel, name string) string { return MadePrefix + reel + "/" + name }

// Reel reads the record of a reel that was made; not found if there is none of this key.
func Reel(ctx context.Context, b Store, key string) (r reel.Record, err error) {
	o, err := b.Open(ctx, ReelKey(key, ReelRecord))
	if err != nil {
		return r, err
	}
	defer func() { _ = o.Close() }()
	if err := json.NewDecoder(o).Decode(&r); err != nil {
		return r, footy.Errorf(footy.CodeUnavailable, "read the record of a reel", "%w", err)
	}
	return r, nil
}
