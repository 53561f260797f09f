package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// cinema films pictures that move. "goal/take" is another file of the footage "goal". It also stands before the model, which knows films
// by their names.
type cinema struct {
	filmed
	*eyes
	mu        sync.Mutex
	shows     map[string]string           // frame -> film
	abstained map[string]clockface.Reason // film -> why its clock is not read
}

func newCinema(b *bench) *cinema {
	c := &cinema{eyes: b.model, shows: map[string]string{}}
	b.down.Decoder, b.down.Reader = c, c
	return c
}

func (c *cinema) Decode(_ context.Context, path string, _ footy.Probe, _ media.Wants) (media.Decoded, error) {
	film := filmOf(path)
	d := media.Decoded{Samples: footage(film), Length: 12, Poster: picture(), Clock: clockface.Answer{Abstained: c.abstained[film]}}
	if strings.HasSuffix(film, "/part") {
		n := len(d.Samples.Pix)
		d.Samples.Pix = d.Samples.Pix[n/5 : n*4/5]
		d.Samples.Duration *= 0.6
	}
	if strings.HasSuffix(film, "/and/more") {
		d.Samples.Pix = append(d.Samples.Pix, footage(film[strings.LastIndex(film, "and"):]).Pix...)
		d.Samples.Duration *= 2
	}
	for i, f := range media.Fractions {
		frame := media.Frame{At: d.Samples.Duration * f, JPEG: fmt.Appendf(nil, "%s at %d", film, i)}
		d.Frames = append(d.Frames, frame)
		c.mu.Lock()
		c.shows[string(frame.JPEG)] = film
		c.mu.Unlock()
	}
	return d, nil
}

func (c *cinema) Read(ctx context.Context, frames []validate.Frame, kinds ...footy.KindInfo) ([]footy.Reading, error) {
	named := make([]validate.Frame, len(frames))
	for i, f := range frames {
		c.mu.Lock()
		named[i] = validate.Frame{At: f.At, JPEG: []byte(c.shows[string(f.JPEG)])}
		c.mu.Unlock()
	}
	return c.eyes.Read(ctx, named, kinds...)
}

// asked is how often the model was asked about each film.
func (c *cinema) askedOf(films ...string) (n int) {
	for _, f := range films {
		n += c.asked[f]
	}
	return n
}

func TestTheModelIsAskedOncePerFootage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := newCinema(b)
	b.x.film = map[string]string{"1": "goal/1", "2": "goal/2", "3": "goal/3", "4": "other/1"}
	b.together(b.open("1", "2", "3", "4"), "1", "2", "3", "4")
	require.Equal(t, map[string]int{"goal/1": 1, "other/1": 1}, c.asked)
	read := b.post(oneGoal, "1").Verdict
	require.Empty(t, read.SameAs)
	for _, id := range []string{"2", "3"} {
		v := b.post(oneGoal, id).Verdict
		require.Equal(t, footy.ClipID(digest("goal/1")), v.SameAs, "the original, not a copy of it")
		require.Equal(t, read.Readings, v.Readings)
		require.Equal(t, footy.OutcomeVerified, v.Outcome)
		require.Equal(t, read.Model, v.Model)
	}
	require.Empty(t, b.post(oneGoal, "4").Verdict.SameAs)

	rows := b.rows(oneGoal, footy.EntryVerdict)
	require.Len(t, rows, 4)
	for _, r := range rows {
		said := explain.Row(r, func(id string) string { return map[string]string{footy.ClipID(digest("goal/1")): "clip 1"}[id] })
		require.Equal(t, r.PostID == "2" || r.PostID == "3", strings.Contains(said, "; same footage as clip 1"), said)
	}
}

// TestTheAnswerThatServesMostComesFirst: a part says nothing about the whole.
func TestTheAnswerThatServesMostComesFirst(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := newCinema(b)
	b.x.film = map[string]string{"1": "goal/part", "2": "other/1", "3": "goal/whole", "4": "goal/whole2"}
	b.together(b.open("1", "2", "3", "4"), "1", "2", "3", "4")
	require.Equal(t, map[string]int{"goal/whole": 1, "other/1": 1}, c.asked)
	require.Equal(t, footy.ClipID(digest("goal/whole")), b.post(oneGoal, "1").Verdict.SameAs)
}

// TestARefusalHoldsForNoCopy: the clock of one may have been drawn over the goal's own.
func TestARefusalHoldsForNoCopy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := newCinema(b)
	c.clock["goal/1"] = "12:3"
	b.x.film = map[string]string{"1": "goal/1", "2": "goal/2", "3": "goal/3"}
	for _, id := range []string{"1", "2", "3"} {
		in := b.open(id)
		b.batch(in.Download, in)
	}
	require.Equal(t, map[string]int{"goal/1": 1, "goal/2": 1}, c.asked)
	states := b.states(oneGoal)
	require.Equal(t, "refused wrong_minute", states["1"])
	require.ElementsMatch(t, []string{"published", "merged"}, []string{states["2"], states["3"]})
}

// TestARefusalHoldsWhereTheClockReaderSaysTheSame: then no clock is drawn over one of the two.
func TestARefusalHoldsWhereTheClockReaderSaysTheSame(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := newCinema(b)
	b.down.Clock = true
	c.clock["goal/1"], c.abstained = "12:3", map[string]clockface.Reason{"goal/1": clockface.NoBeat, "goal/2": clockface.NoBeat, "goal/3": clockface.Ambiguous}
	b.x.film = map[string]string{"1": "goal/1", "2": "goal/2", "3": "goal/3"}
	for _, id := range []string{"1", "2", "3"} {
		in := b.open(id)
		b.batch(in.Download, in)
	}
	require.Equal(t, map[string]int{"goal/1": 1, "goal/3": 1}, c.asked)
}

