package web_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/web"
)

// oneClip is a goal with one clip and a copy that was merged into it.
func oneClip(t *testing.T, change ...func(*web.Options)) (*testServer, footy.Clip, footy.Clip) {
	t.Helper()
	s := newTestServer(t, change...)
	f := match(1, team(1, "Home"), team(2, "Away"), noon.Add(-time.Hour), "2H", 60, 1, 0)
	e := goal(&f, footy.SideHome, "Scorer", 10, 1, 0)
	e.DownloadComplete = true
	c, copied := clip(e, "a", 1, true), clip(e, "b", 0, true)
	e.Clips[1].ReplacedBy = c.ID
	at := e.CertainAt
	row := func(key string, kind footy.EntryKind, r footy.Entry) footy.Entry {
		at = at.Add(time.Second)
		r.Key, r.Kind, r.FixtureID, r.EventUID, r.At = key, kind, 1, e.UID, at
		return r
	}
	ok := func(c footy.Clip) footy.Evidence {
		return footy.Evidence{Outcome: "verified", PosterKey: blob.StillKey(e.UID, c.Digest)}
	}
	s.Add(f)
	s.Log(row("1", footy.EntryCertain, footy.Entry{}), row("2", footy.EntrySearching, footy.Entry{}), row("3", footy.EntryQuery, footy.Entry{Try: 1}),
		row("4", footy.EntryVerdict, footy.Entry{PostID: "11", ClipID: c.ID, Data: ok(c)}), row("5", footy.EntryVerdict, footy.Entry{PostID: "12", ClipID: copied.ID, Data: ok(copied)}),
		row("6", footy.EntryClip, footy.Entry{ClipID: c.ID}), row("7", footy.EntryMerged, footy.Entry{ClipID: copied.ID, Data: footy.Evidence{Into: c.ID}}),
		row("8", footy.EntryCompleted, footy.Entry{}))
	judged := func(id string, state footy.PostState, own footy.Clip) footy.Post {
		return footy.Post{EventUID: e.UID, PostID: id, FixtureID: 1, State: state, ClipID: c.ID, Round: 1, Try: 1, FirstSeen: at, ChangedAt: at,
			Media: &footy.Media{Digest: own.Digest, StillKey: blob.StillKey(e.UID, own.Digest)}, Verdict: &footy.Verdict{Outcome: footy.OutcomeVerified}}
	}
	require.NoError(t, s.Store.AddPosts(t.Context(), []footy.Post{judged("11", footy.PostPublished, c), judged("12", footy.PostMerged, copied)}))
	s.Put(blob.StillKey(e.UID, copied.Digest), "image/jpeg", []byte("still"))
	return s, c, copied
}

func (s *testServer) takeAway(c footy.Clip, act, reason string) {
	s.T.Helper()
	s.Update(1, func(f *footy.Fixture) {
		k := f.Events[0].Clip(c.ID)
		k.Hidden, k.Swept = true, act == "take down"
	})
	if act == "take down" {
		require.NoError(s.T, s.Store.PutTombstone(s.T.Context(), footy.Tombstone{Digest: c.Digest, FixtureID: 1, EventUID: "1-1", Reason: reason, At: noon}))
	}
	s.Log(footy.Entry{Key: "act", Kind: footy.EntryOperator, FixtureID: 1, EventUID: "1-1", At: noon, ClipID: c.ID,
		Data: footy.Evidence{Act: act, Reason: reason}})
}

func TestAClipOutOfSightSaysWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ act, reason, link, answer, word string }{
		{"hide", "", "This clip was hidden by the operator.", "An operator hid it.", "hidden"},
		{"take down", "Claim 4711", "This clip was taken down by the operator. Claim 4711", "An operator took it down: Claim 4711.", "tombstone"},
	} {
		t.Run(c.act, func(t *testing.T) {
			t.Parallel()
			s, first, copied := oneClip(t)
			still := "/p/1-1/post/12.jpg"
			require.Equal(t, http.StatusOK, s.Get(still).StatusCode)
			s.takeAway(first, c.act, c.reason)
			for _, id := range []string{first.ID, copied.ID} {
				res := s.Get("/v/1-1/" + id + ".mp4")
				require.Equal(t, http.StatusGone, res.StatusCode)
				require.Contains(t, text(t, res), c.link)
				require.Contains(t, text(t, s.Get("/g/1_1_700_Goal_1?v="+id)), c.link)
			}
			require.Equal(t, http.StatusNotFound, s.Get(still).StatusCode, "the still of a post that was merged into it")
			page := text(t, s.Get("/g/1_1_700_Goal_1"))
			require.Contains(t, page, "Why no clip?")
			require.Contains(t, page, c.answer)
			require.NotContains(t, page, "<b>Why this clip</b>")
			require.NotContains(t, page, still)
			var body struct {
				Event struct {
					Clips []any `json:"clips"`
				} `json:"event"`
				Answer struct {
					Question                string
					Posts, Clips, Withdrawn int
				} `json:"answer"`
			}
			require.NoError(t, json.Unmarshal([]byte(text(t, s.Get("/api/v1/events/1_1_700_Goal_1"))), &body))
			require.Empty(t, body.Event.Clips)
			require.Equal(t, "Why no clip?", body.Answer.Question)
			require.Equal(t, []int{2, 0, 2}, []int{body.Answer.Posts, body.Answer.Clips, body.Answer.Withdrawn})
		})
	}
}

func TestNoErrorOfOursStandsOnAPublicPage(t *testing.T) {
	t.Parallel()
	s, _, _ := oneClip(t)
	const raw = `ask model: unavailable: Post "http://127.0.0.1:1/v1/chat/completions": dial tcp 127.0.0.1:1: connect: connection refused`
	s.Log(footy.Entry{Key: "w", Kind: footy.EntryWaiting, Reason: footy.ReasonModelUnreachable, FixtureID: 1, EventUID: "1-1", At: noon, PostID: "13", Data: footy.Evidence{Detail: raw}})
	require.NoError(t, s.Store.AddPosts(t.Context(), []footy.Post{{EventUID: "1-1", PostID: "13", FixtureID: 1, State: footy.PostWaiting, Reason: footy.ReasonModelUnreachable, Detail: raw,
		WaitingSince: noon, NextTry: noon, FirstSeen: noon, ChangedAt: noon}}))
	for _, path := range []string{"/g/1_1_700_Goal_1", "/api/v1/events/1_1_700_Goal_1"} {
		body := text(t, s.Get(path))
		require.Contains(t, body, "Waits for the model, which cannot be reached")
		for _, never := range []string{"127.0.0.1:1/", "dial tcp", "ask model"} {
			require.NotContains(t, body, never, path)
		}
	}
}
