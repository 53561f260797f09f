package reels_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/extra/reels/film"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/tools/devtest"
)

// bench is a state with a match of two goals.
type bench struct {
	*reels.Maker
	store  store.Store
	pieces atomic.Int64 // made
	die    atomic.Int64 // at this piece, as a killed process
	during func()       // while a piece is made

	dated map[string]time.Time // when objects were written, by a list
	heavy int64                // bytes of each film, by a list; 0: as it is
}

// Piece counts, and dies where it was told to.
func (b *bench) Piece(ctx context.Context, at, clip string, c film.Cut, out string) (int, error) {
	if !c.Card {
		if n := b.pieces.Add(1); n == b.die.Load() {
			return 0, context.Canceled
		}
	}
	if b.during != nil {
		b.during()
	}
	data, err := os.ReadFile(filepath.Join(at, clip))
	if err != nil {
		return 0, err
	}
	made, _ := pieces.LoadOrStore(fmt.Sprintf("%x %+v", sha256.Sum256(data), c), sync.OnceValue(func() (p piece) {
		ctx := context.WithoutCancel(ctx)
		if p.frames, p.err = tool.Piece(ctx, at, clip, c, "drawn.nut"); p.err == nil {
			p.film, p.err = os.ReadFile(filepath.Join(at, "drawn.nut"))
		}
		return p
	}))
	p := made.(func() piece)()
	return p.frames, cmp.Or(p.err, os.WriteFile(filepath.Join(at, out), p.film, 0o600))
}

var tool = film.Tool{Tool: media.New(media.Options{})}

// pieces are those that all tests made: each takes a third of a second of ffmpeg, and nearly all are alike.
var pieces sync.Map

type piece struct {
	film   []byte
	frames int
	err    error
}

func (b *bench) Join(ctx context.Context, at string, names []string, p rule.Plan, out string) ([]byte, error) {
	return tool.Join(ctx, at, names, p, out)
}

// listing lists objects as the bench dates and weighs them.
type listing struct {
	blob.Store
	bench *bench
}

func (s *listing) List(ctx context.Context, prefix string, fn func(blob.Attributes) error) error {
	return s.Store.List(ctx, prefix, func(at blob.Attributes) error {
		if dated, ok := s.bench.dated[at.Key]; ok {
			at.ModTime = dated
		}
		if strings.HasSuffix(at.Key, reels.FilmFile) {
			at.Size = cmp.Or(s.bench.heavy, at.Size)
		}
		return fn(at)
	})
}

func setup(t *testing.T) *bench {
	t.Helper()
	at := t.TempDir()
	docs, err := sqlite.Open(filepath.Join(at, "footy.db"))
	require.NoError(t, err)
	b := &bench{store: store.New(docs)}
	t.Cleanup(func() { require.NoError(t, b.store.Close()) })
	clips, err := dir.Open(filepath.Join(at, "clips"))
	require.NoError(t, err)
	listed := &listing{Store: clips, bench: b}
	temp := filepath.Join(at, "tmp")
	require.NoError(t, os.Mkdir(temp, 0o700))
	b.Maker = &reels.Maker{Store: b.store, Blob: listed, Film: b, TempDir: temp, Now: time.Now}

	f := footy.Fixture{ID: 7, Stage: footy.StageActive, League: footy.League{ID: 78, Name: "Bundesliga"}, Teams: footy.Teams{Home: footy.Team{ID: 1, Name: "Köln"}, Away: footy.Team{ID: 2, Name: "Mainz"}}}
	f.Match.ID, f.Match.Kickoff = 7, time.Date(2026, 11, 14, 14, 30, 0, 0, time.UTC)
	for i, uid := range []string{"u1", "u2"} {
		digest := uid + "-0123456789abcdef"
		c := footy.Clip{ID: footy.ClipID(digest), Digest: digest, Key: blob.ClipPrefix + uid + "/" + digest + ".mp4", Duration: 2, Rank: 1, Verified: true}
		b.put(t, c.Key, "testsrc2=s=320x180:r=25:d=2")
		f.Events = append(f.Events, footy.Event{UID: uid, ID: uid, Kind: footy.KindGoal, Minute: footy.Minute{Elapsed: 10 * (i + 1)}, Player: footy.Person{Name: "Scorer"},
			Team: footy.Team{ID: 1}, ScoreAfter: footy.ScoreOf(i+1, 0), CertainAt: time.Now(), Clips: []footy.Clip{c}})
	}
	require.NoError(t, b.store.Add(t.Context(), f))
	return b
}

// drawn is a clip of a picture of lavfi.
func drawn(t *testing.T, picture string) string {
	t.Helper()
	return devtest.Draw(t, "clip.mp4", "-f", "lavfi", "-i", picture, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
}

// put keeps a drawn clip.
func (b *bench) put(t *testing.T, key, picture string) {
	t.Helper()
	f, err := os.Open(drawn(t, picture))
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, b.Blob.Put(t.Context(), key, f, -1, blob.Info{ContentType: "video/mp4"}))
}

func (b *bench) change(t *testing.T, do func(*footy.Fixture)) {
	t.Helper()
	_, err := b.store.Update(t.Context(), 7, func(f *footy.Fixture) ([]footy.Entry, error) { do(f); return nil, nil })
	require.NoError(t, err)
}