// TestASiblingGoalAsksNothingAgain: the other goal's minute is held against what was read.
func TestASiblingGoalAsksNothingAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := newCinema(b)
	b.goal(sibling, 20)
	c.clock["goal/1"], c.clock["goal/2"] = "19:1", "19:1"
	b.x.film = map[string]string{"1": "goal/1", "2": "goal/2"}
	in := b.open("1", "2")
	b.batch(in.Download, in)
	b.over(oneGoal)
	b.over(sibling)
	b.settle(10 * time.Minute)
	require.Len(t, c.asked, 1)
	var first string // whichever was here first
	for first = range c.asked {
	}
	require.Equal(t, map[string]string{"1": "refused sibling_goal", "2": "refused sibling_goal"}, b.states(oneGoal))
	for _, id := range []string{"1", "2"} {
		v := b.post(sibling, id).Verdict
		require.Equal(t, footy.OutcomeVerified, v.Outcome)
		require.Equal(t, footy.ClipID(digest(first)), v.SameAs)
	}
}

// TestWhatWasJudgedIsRemembered: when nothing is left of the files that were looked at.
func TestWhatWasJudgedIsRemembered(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := newCinema(b)
	b.goal(sibling, 20)
	c.clock["goal/1"] = "19:1" // refused: its bytes are not kept
	b.x.film = map[string]string{"1": "goal/1", "2": "goal/2", "3": "goal/3", "4": "goal/4"}
	in := b.open("1")
	b.batch(in.Download, in)
	var staged []string
	require.NoError(t, b.blob.List(t.Context(), blob.StagingPrefix, func(at blob.Attributes) error { staged = append(staged, at.Key); return nil }))
	require.NotEmpty(t, staged)
	for _, key := range staged {
		require.NoError(t, b.blob.Delete(t.Context(), key))
	}

	in = b.open("2")
	c.eyes.set(nil, trouble(footy.ReasonModelUnreachable)) // a model that is down is not needed either
	b.batch(in.Download, in)
	require.Equal(t, "refused sibling_goal", b.states(oneGoal)["2"])
	require.Equal(t, 1, c.askedOf("goal/1", "goal/2"))
	c.eyes.set(nil, nil)

	// Without what it is recognised by, it is asked about.
	require.NoError(t, b.blob.Delete(t.Context(), b.post(oneGoal, "1").Media.FootageKey))
	in = b.open("3")
	b.batch(in.Download, in)
	require.Equal(t, "published", b.states(oneGoal)["3"])
	require.Equal(t, 1, c.askedOf("goal/3"))

	// A storage that fails is no answer.
	in = b.open("4")
	must[any](b, download.RegisterDownload, in)
	must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"4"}})
	b.blob.set(0, false, func() error { return errors.New("no route") })
	must[any](b, download.Validate, download.ValidateInput{Input: in, Posts: []string{"4"}})
	b.blob.set(0, false, nil)
	require.Equal(t, "waiting storage", b.states(oneGoal)["4"])
	require.Equal(t, 0, c.askedOf("goal/4"))
}

// TestQuestionsAboutWhatWasLookedAt prints a table of docs/bench.md. Before, nobody remembered by what footage is recognised.
func TestQuestionsAboutWhatWasLookedAt(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	fmt.Fprintf(&table, "%-8s %9s %14s %13s\n", "", "at first", "after restart", "second round")
	for _, remembers := range []bool{false, true} {
		b := newBench(t)
		c := newCinema(b)
		b.x.film = map[string]string{"1": "goal/1", "2": "goal/2", "3": "goal/3"}
		asked := []int{0}
		find := func(id string) {
			for _, p := range b.posts(oneGoal) {
				if p.Media != nil && !remembers {
					require.NoError(t, b.blob.Delete(t.Context(), p.Media.FootageKey))
				}
			}
			in := b.open(id)
			b.batch(in.Download, in)
			asked = append(asked, c.askedOf("goal/1", "goal/2", "goal/3"))
		}
		find("1")
		b.down = b.worker()
		b.down.Decoder, b.down.Reader = c, c
		find("2")
		b.changeEvent(oneGoal, func(e *footy.Event) { e.Round = footy.Round{Number: 2, OpenedAt: b.now()} })
		find("3")
		require.Equal(t, map[bool][]int{false: {0, 1, 2, 3}, true: {0, 1, 1, 1}}[remembers], asked)
		fmt.Fprintf(&table, "%-8s %9d %14d %13d\n", map[bool]string{false: "before", true: "now"}[remembers], asked[1], asked[2]-asked[1], asked[3]-asked[2])
	}
	t.Log("\n" + table.String())
}

// TestWhatAGoalIsRecognisedByGoesWithIt: for as long as its other pictures.
func TestWhatAGoalIsRecognisedByGoesWithIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	newCinema(b)
	in := b.open("1")
	b.batch(in.Download, in)
	key := b.post(oneGoal, "1").Media.FootageKey
	require.Equal(t, blob.FootageKey(oneGoal, digest("1")), key)
	at, err := b.blob.Stat(t.Context(), key)
	require.NoError(t, err)
	require.LessOrEqual(t, at.Size, int64(48<<10))
	f, err := b.store.Fixture(t.Context(), matchID)
	require.NoError(t, err)
	require.NoError(t, b.old.Erase(t.Context(), f))
	_, err = b.blob.Stat(t.Context(), key)
	require.True(t, footy.IsNotFound(err))
}
