package reels

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/extra/reels/film"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Film is what we need of ffmpeg; all files lie in dir.
type Film interface {
	Piece(ctx context.Context, dir, clip string, c film.Cut, out string) (frames int, err error)
	Join(ctx context.Context, dir string, names []string, p rule.Plan, out string) (poster []byte, err error)
}

// Maker makes
type Maker struct {
	Store   store.Store
	Blob    blob.Store
	Film    Film
	TempDir string
	Room    func() error // why nothing may be made for now, by what is left of the disk; nil: it is not looked at
	Now     func() time.Time
}

// Fixtures are those of a scope.
func Fixtures(ctx context.Context, st store.Store, s rule.Scope) ([]footy.Fixture, error) {
	if s.Kind == rule.OfMatch {
		f, err := st.Fixture(ctx, s.ID)
		return []footy.Fixture{f}, err
	}
	q := store.FixtureQuery{From: s.From, To: s.To}
	switch s.Kind {
	case rule.OfTeam:
		q.Team = s.ID
	case rule.OfLeague:
		q.League = s.ID
	}
	return st.List(ctx, q)
}

func empty(p rule.Plan) error {
	switch {
	case len(p.Pieces) > 0:
		return nil
	case len(p.LeftOut) > 0:
		return footy.Errorf(footy.CodeNotFound, "make reel", "%s, %s: none of its %d goals has a verified clip yet", p.Title[0], p.Title[1], len(p.LeftOut))
	}
	return footy.Errorf(footy.CodeNotFound, "make reel", "%s, %s: no goal is known", p.Title[0], p.Title[1])
}

// Make makes a reel, or finds it made. If its goals change meanwhile, it makes the one that they ask for then. report is given each step.
func (m *Maker) Make(ctx context.Context, s rule.Scope, asked time.Duration, report func(Progress)) (rule.Record, error) {
	for {
		list, err := Fixtures(ctx, m.Store, s)
		if err != nil {
			return rule.Record{}, err
		}
		p := rule.Make(s, asked, list)
		if err := empty(p); err != nil {
			return rule.Record{}, err
		}
		r, err := recordOf(ctx, m.Blob, p.Key)
		if !footy.IsNotFound(err) {
			return r, err
		}
		if m.Room != nil {
			if err := m.Room(); err != nil {
				return r, err
			}
		}
		if err := m.film(ctx, p, report); err != nil {
			return r, err
		}
	}
}

func (m *Maker) film(ctx context.Context, p rule.Plan, report func(Progress)) error {
	dir, err := os.MkdirTemp(m.TempDir, "reel-*")
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "create a directory for a reel", "%w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	names, err := m.pieces(ctx, dir, &p, report)
	if err != nil {
		return err
	}
	poster, err := m.Film.Join(ctx, dir, names, p, FilmFile)
	if err != nil {
		return err
	}
	return m.keep(ctx, filepath.Join(dir, FilmFile), poster, p)
}

// pieces makes the title and the pieces of a plan, and leaves out of it what cannot be shown.
func (m *Maker) pieces(ctx context.Context, dir string, p *rule.Plan, report func(Progress)) ([]string, error) {
	const clip, title = "clip.mp4", "title.nut"
	names, pieces := []string{title}, []rule.Piece{}
	for i, piece := range p.Pieces {
		report(Progress{Done: i, Of: len(p.Pieces)})
		if err := m.fetch(ctx, piece.Source, filepath.Join(dir, clip)); err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%d.nut", i)
		n, err := m.Film.Piece(ctx, dir, clip, film.Cut{Frames: piece.Frames, Lines: piece.Lines}, name)
		if footy.CodeOf(err) == footy.CodeRejected {
			p.LeftOut = append(p.LeftOut, rule.LeftOut{EventUID: piece.EventUID, Goal: piece.Title(), Why: rule.WhyBroken})
			continue
		}
		if err == nil && len(pieces) == 0 {
			_, err = m.Film.Piece(ctx, dir, clip, film.Cut{Frames: p.Card, Lines: p.Title, Card: true}, title)
		}
		if err != nil {
			return nil, err
		}
		piece.Frames = n
		names, pieces = append(names, name), append(pieces, piece)
	}
	report(Progress{Done: len(p.Pieces), Of: len(p.Pieces)})
	p.Pieces = pieces
	if len(pieces) == 0 {
		return nil, footy.Errorf(footy.CodeRejected, "make reel", "none of its clips can be shown: all are broken or black")
	}
	return names, nil
}