func (b *bench) make(t *testing.T) (rule.Record, error) {
	t.Helper()
	s, err := rule.ScopeOf(rule.OfMatch, 7, "", nil)
	require.NoError(t, err)
	r, err := b.Make(t.Context(), s, 0, func(reels.Progress) {})
	left, failed := os.ReadDir(b.TempDir)
	require.NoError(t, failed)
	require.Empty(t, left, "nothing stays behind on the disk")
	return r, err
}

func TestAKilledMakerIsMadeGood(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.die.Store(2)
	_, err := b.make(t)
	require.Error(t, err)
	r, err := b.make(t)
	require.NoError(t, err)
	require.Len(t, r.Plan.Pieces, 2)
	require.EqualValues(t, 4, b.pieces.Load())

	again, err := b.make(t)
	require.NoError(t, err)
	require.EqualValues(t, 4, b.pieces.Load(), "asked again nothing is made")
	require.Equal(t, r, again)
}

func TestNothingIsMadeWhereThereIsNoRoom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	there, err := b.make(t)
	require.NoError(t, err)
	b.Room = func() error { return footy.Errorf(footy.CodeUnavailable, "look at the disk", "3 MB are left") }
	again, err := b.make(t)
	require.NoError(t, err, "one that is there needs none")
	require.Equal(t, there, again)
	b.change(t, func(f *footy.Fixture) { f.Events[0].Player.Name = "Another" })
	_, err = b.make(t)
	require.ErrorContains(t, err, "3 MB are left")
	require.EqualValues(t, 2, b.pieces.Load())
}

func TestTheReelsThatWereUsedLongestAgoMakeRoom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.dated = map[string]time.Time{}
	day, team, league := b.stored(t, rule.OfDay, 0, 20*time.Minute), b.stored(t, rule.OfTeam, 1, 6*time.Hour), b.stored(t, rule.OfLeague, 78, 9*time.Hour)
	watched := path.Join(path.Dir(league), reels.WatchedFile)
	require.NoError(t, b.Blob.Put(t.Context(), watched, bytes.NewReader(nil), 0, blob.Info{}))
	b.heavy = rule.Budget/3 - 1<<20
	r, err := b.make(t)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{day, team, league, reels.Key(r.Plan.Key, reels.FilmFile)}, b.films(t), "they fit, the new one is small")
	b.heavy = rule.Budget / 4 // and the other objects some bytes
	b.change(t, func(f *footy.Fixture) { f.Events[0].Player.Name = "Another" })
	r, err = b.make(t)
	require.NoError(t, err)
	require.Contains(t, b.films(t), reels.Key(r.Plan.Key, reels.FilmFile))
	require.NotContains(t, b.films(t), team)
	require.Subset(t, b.films(t), []string{day, league}, "the one was watched, the other is younger")
}

// films are the keys of those that are kept.
func (b *bench) films(t *testing.T) (films []string) {
	t.Helper()
	require.NoError(t, b.Blob.List(t.Context(), reels.Prefix, func(at blob.Attributes) error {
		if path.Base(at.Key) == reels.FilmFile {
			films = append(films, at.Key)
		}
		return nil
	}))
	return films
}

func TestAReelFollowsItsGoals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before, err := b.make(t)
	require.NoError(t, err)
	b.change(t, func(f *footy.Fixture) { f.Events[0].Removed = true })
	after, err := b.make(t)
	require.NoError(t, err)
	require.NotEqual(t, before.Plan.Key, after.Plan.Key)
	require.Len(t, after.Plan.Pieces, 1)

	b.put(t, "clips/better.mp4", "testsrc2=s=640x360:r=25:d=3")
	b.change(t, func(f *footy.Fixture) {
		f.Events[1].Clips[0].Rank = 2
		f.Events[1].Clips = append(f.Events[1].Clips, footy.Clip{ID: "better", Digest: "better", Key: "clips/better.mp4", Duration: 3, Rank: 1, Verified: true})
	})
	better, err := b.make(t)
	require.NoError(t, err)
	require.Equal(t, "better", better.Plan.Pieces[0].ClipID)
}

func TestAGoalThatIsTakenBackMeanwhileIsNotInTheReel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.during = func() {
		b.during = nil
		b.change(t, func(f *footy.Fixture) { f.Events[0].Removed = true })
	}
	r, err := b.make(t)
	require.NoError(t, err)
	require.Len(t, r.Plan.Pieces, 1)
	require.Equal(t, "u2", r.Plan.Pieces[0].EventUID)
}

func TestAClipThatCannotBeShownIsLeftOutAndTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.put(t, blob.ClipPrefix+"u1/u1-0123456789abcdef.mp4", "color=black:s=320x180:r=25:d=2")
	r, err := b.make(t)
	require.NoError(t, err)
	require.Len(t, r.Plan.Pieces, 1)
	require.Equal(t, []rule.LeftOut{{EventUID: "u1", Goal: "Scorer 10', Köln 1–0 Mainz", Why: rule.WhyBroken}}, r.Plan.LeftOut)

	b.put(t, blob.ClipPrefix+"u2/u2-0123456789abcdef.mp4", "color=black:s=320x180:r=25:d=2")
	b.change(t, func(f *footy.Fixture) { f.Events[1].Clips[0].Digest = "u2-other" })
	_, err = b.make(t)
	require.Equal(t, footy.CodeRejected, footy.CodeOf(err))

	b.change(t, func(f *footy.Fixture) { f.Events = nil })
	_, err = b.make(t)
	require.True(t, footy.IsNotFound(err), "%v", err)
}
