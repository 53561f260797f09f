// Package reels is ReelWorkflow: it makes the compilation that rule/reel plans, piece by piece. Pieces and reels lie in the clip store under
// the keys of what they are made of, so that a killed worker costs only the piece in work, and an equal one is never made twice.
package reels

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/media"
	"github.com/found-footy/found-footy/internal/rule/reel"
	"github.com/found-footy/found-footy/internal/store"
)

// Film is what we need of ffmpeg.
type Film interface {
	Piece(ctx context.Context, path string, c media.Cut, out io.Writer) (frames int, err error)
	Join(ctx context.Context, dir string, names []string, p reel.Plan, out string) (poster []byte, err error)
}

// Store is what is read of the matches.
type Store interface {
	Fixture(ctx context.Context, id int64) (footy.Fixture, error)
	List(ctx context.Context, q store.FixtureQuery) ([]footy.Fixture, error)
}

// Maker makes reels.
type Maker struct {
	Store   Store
	Blob    blob.Store
	Film    Film
	TempDir string
	Now     func() time.Time
}

// Plan plans the reel of a scope by what is stored now.
func (m *Maker) Plan(ctx context.Context, s reel.Scope, asked time.Duration) (reel.Plan, error) {
	list, err := fixtures(ctx, m.Store, s)
	return reel.Make(s, asked, list), err
}

// fixtures are those of a scope.
func fixtures(ctx context.Context, st Store, s reel.Scope) ([]footy.Fixture, error) {
	if s.Kind == reel.OfMatch {
		f, err := st.Fixture(ctx, s.ID)
		return []footy.Fixture{f}, err
	}
	q := store.FixtureQuery{From: s.From, To: s.To}
	switch s.Kind {
	case reel.OfTeam:
		q.Team = s.ID
	case reel.OfLeague:
		q.League = s.ID
	}
	return st.List(ctx, q)
}

// Empty says why there is nothing to make; nil: there is.
func Empty(p reel.Plan) error {
	switch {
	case len(p.Pieces) > 0:
		return nil
	case len(p.LeftOut) > 0:
		return footy.Errorf(footy.CodeNotFound, "make reel", "%s, %s: none of its %d goals has a verified clip yet", p.Title[0], p.Title[1], len(p.LeftOut))
	}
	return footy.Errorf(footy.CodeNotFound, "make reel", "%s, %s: no goal is known", p.Title[0], p.Title[1])
}

// Made finds a reel that was made; not found if there is none of this key.
func Made(ctx context.Context, b blob.Store, key string) (reel.Record, error) {
	o, err := b.Open(ctx, blob.ReelKey(key, blob.ReelRecord))
	if err != nil {
		return reel.Record{}, err
	}
	defer func() { _ = o.Close() }()
	return reel.Read(o)
}

// Standing is how a reel that was made stands to what is stored now.
type Standing struct {
	MayBeSeen bool // its goals stand, its clips are not hidden
	Current   bool // it would be made the same now
	Anew      bool // it would be made otherwise now, and is of matches that people talk about still
}

// talkedOf is how long after its kickoff a match's reels are made anew by themselves. Older ones change because clips expire.
const talkedOf = 48 * time.Hour

// Standing compares a reel with what is stored now.
func (m *Maker) Standing(ctx context.Context, r reel.Record) (Standing, error) {
	list, err := fixtures(ctx, m.Store, r.Plan.Scope)
	if footy.IsNotFound(err) {
		return Standing{}, nil
	}
	if err != nil {
		return Standing{}, err
	}
	p := reel.Make(r.Plan.Scope, r.Plan.Asked, list)
	now := Standing{MayBeSeen: r.Plan.Shows(list), Current: p.Key == r.Plan.Key}
	now.Anew = !now.Current && len(p.Pieces) > 0 && slices.ContainsFunc(list, func(f footy.Fixture) bool {
		return r.Plan.Scope.Has(&f) && m.Now().Sub(f.Match.Kickoff) < talkedOf
	})
	return now, nil
}

// Make makes a reel in this process, or finds it made. step is told how far it is.
func (m *Maker) Make(ctx context.Context, s reel.Scope, asked time.Duration, step func(done, of int)) (reel.Record, error) {
	p, err := m.Plan(ctx, s, asked)
	if err == nil {
		err = Empty(p)
	}
	if err != nil {
		return reel.Record{}, err
	}
	if r, err := Made(ctx, m.Blob, p.Key); !footy.IsNotFound(err) {
		return r, err
	}
	for i, piece := range p.Pieces {
		step(i, len(p.Pieces)+1)
		if err := m.Piece(ctx, piece); err != nil {
			return reel.Record{}, err
		}
	}
	step(len(p.Pieces), len(p.Pieces)+1)
	return m.Join(ctx, p)
}

// frames is the name under which a piece knows how many it has; 0: its clip cannot be shown, and the piece is empty.
const frames = "frames"

