package target_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// TestAfterAnUpgradeNothingIsPostedTwice: what a release before 1.2 kept in _postings, in each of its steps, is taken over.
func TestAfterAnUpgradeNothingIsPostedTwice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		was    string // as it was stored
		posts  int    // that are made
		is     rule.Step
		edited bool
	}{
		"never posted":      {`"step":"","error":"HTTP 503","tries":1`, 1, rule.Done, false},
		"in the middle":     {`"step":"posting","clip":"aa","until":"2026-11-14T15:30:00Z"`, 0, rule.Unsure, false},
		"posted":            {`"step":"posted","id":"1001","clip":"old","says":"x","look_at":"2026-11-14T15:30:00Z","unseen":"no video"`, 0, rule.Gone, true},
		"deleted":           {`"step":"deleted","number":1`, 1, rule.Done, false},
		"deleted by others": {`"step":"gone"`, 0, rule.Gone, false},
		"unknown":           {`"step":"unsure","error":"killed"`, 0, rule.Unsure, false},
		"there":             {`"step":"there"`, 0, rule.There, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := &social.Discord{}
			b := setup(t, onDiscord(t, at))
			b.clip("aa", 1000, true)
			b.change(func(e *footy.Event) {
				e.FormerPostings = json.RawMessage(`[{"target":"` + b.target.Key() + `","service":"Discord","at":"2026-11-14T15:00:00Z",` + c.was + `},{"target":"other","service":"X","step":"unsure","at":"2026-11-14T15:00:00Z"}]`)
			})
			edits := 0
			at.Asked = func(call string) {
				if call == "edit" {
					edits++
				}
			}
			for range 3 {
				_ = b.look()
				b.now = b.now.Add(2 * time.Minute)
			}
			require.Len(t, at.Messages(), c.posts)
			require.Equal(t, c.edited, edits > 0)
			require.Equal(t, c.is, b.posting().Step)
			f, err := b.store.Fixture(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, rule.Unsure, all(&f.Events[0])[1].Step, "that of another target stays")
			taken := c.posts > 0 || c.edited || name == "in the middle"
			require.Equal(t, taken, f.Events[0].FormerPostings == nil, "taken over by the first write")
		})
	}
}
