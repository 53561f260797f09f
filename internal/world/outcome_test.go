package world_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
)

// perfect is the outcome of a product that makes no mistake.
func perfect(s *script.Script) world.Outcome {
	serial := 0
	o := world.Outcome{Duplicates: s.Expect.Duplicates, Redirects: s.Expect.Redirects, Rejected: s.Refused()}
	for _, f := range s.Fixtures {
		if f.Expect.Stage == "absent" {
			for _, e := range f.Events {
				serial += len(e.Posts)
			}
			continue
		}
		fo := world.FixtureOutcome{ID: f.ID, Stage: f.Expect.Stage}
		if f.Expect.Home != nil {
			fo.Home, fo.Away = *f.Expect.Home, *f.Expect.Away
		}
		o.Fixtures = append(o.Fixtures, fo)
		for _, e := range f.Events {
			first := serial
			serial += len(e.Posts)
			kind := script.Goal
			if !script.Scores(e.Kind) {
				if kind = e.Kind; kind != script.RedCard && !s.WithEveryKind() {
					continue
				}
			}
			g := world.GoalOutcome{Fixture: f.ID, Kind: kind, Player: post.FinalPlayer(e).Name, Minute: e.Minute, Extra: e.Extra, Complete: true, FormerIDs: []string{"x"}}
			g.Posts = map[string]world.PostOutcome{}
			for i := range e.Posts {
				g.Posts[strconv.FormatInt(7<<22|int64(first+i+1), 10)] = world.PostOutcome{Clip: strconv.Itoa(i), Stands: "best"}
			}
			if x := e.Expect; x != nil {
				g.Removed = x.Removed
				if x.Clips != nil {
					g.Clips, g.Verified, g.BestPopularity = x.Clips.Min, x.Clips.Min, 10
					if kind != script.Goal && s.WithoutModel() {
						g.Verified = 0
					}
					if x.Popularity != nil && x.Popularity.Max != nil {
						g.BestPopularity = *x.Popularity.Max
					}
				}
			}
			o.Goals = append(o.Goals, g)
		}
	}
	return o
}

func TestAPerfectDayMeetsEveryExpectation(t *testing.T) {
	t.Parallel()
	s := script.Default()
	require.Empty(t, world.Check(s, perfect(s)))
	require.Greater(t, world.Expectations(s), 100)
	require.NotEmpty(t, world.Check(s, world.Outcome{}))
}

// TestWhatIsExpectedOfAMissingGoalIsNotMet: it is not reported beside the goal itself, and counted as met.
func TestWhatIsExpectedOfAMissingGoalIsNotMet(t *testing.T) {
	t.Parallel()
	s := script.Default()
	o := perfect(s)
	require.Equal(t, world.Expectations(s), world.Met(s, o))
	at(&o, "K. Ødemark").Player = "Nobody"
	failed := world.Check(s, o)
	require.Len(t, failed, 1)
	require.Contains(t, failed[0].String(), "the goal is known")
	require.Less(t, world.Met(s, o), world.Expectations(s)-len(failed)-2, "its clips, that they are verified, and that its search is complete")
}

func TestACompilationIsOfBothItsGoals(t *testing.T) {
	t.Parallel()
	s := script.Default()
	o := perfect(s)
	become(&o, "D. Marlowe", 4, world.PostOutcome{Clip: "4", Stands: "4", Verified: true})
	become(&o, "D. Marlowe", 5, world.PostOutcome{Clip: "5", Stands: "5", Verified: true})
	become(&o, "D. Marlowe", 6, world.PostOutcome{Clip: "6", Stands: "4", Verified: true})
	require.Empty(t, world.WronglyVerified(s, o), "and what is hidden behind another clip is not shown")
}