// Piece makes a piece unless it is there. A clip that cannot be shown makes an empty one.
func (m *Maker) Piece(ctx context.Context, p reel.Piece) error {
	key := blob.PieceKey(p.Digest, p.Key())
	if _, err := m.Blob.Stat(ctx, key); !footy.IsNotFound(err) {
		return err
	}
	dir, err := m.scratch()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	out, err := os.Create(filepath.Join(dir, "piece.nut"))
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "make piece", "%w", err)
	}
	defer func() { _ = out.Close() }()
	n, err := m.draw(ctx, dir, p, media.Cut{Frames: p.Frames, Lines: p.Lines[:]}, out)
	if footy.CodeOf(err) == footy.CodeRejected {
		return m.Blob.Put(ctx, key, bytes.NewReader(nil), 0, info(0))
	}
	if err != nil {
		return err
	}
	size, err := out.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = out.Seek(0, io.SeekStart)
	}
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "make piece", "%w", err)
	}
	return m.Blob.Put(ctx, key, out, size, info(n))
}

func info(n int) blob.Info {
	return blob.Info{ContentType: "video/x-nut", Metadata: map[string]string{frames: strconv.Itoa(n)}}
}

func (m *Maker) scratch() (string, error) {
	dir, err := os.MkdirTemp(m.TempDir, "reel-*")
	if err != nil {
		return "", footy.Errorf(footy.CodeUnavailable, "create a directory for a reel", "%w", err)
	}
	return dir, nil
}

// draw copies a clip here and makes a piece of it.
func (m *Maker) draw(ctx context.Context, dir string, p reel.Piece, c media.Cut, out io.Writer) (int, error) {
	clip := filepath.Join(dir, "clip.mp4")
	if _, err := m.fetch(ctx, p.Source, clip); err != nil {
		return 0, err
	}
	return m.Film.Piece(ctx, clip, c, out)
}

// fetch copies an object into a file.
func (m *Maker) fetch(ctx context.Context, key, path string) (blob.Attributes, error) {
	o, err := m.Blob.Open(ctx, key)
	if err != nil {
		return blob.Attributes{}, err
	}
	defer func() { _ = o.Close() }()
	f, err := os.Create(path)
	if err != nil {
		return blob.Attributes{}, footy.Errorf(footy.CodeUnavailable, "copy "+key, "%w", err)
	}
	_, err = io.Copy(f, o)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return blob.Attributes{}, footy.Errorf(footy.CodeUnavailable, "copy "+key, "%w", err)
	}
	return o.Attributes(), nil
}

// Join puts the pieces of a plan behind a title and keeps the reel. Not found: a piece is missing and has to be made again.
func (m *Maker) Join(ctx context.Context, p reel.Plan) (reel.Record, error) {
	dir, err := m.scratch()
	if err != nil {
		return reel.Record{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	names, err := m.gather(ctx, dir, &p)
	if err != nil {
		return reel.Record{}, err
	}
	film := filepath.Join(dir, blob.ReelFilm)
	poster, err := m.Film.Join(ctx, dir, names, p, film)
	if err != nil {
		return reel.Record{}, err
	}
	f, err := os.Open(film)
	if err != nil {
		return reel.Record{}, footy.Errorf(footy.CodeUnavailable, "keep reel", "%w", err)
	}
	defer func() { _ = f.Close() }()
	size, err := f.Stat()
	if err != nil {
		return reel.Record{}, footy.Errorf(footy.CodeUnavailable, "keep reel", "%w", err)
	}
	r := reel.Record{Plan: p, Size: size.Size(), MadeAt: m.Now().UTC()}
	text, err := json.Marshal(r)
	if err != nil {
		return r, footy.Wrap(footy.CodeInvalid, "encode reel", err)
	}
	if err := m.Blob.Put(ctx, blob.ReelKey(p.Key, blob.ReelFilm), f, r.Size, blob.Info{ContentType: "video/mp4"}); err != nil {
		return r, err
	}
	if err := m.Blob.Put(ctx, blob.ReelKey(p.Key, blob.ReelPoster), bytes.NewReader(poster), int64(len(poster)), blob.Info{ContentType: "image/jpeg"}); err != nil {
		return r, err
	}
	return r, m.Blob.Put(ctx, blob.ReelKey(p.Key, blob.ReelRecord), bytes.NewReader(text), int64(len(text)), blob.Info{ContentType: "application/json"})
}

// gather copies all pieces here, the title before them, and leaves out of the plan what could not be shown.
func (m *Maker) gather(ctx context.Context, dir string, p *reel.Plan) ([]string, error) {
	names, pieces := []string{"title.nut"}, []reel.Piece{}
	for i, piece := range p.Pieces {
		name := fmt.Sprintf("%d.nut", i)
		at, err := m.fetch(ctx, blob.PieceKey(piece.Digest, piece.Key()), filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(at.Info.Metadata[frames])
		if err != nil {
			return nil, footy.Errorf(footy.CodeNotFound, "gather pieces", "a piece does not say how long it is")
		}
		if n == 0 {
			p.LeftOut = append(p.LeftOut, reel.LeftOut{EventUID: piece.EventUID, Goal: piece.Title(), Why: reel.WhyBroken})
			continue
		}
		piece.Frames = n
		names, pieces = append(names, name), append(pieces, piece)
	}
	p.Pieces = pieces
	if len(pieces) == 0 {
		return nil, footy.Errorf(footy.CodeRejected, "make reel", "none of its clips can be shown: all are broken or black")
	}
	title, err := os.Create(filepath.Join(dir, names[0]))
	if err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, "draw title", "%w", err)
	}
	defer func() { _ = title.Close() }()
	_, err = m.draw(ctx, dir, pieces[0], media.Cut{Frames: p.Card, Lines: p.Title[:], Card: true}, title)
	return names, err
}
