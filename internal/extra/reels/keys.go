package reels

import (
	"context"
	"encoding/json"

	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

// Prefix is where reels lie. All of them can be made again.
const Prefix = "reels/"

// MadePrefix is where each reel has its directory.
const MadePrefix = Prefix + "made/"

// Names of what is kept of a reel.
const (
	FilmFile   = "reel.mp4"
	PosterFile = "poster.jpg"
	RecordFile = "reel.json" // written last: without it there is no reel
	// WatchedFile is empty. The time of its writing is when the reel was watched last.
	WatchedFile = "watched"
)

// Key is where a part of a reel lies.
func Key(reel, name string) string { return MadePrefix + reel + "/" + name }

// recordOf reads the record of a reel that was made; not found if there is none of this key.
func recordOf(ctx context.Context, b blob.Store, key string) (r rule.Record, err error) {
	o, err := b.Open(ctx, Key(key, RecordFile))
	if err != nil {
		return r, err
	}
	defer func() { _ = o.Close() }()
	if err := json.NewDecoder(o).Decode(&r); err != nil {
		return r, footy.Errorf(footy.CodeUnavailable, "read the record of a reel", "%w", err)
	}
	return r, nil
}
