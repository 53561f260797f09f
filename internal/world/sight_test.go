package world_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

// seen is what a person sees of a product that does all that a sight wants.
func seen(s *script.Script, want *script.Sight, goals []world.GoalOutcome) world.Seen {
	out := world.Seen{Waiting: map[string]int{}, Waits: map[string]bool{}, Pages: map[string]string{}}
	if want == nil {
		return out
	}
	for _, p := range want.Health {
		out.Health = append(out.Health, world.PartSeen{Part: p.Part, State: "ok"}, world.PartSeen{Part: p.Part, State: p.State, Reason: "It " + p.Says, Remedy: p.Remedy + "."})
	}
	maps.Copy(out.Waiting, want.Waiting)
	text := ""
	for _, t := range want.Pages {
		text += " " + t
	}
	out.Goals = slices.Clone(goals)
	for i := range out.Goals {
		g := &out.Goals[i]
		if want.Clips != nil && want.Clips.Max != nil && *want.Clips.Max == 0 {
			g.Clips = 0
		}
		out.Pages[g.EventID] = text
		out.Waits[g.EventID] = len(want.Waiting) > 0
		for name, more := range want.PagesOf {
			if _, e, _ := s.Goal(name); e.Player.Name == g.Player {
				for _, t := range more {
					out.Pages[g.EventID] += " " + t
				}
			}
		}
	}
	return out
}

// inMode is the short day in a mode, and the outcome of a product that makes no mistake in it.
func inMode(t *testing.T, mode string) (*script.Script, world.Outcome) {
	t.Helper()
	s := script.Short()
	require.NoError(t, s.With(mode))
	o := perfect(s)
	for i := range o.Goals {
		g := &o.Goals[i]
		g.EventID = g.Player
		g.FirstClip, g.LastVerdict = time.Unix(int64(i), 0), time.Unix(100, 0)
	}
	m := s.Played()[0]
	o.While, o.End = map[string]world.Seen{mode: seen(s, m.While, o.Goals)}, seen(s, m.End, o.Goals)
	return s, o
}

func TestInEachModeAPersonSeesWhatIsWanted(t *testing.T) {
	t.Parallel()
	s := script.Short()
	require.Empty(t, world.Check(s, perfect(s)), "without a mode the short day expects what days expect")
	plain := world.Expectations(s)
	for _, m := range s.Manners {
		day, o := inMode(t, m.Mode.Mode)
		require.Empty(t, world.Check(day, o), m.Mode.Mode)
		if m.Mode.Mode != script.Nothing { // on which nobody sees what stands on X
			require.Greater(t, world.Expectations(day), plain, "%s asks for more than a day without it", m.Mode.Mode)
		}
		o.While, o.End = nil, world.Seen{}
		for i := range o.Goals {
			o.Goals[i].FirstClip = time.Time{}
		}
		o.Rejected["geo_blocked"], o.Rejected["model_slow"], o.Rejected["model_context"] = 1, 1, 1
		require.NotEmpty(t, world.Check(day, o), "%s: nothing of it was seen", m.Mode.Mode)
	}
}

func TestWhatAPersonMissesIsNamed(t *testing.T) {
	t.Parallel()
	blind := func(o *world.Outcome, change func(*world.Seen)) {
		seen := o.While["blind_model"]
		change(&seen)
		o.While["blind_model"] = seen
	}
	for name, tt := range map[string]struct {
		mode  string
		spoil func(o *world.Outcome)
		want  string
	}{
		"a clip that nobody has proven": {"blind_model", func(o *world.Outcome) { blind(o, func(s *world.Seen) { s.Goals[2].Clips = 1 }) },
			"while blind_model holds: expected 0 clips of all goals, observed 1"},
		"health that is green": {"blind_model", func(o *world.Outcome) {
			blind(o, func(s *world.Seen) { s.Health = []world.PartSeen{{Part: "model", State: "ok"}} })
		}, `expected health says of model that it is down: "cannot see pictures", and what to do: "vision model", observed ok`},
		"health that says not what to do": {"blind_model", func(o *world.Outcome) {
			blind(o, func(s *world.Seen) { s.Health[1].Remedy = "" })
		}, `and what to do: "vision model"`},
		"health that stays red": {"blind_model", func(o *world.Outcome) { o.End.Health = o.End.Health[:0] }, "after a day with blind_model: expected health says of model that it is ok"},
		"posts that do not wait": {"blind_model", func(o *world.Outcome) { blind(o, func(s *world.Seen) { s.Waiting = map[string]int{"model_slow": 9} }) },
			"posts that wait for model_blind, observed 0 of map[model_slow:9]"},
		"a page that says nothing": {"blind_model", func(o *world.Outcome) { blind(o, func(s *world.Seen) { s.Pages["D. Marlowe"] = "" }) },
			"not on those of [D. Marlowe]"},
		"no page at all":                    {"blind_model", func(o *world.Outcome) { blind(o, func(s *world.Seen) { s.Waits = nil }) }, "of 0 such goals"},
		"a post refused for a trouble":      {"blocked_fetch", func(o *world.Outcome) { o.Rejected["geo_blocked"] = 2 }, "expected no post refused as geo_blocked, observed 2"},
		"an old goal before a new one":      {"stale_start", func(o *world.Outcome) { at(o, "K. Ødemark").FirstClip = time.Unix(200, 0) }, "the first clip of 1300101/level before the last verdict on 1300101/first"},
		"a late goal that is not called so": {"stale_start", func(o *world.Outcome) { o.End.Pages["D. Marlowe"] = "" }, "on the page of 1300101/first"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, o := inMode(t, tt.mode)
			tt.spoil(&o)
			text := ""
			for _, f := range world.Check(s, o) {
				text += f.String() + "\n"
			}
			require.Contains(t, text, tt.want)
		})
	}
}
