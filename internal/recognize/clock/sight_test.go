package clock_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
)

// TestAClockAloneProvesNoCard: many things happen in a minute. What is not a goal must be seen, and a goal's clip must not show the card of
// its minutes.
func TestAClockAloneProvesNoCard(t *testing.T) {
	t.Parallel()
	of := func(k footy.Kind, siblings ...clock.Sibling) clock.Question {
		return clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3, Kind: k, Siblings: siblings}
	}
	at := func(k footy.Kind, minute int) clock.Sibling {
		return clock.Sibling{UID: "other", Minute: footy.Minute{Elapsed: minute}, Kind: k}
	}
	removed := func(minute int) clock.Sibling {
		s := at(footy.KindGoal, minute)
		s.Removed = true
		return s
	}
	for name, c := range map[string]struct {
		q     clock.Question
		shows string // in the last frame; "" = nobody asked
		want  footy.Outcome
		says  string
	}{
		"a card that is seen":                      {of(footy.KindRedCard), "red_card", footy.OutcomeVerified, ""},
		"a card that is not seen":                  {of(footy.KindRedCard), "nothing", footy.OutcomeUnverified, "no frame shows the red card"},
		"a card of another colour":                 {of(footy.KindRedCard), "yellow_card", footy.OutcomeUnverified, "no frame shows the red card"},
		"a card, and no model":                     {of(footy.KindYellowCard), "", footy.OutcomeUnverified, "no model has looked for the yellow card"},
		"a decision, and no model":                 {of(footy.KindVAR), "", footy.OutcomeUnverified, "no model has looked for the VAR decision"},
		"a penalty, and no model":                  {of(footy.KindMissedPenalty), "", footy.OutcomeUnverified, "no model has looked for the missed penalty"},
		"a decision of the other team's goal":      {of(footy.KindVAR, at(footy.KindGoal, 68)), "nothing", footy.OutcomeUnverified, "no frame shows the VAR decision"},
		"a card in the minute of a goal":           {of(footy.KindRedCard, at(footy.KindGoal, 68)), "red_card", footy.OutcomeVerified, ""},
		"a card that a goal is nearer to":          {of(footy.KindRedCard, at(footy.KindGoal, 69)), "red_card", footy.OutcomeRejected, "nearer to the event of 69'"},
		"a goal alone":                             {of(footy.KindGoal), "", footy.OutcomeVerified, ""},
		"a goal in the minute of a card":           {of(footy.KindGoal, at(footy.KindRedCard, 68)), "nothing", footy.OutcomeVerified, ""},
		"a goal of which the card is seen":         {of(footy.KindGoal, at(footy.KindRedCard, 67)), "red_card", footy.OutcomeUnverified, "a frame shows the red card of 67'"},
		"a goal in a card's minute, and no model":  {of(footy.KindGoal, at(footy.KindRedCard, 68)), "", footy.OutcomeUnverified, "it may show the red card of 68'"},
		"a goal with a card further off, no model": {of(footy.KindGoal, at(footy.KindRedCard, 66)), "", footy.OutcomeVerified, ""},
		"a goal with a nearer cancelled one":       {of(footy.KindGoal, removed(69)), "", footy.OutcomeRejected, "nearer to the event of 69'"},
		"a goal that was cancelled and came back":  {of(footy.KindGoal, removed(68)), "", footy.OutcomeVerified, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pictures := []footy.Reading{{At: 1, Soccer: true}, {At: 3, Soccer: true}, {At: 5, Soccer: true}}
			if c.shows != "" {
				pictures[0].Shows, pictures[1].Shows, pictures[2].Shows = footy.ShowsNothing, footy.ShowsNothing, c.shows
			}
			minute := 67
			if len(c.q.Siblings) > 0 && c.q.Siblings[0].Minute.Elapsed == 69 {
				minute = 68
			}
			own, _ := clock.CheckRunning(from(minute, 20, 8), c.q)
			v := clock.WithPicture(c.q, own, pictures, "m")
			if c.shows == "" {
				v = clock.WithoutModel(c.q, own, true)
			}
			require.Equal(t, c.want, v.Outcome, v.Detail)
			require.Contains(t, v.Detail, c.says)

			var read []footy.Reading
			for i, p := range pictures {
				p.Clock = fmt.Sprintf("%d:2%d", minute, i)
				read = append(read, p)
			}
			v = clock.Check(read, c.q)
			require.Equal(t, c.want, v.Outcome, "as a model reads the clock: %s", v.Detail)
			require.Contains(t, v.Detail, c.says)
		})
	}
}
