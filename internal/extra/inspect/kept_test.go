package inspect_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

type keptAnswers struct {
	store.Answers
	list []store.KeptAnswer
}

func (k keptAnswers) KeptAnswers(context.Context, int64) ([]store.KeptAnswer, error) {
	return k.list, nil
}

// TestWhatWasKeptOfAMatchIsReplayed: a person's report is a file, of either feed. A goal that stood for a minute is certain, one that was gone at
// the next look is not, and one that is missing to the end is removed.
func TestWhatWasKeptOfAMatchIsReplayed(t *testing.T) {
	t.Parallel()
	const (
		football = `{"fixture":{"id":7,"date":"2026-11-14T15:00:00Z","status":{"short":"1H","elapsed":%d}},"teams":{"home":{"id":40},"away":{"id":42}},"goals":{"home":%d,"away":0},"events":[%s]}`
		scored   = `{"time":{"elapsed":9},"team":{"id":40},"player":{"id":70,"name":"M. Salah"},"type":"Goal","detail":"Normal Goal"}`
		board    = `{"id":"7","date":"2026-11-14T15:00Z","competitions":[{"status":{"displayClock":"%d'","type":{"name":"STATUS_FIRST_HALF","state":"in"}},"competitors":[` +
			`{"homeAway":"home","score":"%d","team":{"id":"40","displayName":"Liverpool"}},{"homeAway":"away","score":"0","team":{"id":"42","displayName":"Arsenal"}}],"details":[%s]}],"leagues":[{"slug":"eng.1"}]}`
		detail = `{"type":{"text":"Goal"},"clock":{"displayValue":"9'"},"team":{"id":"40"},"scoringPlay":true,"athletesInvolved":[{"id":"70","displayName":"M. Salah"}]}`
	)
	at := time.Date(2026, 11, 14, 15, 10, 0, 0, time.UTC)
	for name, form := range map[string][2]string{"API-Football": {football, scored}, "ESPN": {board, detail}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play := func(stood time.Duration, back bool) (kinds []footy.EntryKind) {
				list := []store.KeptAnswer{{Answered: at, PollID: "a", Said: fmt.Sprintf(form[0], 8, 0, "")},
					{Answered: at.Add(5 * time.Minute), PollID: "b", Said: fmt.Sprintf(form[0], 9, 1, form[1])}}
				if back {
					list = append(list, store.KeptAnswer{Answered: at.Add(5*time.Minute + stood), PollID: "c", Said: fmt.Sprintf(form[0], 10, 0, "")})
				}
				var file bytes.Buffer
				require.NoError(t, inspect.Answers(t.Context(), keptAnswers{list: list}, 7, &file))
				path := filepath.Join(t.TempDir(), "match.jsonl")
				require.NoError(t, os.WriteFile(path, file.Bytes(), 0o600))
				o := inspect.ReplayOptions{Rules: cycle.Rules{Votes: debounce.Defaults(), Windows: lifecycle.Defaults()}}
				require.NoError(t, inspect.Replay([]string{path}, o, func(row fmt.Stringer) error {
					if r, ok := row.(inspect.Row); ok {
						require.EqualValues(t, 7, r.Fixture)
						kinds = append(kinds, r.Decision)
					}
					return nil
				}))
				return kinds
			}
			require.Contains(t, play(0, false), footy.EntryCertain, "the feed said it until the end")
			short := play(30*time.Second, true)
			require.NotContains(t, short, footy.EntryCertain)
			require.Contains(t, short, footy.EntryRemoved)
			long := play(2*time.Minute, true)
			require.Contains(t, long, footy.EntryCertain)
			require.Contains(t, long, footy.EntryRemoved)
		})
	}
	err := inspect.Answers(t.Context(), keptAnswers{}, 7, os.Stdout)
	require.Equal(t, footy.CodeNotFound, footy.CodeOf(err))
	require.ErrorContains(t, err, "no answer about match 7 is kept")
}
