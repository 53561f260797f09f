package debounce_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

// BenchmarkVote is what a poll pays for one match in which nothing is new: the look whether a decision is
// due, which every fixture gets, and the decision.
func BenchmarkVote(b *testing.B) {
	for _, goals := range []int{0, 4, 16} {
		m := newMatch(b)
		var events []footy.FeedEvent
		for i := range goals {
			events = append(events, goal(home, int64(100+i), fmt.Sprintf("Player %c", 'A'+i), 3*i+1))
		}
		for range 3 {
			m.sees(events...)
		}
		s := answer(events)
		b.Run(fmt.Sprintf("due/%d goals", goals), func(b *testing.B) {
			b.ReportAllocs()
			rules := cycle.Rules{Votes: m.o, Windows: lifecycle.Defaults()}
			for b.Loop() {
				if rules.Due(m.f, s, m.now()) {
					b.Fatal("nothing is new")
				}
			}
		})
		b.Run(fmt.Sprintf("decide/%d goals", goals), func(b *testing.B) {
			b.ReportAllocs()
			for n := 10; b.Loop(); n++ {
				m.poll = n
				debounce.Decide(&m.f, s, debounce.Poll{ID: fmt.Sprint(n), Now: m.now()}, m.o)
			}
		})
		require.Len(b, m.f.Events, goals)
	}
}