func (m *Maker) fetch(ctx context.Context, key, path string) error {
	o, err := m.Blob.Open(ctx, key)
	if err != nil {
		return err
	}
	defer func() { _ = o.Close() }()
	f, err := os.Create(path)
	if err == nil {
		_, err = io.Copy(f, o)
		if closed := f.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "copy "+key, "%w", err)
	}
	return nil
}

// keep puts a film into the clip store, its record last.
func (m *Maker) keep(ctx context.Context, path string, poster []byte, p rule.Plan) error {
	f, err := os.Open(path)
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "keep reel", "%w", err)
	}
	defer func() { _ = f.Close() }()
	size, err := f.Stat()
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "keep reel", "%w", err)
	}
	record, err := json.Marshal(rule.Record{Plan: p, Size: size.Size(), MadeAt: m.Now().UTC()})
	if err != nil {
		return footy.Wrap(footy.CodeInvalid, "encode reel", err)
	}
	err = m.clear(ctx, size.Size())
	put := func(name, contentType string, from io.Reader, size int64) {
		if err == nil {
			err = m.Blob.Put(ctx, Key(p.Key, name), from, size, blob.Info{ContentType: contentType})
		}
	}
	put(FilmFile, "video/mp4", f, size.Size())
	if err == nil {
		crashpoint.Here(filmKept)
	}
	put(PosterFile, "image/jpeg", bytes.NewReader(poster), int64(len(poster)))
	put(RecordFile, "application/json", bytes.NewReader(record), int64(len(record)))
	return err
}

// clear makes room for another film: the reels that were used longest ago go.
func (m *Maker) clear(ctx context.Context, size int64) error {
	all, err := stored(ctx, m.Blob)
	if err != nil {
		return err
	}
	list := make([]rule.Stored, 0, len(all))
	for _, s := range all {
		list, size = append(list, s.Stored), size+s.Size
	}
	for _, s := range rule.Surplus(list, size-rule.Budget) {
		if err := all[s.Key].delete(ctx, m.Blob); err != nil {
			return err
		}
	}
	return nil
}

// objects are those of a reel.
type objects struct {
	rule.Stored
	keys  []string
	whole bool // it has its record: it is not being made, and its maker did not die
}

func (o objects) delete(ctx context.Context, b blob.Store) error {
	for _, key := range o.keys {
		if err := b.Delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// stored lists the reels in the clip store by their keys. What releases before 1.2 kept beside them counts as one that is not whole.
func stored(ctx context.Context, b blob.Store) (map[string]objects, error) {
	all := map[string]objects{}
	return all, b.List(ctx, Prefix, func(at blob.Attributes) error {
		key, name, _ := strings.Cut(strings.TrimPrefix(at.Key, MadePrefix), "/")
		o := all[key]
		o.Key, o.Size, o.keys, o.whole = key, o.Size+at.Size, append(o.keys, at.Key), o.whole || name == RecordFile
		if at.ModTime.After(o.Used) {
			o.Used = at.ModTime
		}
		all[key] = o
		return nil
	})
}

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

// unfinished is how long what has no record is left alone: its film was kept a moment ago, and the record follows.
const unfinished = time.Hour

// Sweep deletes reels that show what may not be seen any more, and what makers left that died.
func (m *Maker) Sweep(ctx context.Context, now time.Time) error {
	all, err := stored(ctx, m.Blob)
	if err != nil {
		return err
	}
	var failed []error
	for key, o := range all {
		activity.RecordHeartbeat(ctx, key)
		gone, err := !o.whole && now.Sub(o.Used) >= unfinished, error(nil)
		if o.whole {
			gone, err = m.gone(ctx, key)
		}
		if err == nil && gone {
			if err = o.delete(ctx, m.Blob); err == nil {
				activity.GetLogger(ctx).Info("deleted a reel of what is not shown any more", "action", "sweep", "reel", key, "bytes", o.Size)
			}
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// gone reports whether a reel shows a goal that no longer stands, or a clip that was hidden or deleted.
func (m *Maker) gone(ctx context.Context, key string) (bool, error) {
	r, err := recordOf(ctx, m.Blob, key)
	if err != nil {
		return false, err
	}
	list, err := Fixtures(ctx, m.Store, r.Plan.Scope)
	if err != nil && !footy.IsNotFound(err) {
		return false, err
	}
	return !r.Plan.Shows(list), nil
}
