// Package rules makes of the settings the options of the rules that go by them.
package rules

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/config"
)

// Match are the numbers of the match rules.
func Match(t config.Track) (debounce.Options, lifecycle.Windows) {
	votes := debounce.Defaults()
	votes.Kinds, votes.ResetOnChange = Kinds(t.Kinds), t.ResetOnChange
	votes.Minute = time.Minute / time.Duration(max(t.TimeScale, 1))
	windows := lifecycle.Defaults().Scaled(t.TimeScale)
	windows.Unlisted = slices.Contains(votes.Kinds, footy.KindGoal)
	return votes, windows
}

// Posts are how long a goal's rounds search, and how long its posts are not touched.
func Posts(t config.Track) (round.Limits, ledger.Delays) {
	return policy.Defaults().Scaled(t.TimeScale).Limits(), ledger.DefaultDelays().Scaled(t.TimeScale)
}

// Kinds turns the names of a setting into kinds of events.
func Kinds(names []string) []footy.Kind {
	var out []footy.Kind
	for _, n := range names {
		if k, ok := footy.KindNamed(n); ok {
			out = append(out, k)
		}
	}
	return out
}