func TestAFailureNamesTheGoal(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		spoil func(o *world.Outcome)
		want  []string
	}{
		"a clip missing":  {func(o *world.Outcome) { at(o, "K. Ødemark").Clips = 0 }, []string{"K. Ødemark 78'", "expected 1 clips, observed 0"}},
		"kept after VAR":  {func(o *world.Outcome) { removedGoal(o).Removed = false }, []string{"F. Bellucci 39'", "removed true"}},
		"not redirected":  {func(o *world.Outcome) { at(o, "W. Pemberton").FormerIDs = nil }, []string{"W. Pemberton", "former id"}},
		"search dangling": {func(o *world.Outcome) { at(o, "R. MacAllan").Complete = false }, []string{"R. MacAllan", "incomplete"}},
		"wrong score":     {func(o *world.Outcome) { o.Fixtures[0].Home = 7 }, []string{"Liverpool", "observed 7-1"}},
		"not completed":   {func(o *world.Outcome) { o.Fixtures[0].Stage = "active" }, []string{"Liverpool", "stage active"}},
		"a phantom goal": {func(o *world.Outcome) {
			o.Goals = append(o.Goals, world.GoalOutcome{Fixture: 1300106, Kind: "goal", Player: "I. Robledo", Minute: 120, Extra: 1})
		}, []string{"Atletico Madrid", "observed 3"}},
		"a card missing": {func(o *world.Outcome) { at(o, "L. Graves").Clips = 0 }, []string{"L. Graves 52'", "expected 1 clips, observed 0"}},
		"a mirrored copy shown beside the original": {func(o *world.Outcome) { become(o, "D. Marlowe", 2, world.PostOutcome{Clip: "2", Stands: "2"}) },
			[]string{"D. Marlowe 67'", "the mirrored post", "one clip with the master", "stands for itself"}},
		"a cropped copy that was lost": {func(o *world.Outcome) { become(o, "D. Marlowe", 0, world.PostOutcome{}) },
			[]string{"the cropped post", "no clip was made of it"}},
		"a compilation that swallowed a goal": {func(o *world.Outcome) {
			become(o, "D. Marlowe", 4, world.PostOutcome{Clip: "4", Stands: "5"})
		}, []string{"the compilation post", "stands for no other post", "it stands for the master"}},
		"an old goal that is shown as proven": {func(o *world.Outcome) {
			become(o, "D. Marlowe", 6, world.PostOutcome{Clip: "6", Stands: "6", Verified: true})
		}, []string{"no verified clip that shows something else", "D. Marlowe 67' has the oldgoal posted for"}},
		"a quote offered as a post of its own": {func(o *world.Outcome) { takeUp(o, "A. Casals", 6) }, []string{"A. Casals 31'", "the quote post", "belongs to the post it quotes", "under its own id"}},
		"an old video, quoted":                 {func(o *world.Outcome) { takeUp(o, "A. Casals", 5) }, []string{"A. Casals 31'", "older than the goal"}},
		"a shoot-out kick taken for an event": {func(o *world.Outcome) {
			o.Goals = append(o.Goals, world.GoalOutcome{Fixture: 1300106, Kind: "shootout", Player: "I. Robledo", Minute: 120, Extra: 1})
		}, []string{"no event of a kind that is not followed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := script.Default()
			o := perfect(s)
			tt.spoil(&o)
			failed := world.Check(s, o)
			require.NotEmpty(t, failed)
			text := ""
			for _, f := range failed {
				text += f.String() + "\n"
			}
			for _, w := range tt.want {
				require.Contains(t, text, w)
			}
		})
	}
}

// become changes what became of a goal's n-th post; the zero outcome takes its clip away.
func become(o *world.Outcome, player string, n int, p world.PostOutcome) {
	g := &o.Goals[slices.IndexFunc(o.Goals, func(g world.GoalOutcome) bool { return g.Player == player && len(g.Posts) == 8 })]
	ids := slices.Sorted(maps.Keys(g.Posts))
	if g.Posts[ids[n]] = p; p.Clip == "" {
		delete(g.Posts, ids[n])
	}
}

// takeUp makes the product take up a goal's n-th post.
func takeUp(o *world.Outcome, player string, n int) {
	g := at(o, player)
	g.TakenUp = append(g.TakenUp, slices.Sorted(maps.Keys(g.Posts))[n])
}

func at(o *world.Outcome, player string) *world.GoalOutcome {
	for i := range o.Goals {
		if o.Goals[i].Player == player {
			return &o.Goals[i]
		}
	}
	return nil
}

func removedGoal(o *world.Outcome) *world.GoalOutcome {
	for i := range o.Goals {
		if o.Goals[i].Removed {
			return &o.Goals[i]
		}
	}
	return nil
}

func TestAScriptThatWantsOneMoreClipFails(t *testing.T) {
	t.Parallel()
	s := script.Default()
	o := perfect(s)
	data, err := json.Marshal(s)
	require.NoError(t, err)
	edited, err := script.Parse(data)
	require.NoError(t, err, "a script survives its own encoding")
	for i := range edited.Fixtures[0].Events {
		if e := &edited.Fixtures[0].Events[i]; e.Key == "reply" {
			two := 2
			e.Expect.Clips = &script.Range{Min: 2, Max: &two}
		}
	}
	failed := world.Check(edited, o)
	require.Len(t, failed, 1)
	require.Contains(t, failed[0].Where, "K. Ødemark")
}
