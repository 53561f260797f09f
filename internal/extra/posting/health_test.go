package posting_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/posting"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/health"
)

func TestHealthTellsWhichServiceDoesNotPostAsItShould(t *testing.T) {
	t.Parallel()
	now := time.Now()
	posted := func(ago time.Duration, change func(*rule.Posting)) rule.Posting {
		p := rule.Posting{Target: ago.String(), Service: "Bluesky", Step: rule.Done, Clip: "aa", At: now.Add(-ago)}
		if change != nil {
			change(&p)
		}
		return p
	}
	pictured := func(p *rule.Posting) {
		p.Picture = rule.Picture{Clip: "aa", Why: "verify the account's e-mail address"}
	}
	for name, c := range map[string]struct {
		posts []rule.Posting
		state health.State
		says  string
	}{
		"nothing was posted":               {nil, health.StateOK, ""},
		"a picture":                        {[]rule.Posting{posted(time.Minute, pictured)}, health.StateDegraded, "verify the account's e-mail"},
		"a video after a picture":          {[]rule.Posting{posted(time.Minute, nil), posted(time.Hour, pictured)}, health.StateOK, ""},
		"a clip that is too large":         {[]rule.Posting{posted(time.Minute, func(p *rule.Posting) { pictured(p); p.Picture.Reason = footy.ReasonTooLarge })}, health.StateOK, ""},
		"a try that failed":                {[]rule.Posting{posted(time.Minute, func(p *rule.Posting) { p.Step, p.Error, p.Tries = "", "HTTP 503", 1 })}, health.StateOK, ""},
		"tries that failed for a while":    {[]rule.Posting{posted(time.Minute, func(p *rule.Posting) { p.Step, p.Error, p.Tries = "", "HTTP 503", 5 })}, health.StateDegraded, "Not posted: HTTP 503"},
		"a post whose delivery is unknown": {[]rule.Posting{posted(time.Minute, func(p *rule.Posting) { p.Step, p.Error = rule.Unsure, "HTTP 502" })}, health.StateDegraded, "It is unknown whether it was posted"},
		"a post that is refused":           {[]rule.Posting{posted(time.Minute, func(p *rule.Posting) { p.Step, p.Error, p.Tries, p.Refused = "", "HTTP 400", 1, "x" })}, health.StateDegraded, "Not posted: HTTP 400"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			back, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
			require.NoError(t, err)
			docs := store.New(back)
			t.Cleanup(func() { _ = docs.Close() })
			e := footy.Event{UID: "1-1", ID: "1_1", Kind: footy.KindGoal, CertainAt: now.Add(-time.Hour)}
			for _, p := range c.posts {
				require.NoError(t, rule.Put(&e, p))
			}
			require.NoError(t, docs.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, Match: footy.Match{ID: 1, Kickoff: now.Add(-2 * time.Hour)}, Events: []footy.Event{e}}))
			cfg, err := config.Parse(map[string]string{"POST_BLUESKY_HANDLE": "goals.example", "POST_BLUESKY_PASSWORD": "p"}, *posting.Extra().Settings)
			require.NoError(t, err)
			is := posting.Extra().Looks(port.Core{Config: cfg, Store: docs})[0].At(t.Context())
			require.Equal(t, c.state, is.State, is.Reason)
			require.Contains(t, is.Reason, c.says)
		})
	}
}
