// Package reels is ReelWorkflow: it makes the compilation that decide/clip/reel plans, step by step. Pieces and reels lie in the clip store
// under the keys of what they are made of, so that a killed worker costs only the piece in work, and an equal one is never made twice.
package reels

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
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
	Room    func() error // why nothing may be made for now, by what is left of the disk; nil: nobody looks
	Now     func() time.Time
}

// Fixtures are those of a scope.
func Fixtures(ctx context.Context, st Store, s reel.Scope) ([]footy.Fixture, error) {
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

// empty says why there is nothing to make; nil: there is.
func empty(p reel.Plan) error {
	switch {
	case len(p.Pieces) > 0:
		return nil
	case len(p.LeftOut) > 0:
		return footy.Errorf(footy.CodeNotFound, "make reel", "%s, %s: none of its %d goals has a verified clip yet", p.Title[0], p.Title[1], len(p.LeftOut))
	}
	return footy.Errorf(footy.CodeNotFound, "make reel", "%s, %s: no goal is known", p.Title[0], p.Title[1])
}

// Step is how far a reel is.
type Step struct {
	Key  string `json:"key"`
	Done int    `json:"done"` // pieces
	Of   int    `json:"of"`   // pieces, and their joining
	Made bool   `json:"made"` // as its goals and clips are now
}

// Step does the next step of a reel: it makes the first piece that is missing, or joins them. Each step plans anew, so that a reel follows
// what happens to its goals meanwhile.
func (m *Maker) Step(ctx context.Context, s reel.Scope, asked time.Duration) (Step, error) {
	list, err := Fixtures(ctx, m.Store, s)
	if err != nil {
		return Step{}, err
	}
	p := reel.Make(s, asked, list)
	if err := empty(p); err != nil {
		return Step{}, err
	}
	step := Step{Key: p.Key, Done: len(p.Pieces), Of: len(p.Pieces) + 1}
	if _, err := blob.Reel(ctx, m.Blob, p.Key); !footy.IsNotFound(err) {
		step.Made = err == nil
		return step, err
	}
	if m.Room != nil {
		if err := m.Room(); err != nil {
			return step, err
		}
	}
	if err := room(ctx, m.Blob); err != nil {
		return step, err
	}
	for i, piece := range p.Pieces {
		if _, err := m.Blob.Stat(ctx, pieceKey(piece)); footy.IsNotFound(err) {
			step.Done = i + 1
			return step, m.piece(ctx, piece)
		} else if err != nil {
			return step, err
		}
	}
	return step, m.join(ctx, p)
}

// Make makes a reel in this process, or finds it made. tell is told how far it is.
func (m *Maker) Make(ctx context.Context, s reel.Scope, asked time.Duration, tell func(Step)) (reel.Record, error) {
	for {
		step, err := m.Step(ctx, s, asked)
		if err != nil {
			return reel.Record{}, err
		}
		if step.Made {
			return blob.Reel(ctx, m.Blob, step.Key)
		}
		tell(step)
	}
}

func pieceKey(p reel.Piece) string { return blob.PieceKey(p.Digest, p.Key()) }

// frames is the name under which a piece knows how many it has; 0: its clip cannot be shown, and the piece is empty.
const frames = "frames"

// piece makes a piece. A clip that cannot be shown makes an empty one.
func (m *Maker) piece(ctx context.Context, p reel.Piece) error {
	key := pieceKey(p)
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
	if err := m.Blob.Put(ctx, key, out, size, info(n)); err != nil {
		return err
	}
	crashpoint.Here(crashpoint.ReelPieceMade)
	return nil
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

// join puts the pieces of a plan behind a title and keeps the reel, its record last.
func (m *Maker) join(ctx context.Context, p reel.Plan) error {
	dir, err := m.scratch()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	names, err := m.gather(ctx, dir, &p)
	if err != nil {
		return err
	}
	film := filepath.Join(dir, blob.ReelFilm)
	poster, err := m.Film.Join(ctx, dir, names, p, film)
	if err != nil {
		return err
	}
	f, err := os.Open(film)
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "keep reel", "%w", err)
	}
	defer func() { _ = f.Close() }()
	size, err := f.Stat()
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "keep reel", "%w", err)
	}
	record, err := json.Marshal(reel.Record{Plan: p, Size: size.Size(), MadeAt: m.Now().UTC()})
	if err != nil {
		return footy.Wrap(footy.CodeInvalid, "encode reel", err)
	}
	put := func(name, contentType string, from io.Reader, size int64) {
		if err == nil {
			err = m.Blob.Put(ctx, blob.ReelKey(p.Key, name), from, size, blob.Info{ContentType: contentType})
		}
	}
	put(blob.ReelFilm, "video/mp4", f, size.Size())
	if err == nil {
		crashpoint.Here(crashpoint.ReelFilmKept)
	}
	put(blob.ReelPoster, "image/jpeg", bytes.NewReader(poster), int64(len(poster)))
	put(blob.ReelRecord, "application/json", bytes.NewReader(record), int64(len(record)))
	return err
}

// gather copies all pieces here, the title before them, and leaves out of the plan what could not be shown.
func (m *Maker) gather(ctx context.Context, dir string, p *reel.Plan) ([]string, error) {
	names, pieces := []string{"title.nut"}, []reel.Piece{}
	for i, piece := range p.Pieces {
		name := fmt.Sprintf("%d.nut", i)
		at, err := m.fetch(ctx, pieceKey(piece), filepath.Join(dir, name))
		if footy.IsNotFound(err) { // swept since the step began: the next try makes it again
			err = footy.Errorf(footy.CodeUnavailable, "gather pieces", "a piece was deleted")
		}
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
