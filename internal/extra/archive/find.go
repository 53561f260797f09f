package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/extra/archive/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/recognize/footage"
	"github.com/found-footy/found-footy/internal/recognize/phash"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Cmd is footy archive.
type Cmd struct {
	Find findCmd `cmd:"" help:"Find the clips in STATE_DIR (or the database that is set) that show the footage of a file."`
}

type findCmd struct {
	File string `arg:"" help:"A video file, or a file with a fingerprint in its dense: form (footy inspect clip facts --text)."`
	command.Output
}

// Run makes the index of all clips first.
func (c findCmd) Run(ctx context.Context, settings config.Config) error {
	docs, err := state.OpenExistingStore(ctx, settings, "archive")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // nothing was written
	print, err := printOf(ctx, media.New(media.Options{FFmpeg: settings.Program.FFmpeg, FFprobe: settings.Program.FFprobe}), c.File)
	if err != nil {
		return err
	}
	index := New(docs, time.Now)
	if err := index.Sync(ctx); err != nil {
		return err
	}
	return c.Print(find(ctx, index, docs, print, config.Own[Settings](settings).Days > 0))
}

// printOf is the fingerprint of a video, or the one that a file has in writing.
func printOf(ctx context.Context, tool *media.Tool, file string) (footy.Fingerprint, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return footy.Fingerprint{}, err
	}
	if text = bytes.TrimSpace(text); bytes.HasPrefix(text, []byte("dense:")) {
		return phash.Parse(string(text))
	}
	probe, err := tool.Probe(ctx, file)
	if err != nil {
		return footy.Fingerprint{}, err
	}
	d, err := tool.Decode(ctx, file, probe, media.Wants{SamplesOnly: true})
	return phash.Build(d.Samples), err
}

// Found is where footage was seen before.
type Found struct {
	Searched int       `json:"searched"` // clips it was compared with
	AsOf     time.Time `json:"as_of"`    // when the index was brought up to date
	Hits     []Seen    `json:"hits"`     // best first
	Note     string    `json:"note,omitempty"`
}

// Seen is one clip that shows the footage.
type Seen struct {
	Clip     string     `json:"clip"` // path of its page, or its address of then
	Shows    string     `json:"shows"`
	Score    float64    `json:"score"`
	Reason   string     `json:"reason"`
	OldAfter *time.Time `json:"old_after,omitempty"` // the file is refused for a match that began later; none: it is not
}

func find(ctx context.Context, index *Archive, stored store.Store, print footy.Fingerprint, refuses bool) (Found, error) {
	hits, err := index.Find(ctx, print, nil)
	if err != nil {
		return Found{}, err
	}
	is := index.Status()
	out := Found{Searched: is.Clips - is.Unlike, AsOf: is.Synced, Hits: []Seen{}}
	if is.Unlike > 0 {
		out.Note = fmt.Sprintf("%d clips have no fingerprint of version %q: they were not compared", is.Unlike, print.Version)
	}
	for _, h := range hits {
		shows, proven, err := Shows(ctx, stored, h.StoredFingerprint)
		if err != nil {
			return Found{}, err
		}
		hit := Seen{Clip: footy.ClipPath(h.EventUID, h.ClipID, ""), Shows: "a match that is not stored", Score: h.Match.Score, Reason: explain.Comparison(h.Match)}
		if shows.FixtureID != 0 {
			hit.Shows = explain.Shown(shows)
		}
		if refuses && proven && footage.OldBy(print, h.Match) {
			hit.OldAfter = rule.OldAfter(shows)
		}
		out.Hits = append(out.Hits, hit)
	}
	return out, nil
}

// Shows says what a kept clip shows, and whether that is proven: by its match while that is stored, then by itself. It is the zero Seen
// once neither knows.
func Shows(ctx context.Context, stored store.Store, kept footy.StoredFingerprint) (s footy.Seen, proven bool, err error) {
	if kept.Seen != nil {
		return *kept.Seen, true, nil
	}
	f, err := stored.Fixture(ctx, kept.FixtureID)
	if footy.IsNotFound(err) || errors.Is(err, store.ErrDamaged) { // it is being deleted, or nobody knows what it was
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	if s, proven = rule.Shows(f, kept.EventUID, kept.ClipID); proven {
		return s, true, nil
	}
	e := f.Event(kept.EventUID)
	if e == nil {
		e = &footy.Event{UID: kept.EventUID}
	}
	return footy.SeenIn(f, *e, footy.Clip{ID: kept.ClipID}), false, nil
}
