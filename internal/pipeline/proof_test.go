package pipeline_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
)

// clockwork decodes films whose running clock can be read: film -> what it shows at first, in seconds.
type clockwork struct {
	filmed
	first map[string]int
	codes map[string][]string // beside it
	score *clockface.Score    // beside each
}

func (c clockwork) Decode(ctx context.Context, path string, p footy.Probe, w media.Wants) (media.Decoded, error) {
	d, err := c.filmed.Decode(ctx, path, p, w)
	d.Clock = clockface.Answer{Abstained: clockface.NoBeat}
	if first, ok := c.first[filmOf(path)]; ok && w.Clock {
		d.Clock = clockface.Answer{Speed: 1, Confidence: 0.9, Shown: []clockface.Plane{clockface.NewPlane(8, 4)}, Codes: c.codes[filmOf(path)], Score: c.score}
		for i := range 6 {
			d.Clock.Readings = append(d.Clock.Readings, clockface.Reading{At: float64(i), Clock: first + i})
		}
	}
	return d, err
}

func (b *bench) clocks(first map[string]int) {
	b.down.Clock, b.down.Decoder = true, clockwork{first: first}
}

func TestARunningClockGoesBeforeTheModel(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.clocks(map[string]int{"goal": 66*60 + 12, "old": 33*60 + 40})
	b.x.film = map[string]string{"1": "goal", "2": "old", "3": "silent"}
	in := b.open("1", "2", "3")
	b.batch(in.Download, in)
	require.Equal(t, map[string]int{"goal": 1}, b.model.looked, "of the goal's minute only the picture is asked about")
	require.Equal(t, map[string]int{"goal": 1, "silent": 1}, b.model.asked, "another minute is refused without a question")

	v := b.post(oneGoal, "1").Verdict
	require.Equal(t, footy.OutcomeVerified, v.Outcome, v.Detail)
	require.Equal(t, footy.ProofClock, v.Proof)
	require.Equal(t, "66:12", v.Running.Readings[0].Clock)
	require.Equal(t, blob.ClockKey(oneGoal, digest("goal")), v.Running.PictureKey)
	_, err := b.blob.Open(t.Context(), v.Running.PictureKey)
	require.NoError(t, err)
	require.Equal(t, "refused wrong_minute", b.states(oneGoal)["2"])
	require.Empty(t, b.post(oneGoal, "3").Verdict.Proof)
}

func TestCodesBesideTheClockSayWhichMatchItIs(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{false, true} {
		b := newBench(t)
		b.down.Clock, b.down.ModelFirst = true, first
		at := 66*60 + 12
		b.down.Decoder = clockwork{first: map[string]int{"own": at, "other": at, "half": at, "plain": at},
			codes: map[string][]string{"own": {"LIV", "ARS"}, "other": {"EVE", "CHE"}, "half": {"CHE"}, "plain": {"LIVE"}}}
		require.NoError(t, b.store.Add(t.Context(), footy.Fixture{ID: 2, Stage: footy.StageActive, Match: footy.Match{ID: 2, Kickoff: kickoff},
			Teams: footy.Teams{Home: footy.Team{ID: 45, Name: "Everton"}, Away: footy.Team{ID: 49, Name: "Chelsea"}}}))
		b.x.film = map[string]string{"1": "own", "2": "other", "3": "half", "4": "plain"}
		in := b.open("1", "2", "3", "4")
		b.batch(in.Download, in)
		require.Equal(t, "refused other_match", b.states(oneGoal)["2"])
		require.Contains(t, b.post(oneGoal, "2").Verdict.Detail, "the codes EVE and CHE beside the clock are of Everton against Chelsea")
		require.Equal(t, footy.OutcomeUnverified, b.post(oneGoal, "3").Verdict.Outcome)
		require.Equal(t, footy.OutcomeVerified, b.post(oneGoal, "4").Verdict.Outcome)
		v := b.post(oneGoal, "1").Verdict
		require.Equal(t, footy.OutcomeVerified, v.Outcome)
		if !first {
			require.Contains(t, v.Detail, "the codes LIV and ARS beside the clock are the teams'")
			require.Zero(t, b.model.asked["other"])
		}
	}
}

func TestAnotherMatchIsNotTakenForOneWithoutNames(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.down.Clock = true
	b.down.Decoder = clockwork{first: map[string]int{"other": 66*60 + 12}, codes: map[string][]string{"other": {"EVE", "CHE"}}}
	b.change(func(f *footy.Fixture) { f.Teams = footy.Teams{} })
	require.NoError(t, b.store.Add(t.Context(), footy.Fixture{ID: 2, Stage: footy.StageActive, Match: footy.Match{ID: 2, Kickoff: kickoff},
		Teams: footy.Teams{Home: footy.Team{ID: 45, Name: "Everton"}, Away: footy.Team{ID: 49, Name: "Chelsea"}}}))
	b.x.film = map[string]string{"1": "other"}
	in := b.open("1")
	b.batch(in.Download, in)
	require.Equal(t, "refused other_match", b.states(oneGoal)["1"])
}

func TestAModelThatGoesFirstReadsEachClip(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.clocks(map[string]int{"goal": 66*60 + 12, "blurred": 66*60 + 20, "old": 33*60 + 40})
	b.down.ModelFirst = true
	b.model.clock["blurred"] = "1:00:0" // no clock of a match
	b.x.film = map[string]string{"1": "goal", "2": "blurred", "3": "goal"}
	in := b.open("1", "2", "3")
	b.batch(in.Download, in)
	require.Empty(t, b.model.looked)
	one, other := b.post(oneGoal, "1").Verdict, b.post(oneGoal, "3").Verdict
	require.NotEqual(t, one.SameAs == "", other.SameAs == "", "whichever came first was read")
	require.Empty(t, one.Proof, "the model decided it")
	require.Empty(t, other.Proof, "also where what it read is taken over")
	v := b.post(oneGoal, "2").Verdict
	require.Equal(t, footy.OutcomeVerified, v.Outcome, "the clock decides what the model leaves open: %s", v.Detail)
	require.Equal(t, footy.ProofClock, v.Proof)
}

func TestWithoutAModelTheClockAloneProves(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.clocks(map[string]int{"goal": 66*60 + 12, "old": 33*60 + 40, "nameless": 66*60 + 30})
	b.down.Reader = nil
	b.x.film = map[string]string{"1": "goal", "2": "old", "3": "silent", "4": "nameless"}
	in := b.open("1", "2", "3", "4")
	_, err := b.store.Advance(t.Context(), oneGoal, "1", func(p footy.Post) (footy.Post, []footy.Entry, error) {
		p.Candidate.Text = "What a goal by SALAH!"
		return p, nil, nil
	})
	require.NoError(t, err)
	b.batch(in.Download, in)
	states := b.states(oneGoal)
	require.Equal(t, "refused wrong_minute", states["2"])
	require.Equal(t, "waiting no_model", states["3"], "what nobody can look at waits")
	v := b.post(oneGoal, "1").Verdict
	require.Equal(t, footy.ProofClock, v.Proof)
	require.Empty(t, v.Model)
	require.Equal(t, footy.OutcomeVerified, v.Outcome, v.Detail)
	require.Equal(t, footy.OutcomeUnverified, b.post(oneGoal, "4").Verdict.Outcome, "its post does not name the match")
}
