package check_test

import (
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

func TestHealthTellsWhichServiceDoesNotPostAsItShould(t *testing.T) {
	t.Parallel()
	now := time.Now()
	posted := func(ago time.Duration, change func(*footy.Posting)) footy.Posting {
		p := footy.Posting{Target: ago.String(), Service: "Bluesky", Step: footy.PostingDone, Clip: "aa", At: now.Add(-ago)}
		if change != nil {
			change(&p)
		}
		return p
	}
	pictured := func(p *footy.Posting) {
		p.Picture = footy.PostingPicture{Clip: "aa", Why: "verify the account's e-mail address"}
	}
	for name, c := range map[string]struct {
		posts []footy.Posting
		state health.State
		says  string
	}{
		"nothing was posted":            {nil, health.StateOK, ""},
		"a picture":                     {[]footy.Posting{posted(time.Minute, pictured)}, health.StateDegraded, "verify the account's e-mail"},
		"a video after a picture":       {[]footy.Posting{posted(time.Minute, nil), posted(time.Hour, pictured)}, health.StateOK, ""},
		"a clip that is too large":      {[]footy.Posting{posted(time.Minute, func(p *footy.Posting) { pictured(p); p.Picture.Reason = footy.ReasonTooLarge })}, health.StateOK, ""},
		"a try that failed":             {[]footy.Posting{posted(time.Minute, func(p *footy.Posting) { p.Step, p.Error, p.Tries = "", "HTTP 503", 1 })}, health.StateOK, ""},
		"tries that failed for a while": {[]footy.Posting{posted(time.Minute, func(p *footy.Posting) { p.Step, p.Error, p.Tries = "", "HTTP 503", 5 })}, health.StateDegraded, "Not posted: HTTP 503"},
		"a post that is refused":        {[]footy.Posting{posted(time.Minute, func(p *footy.Posting) { p.Step, p.Error, p.Tries, p.Refused = "", "HTTP 400", 1, "x" })}, health.StateDegraded, "Not posted: HTTP 400"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := parsed(t, map[string]string{"POST_BLUESKY_HANDLE": "goals.example", "POST_BLUESKY_PASSWORD": "p"})
			addPostings(t, cfg, now, c.posts)
			is := examined(t, cfg, health.Posting)
			require.Equal(t, c.state, is.State, is.Reason)
			require.Contains(t, is.Reason, c.says)
		})
	}
}

func addPostings(t *testing.T, c config.Config, now time.Time, posts []footy.Posting) {
	t.Helper()
	a := opened(t, c)
	require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, Match: footy.Match{ID: 1, Kickoff: now.Add(-2 * time.Hour)},
		Events: []footy.Event{{UID: "1-1", ID: "1_1", Kind: footy.KindGoal, CertainAt: now.Add(-time.Hour), Postings: posts}}}))
}
