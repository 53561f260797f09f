package calls_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/decide/match/calls"
)

const together = 20

var (
	paid    = calls.Can{IDs: true, Live: true}
	free    = calls.Can{Live: true}
	noList  = calls.Can{IDs: true}
	minimal = calls.Can{}

	noLimit = calls.Budget{Now: -1, Apart: -1}
)

// due makes matches with ids from 1 on: so many under way, then expected, expected and due by id, apart.
func due(underWay, expected, slot, apart int) []calls.Match {
	var out []calls.Match
	add := func(n int, m calls.Match) {
		for range n {
			m.ID = int64(len(out) + 1)
			out = append(out, m)
		}
	}
	add(underWay, calls.Match{Seen: calls.UnderWay})
	add(expected, calls.Match{Seen: calls.Expected})
	add(slot, calls.Match{Seen: calls.Expected, Slot: true})
	add(apart, calls.Match{Seen: calls.Apart})
	return out
}

// brief writes calls as kind:matches(+watched).
func brief(cs []calls.Call) string {
	var out []string
	for _, c := range cs {
		s := fmt.Sprintf("%s:%d", c.Kind, len(c.IDs))
		if len(c.Watch) > 0 {
			s += fmt.Sprintf("+%d", len(c.Watch))
		}
		out = append(out, s)
	}
	return strings.Join(out, ",")
}

func TestTheCheapestCallsThatSeeEveryMatch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		can  calls.Can
		due  []calls.Match
		want string
	}{
		{"nothing is due", paid, nil, ""},
		{"one match on a paid plan", paid, due(1, 0, 0, 0), "ids:1"},
		{"twenty share a call, which tells full time too", paid, due(20, 0, 0, 0), "ids:20"},
		{"twenty-one are cheaper as a list", paid, due(21, 0, 0, 0), "live:21"},
		{"sixty are one call", paid, due(60, 0, 0, 0), "live:60"},
		{"what the list does not show is asked by ids", paid, due(60, 0, 0, 15), "live:60,ids:15"},
		{"two chunks are not dearer than list and chunk", paid, due(30, 0, 0, 10), "ids:20,ids:20"},
		{"a crowd before its kickoff is watched", paid, due(0, 60, 0, 0), "live:0+60"},
		{"and asked by ids once a slot", paid, due(0, 0, 60, 0), "ids:20,ids:20,ids:20"},
		{"waiting matches need no list", paid, due(0, 0, 0, 60), "ids:20,ids:20,ids:20"},
		{"one match on a free plan", free, due(1, 0, 0, 0), "id:1"},
		{"five on a free plan", free, due(5, 0, 0, 0), "live:5"},
		{"five, and three that ended", free, due(5, 0, 0, 3), "live:5,id:1,id:1,id:1"},
		{"one under way and one that ended", free, due(1, 0, 0, 1), "id:1,id:1"},
		{"five about to begin", free, due(0, 5, 0, 0), "live:0+5"},
		{"one under way, one about to begin", free, due(1, 1, 0, 0), "live:1+1"},
		{"sixty on a free plan", free, due(60, 0, 0, 0), "live:60"},
		{"a plan without the list", noList, due(60, 0, 0, 0), "ids:20,ids:20,ids:20"},
		{"a plan with neither", minimal, due(3, 0, 0, 0), "id:1,id:1,id:1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, putOff := calls.Choose(tt.can, together, tt.due, noLimit)
			require.Equal(t, tt.want, brief(got))
			require.Zero(t, putOff)
		})
	}
}

func TestABudgetPutsOffWhatWasAskedLast(t *testing.T) {
	t.Parallel()
	long := time.Date(2026, 3, 7, 15, 0, 0, 0, time.UTC)
	all := due(5, 0, 0, 3)
	for i := range all {
		all[i].Asked = long.Add(time.Duration(-i) * time.Minute) // the last one has waited longest
	}
	got, putOff := calls.Choose(free, together, all, calls.Budget{Now: 3, Apart: -1})
	require.Equal(t, "live:5,id:1,id:1", brief(got))
	require.Equal(t, []int64{8}, got[1].IDs)
	require.Equal(t, 1, putOff)
	got, putOff = calls.Choose(free, together, all, calls.Budget{Now: 9, Apart: 0})
	require.Equal(t, "live:5", brief(got), "the list goes before matches that are over")
	require.Equal(t, 3, putOff)
	got, putOff = calls.Choose(free, together, all, calls.Budget{Now: 0, Apart: 1})
	require.Empty(t, got, "the minute is over soon")
	require.Equal(t, 8, putOff)
	got, putOff = calls.Choose(free, together, due(1, 0, 0, 3), calls.Budget{Now: 9, Apart: 1})
	require.Equal(t, "id:1,id:1", brief(got))
	require.Equal(t, 2, putOff)
	got, putOff = calls.Choose(minimal, together, all, calls.Budget{Now: 2, Apart: 0})
	require.Equal(t, "id:1,id:1", brief(got))
	require.Equal(t, []int64{5, 4}, []int64{got[0].IDs[0], got[1].IDs[0]}, "goals come in matches under way")
	require.Equal(t, 6, putOff)
}

func TestEveryDueMatchIsInOneCallAndNoPlanPaysMoreThanByIDs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		can := calls.Can{IDs: rapid.Bool().Draw(rt, "ids"), Live: rapid.Bool().Draw(rt, "live")}
		n := func(name string) int { return rapid.IntRange(0, 45).Draw(rt, name) }
		all := due(n("under way"), n("expected"), n("slot"), n("apart"))
		got, putOff := calls.Choose(can, together, all, noLimit)
		require.Zero(rt, putOff)
		seen := map[int64]int{}
		for _, c := range got {
			for _, id := range append(c.IDs, c.Watch...) {
				seen[id]++
			}
			switch c.Kind {
			case calls.Live:
				require.True(rt, can.Live)
			case calls.IDs:
				require.True(rt, can.IDs && len(c.IDs) <= together && len(c.Watch) == 0)
			default:
				require.True(rt, !can.IDs && len(c.IDs) == 1 && len(c.Watch) == 0)
			}
		}
		require.Len(rt, seen, len(all))
		for id, n := range seen {
			require.Equal(rt, 1, n, "match %d", id)
		}
		ids := make([]int64, len(all))
		plain, _ := calls.ByID(can, together, ids, -1)
		require.LessOrEqual(rt, len(got), len(plain))
		mix := calls.Mix{}
		for _, m := range all {
			switch {
			case m.Seen == calls.UnderWay:
				mix.UnderWay++
			case m.Seen == calls.Apart:
				mix.Apart++
			case m.Slot:
				mix.Slot++
			default:
				mix.Expected++
			}
		}
		require.Len(rt, got, calls.Cost(can, together, mix), "what is reckoned with is what is asked")
		shuffled := rapid.Permutation(all).Draw(rt, "order")
		again, _ := calls.Choose(can, together, shuffled, noLimit)
		require.Equal(rt, got, again)
	})
}

func TestAPlanIsKnownByItsAnswers(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
	var p calls.Plan
	require.Equal(t, paid, p.Can(noon), "what is not known is tried")
	p, news := p.Learn(calls.IDs, calls.Ability{At: noon, Said: "Free plans do not have access to the Ids parameter."})
	require.True(t, news)
	require.Equal(t, free, p.Can(noon.Add(11*time.Hour)))
	require.Equal(t, paid, p.Can(noon.Add(13*time.Hour)), "once a day it is tried again")
	require.True(t, p.Refused(calls.IDs))
	require.Equal(t, 10, p.MinuteLimit(-1))
	require.Equal(t, 300, p.MinuteLimit(300))
	_, news = p.Learn(calls.IDs, calls.Ability{At: noon.Add(time.Minute)})
	require.False(t, news)
	_, news = p.Learn(calls.IDs, calls.Ability{At: noon.Add(13 * time.Hour)})
	require.True(t, news, "refused again on another day")
	before := p
	p, news = p.Learn(calls.IDs, calls.Ability{Allowed: true, At: noon.Add(13 * time.Hour)})
	require.True(t, news, "a larger plan was bought")
	require.True(t, before.Refused(calls.IDs), "and nobody else's copy changed")
	_, news = p.Learn(calls.IDs, calls.Ability{Allowed: true, At: noon.Add(50 * time.Hour)})
	require.False(t, news)
	require.Zero(t, p.MinuteLimit(-1))
}
