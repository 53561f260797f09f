package reddit_test

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

func TestTheSimulatedRedditHasTheGoalThatXLacks(t *testing.T) {
	t.Parallel()
	clips, state := t.TempDir(), t.TempDir()
	begun := fmt.Sprintf(`{"start":%q,"scale":30,"polls":{},"listed":{}}`, time.Now().Add(-time.Hour).UTC().Format(time.RFC3339Nano))
	require.NoError(t, os.WriteFile(filepath.Join(state, "world.json"), []byte(begun), 0o600))
	w, err := world.New(world.Options{ClipDir: clips, StateDir: state})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	u, err := url.Parse(w.URL())
	require.NoError(t, err)
	client := httpx.New(httpx.Options{})
	o := reddit.Options{ClientID: world.RedditApp, Secret: world.RedditSecret, URL: w.URL() + "/reddit", APIURL: w.URL() + "/reddit/api", Version: "test"}
	src := reddit.New(o, client)

	r, err := src.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	own := slices.DeleteFunc(r.Candidates, func(c footy.Candidate) bool { return c.DurationMS == 0 }) // the others lie on hosts
	require.Len(t, own, 3, "the goal, one of another match with the same score, and a penalty shout")
	r, err = src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Len(t, r.Candidates, 1)
	require.Contains(t, r.Candidates[0].Text, "Ajax 0 - [1] Celtic")

	for _, p := range w.Posts() {
		if strings.HasSuffix(r.Candidates[0].PostID, p.ID) {
			require.NoError(t, os.WriteFile(filepath.Join(clips, p.Clip.Name()), []byte("a video"), 0o600))
		}
	}
	f := reddit.NewFetcher(src, xtweet.Options{AllowedHosts: []string{u.Host}}, client)
	var out bytes.Buffer
	_, err = f.Fetch(t.Context(), r.Candidates[0], &out)
	require.NoError(t, err)
	require.Equal(t, "a video", out.String())
	o.AddSound = joined
	out.Reset()
	_, err = reddit.NewFetcher(reddit.New(o, client), xtweet.Options{AllowedHosts: []string{u.Host}}, client).Fetch(t.Context(), r.Candidates[0], &out)
	require.NoError(t, err)
	require.Contains(t, out.String(), "a video with ")
	require.Contains(t, out.String(), "mp4a", "the sound that the play-list names")
	require.NoError(t, source.Probe(t.Context(), f, r.Candidates[0]))
	_, err = f.Fetch(t.Context(), footy.Candidate{PostID: "t3_nobody"}, &out)
	require.Equal(t, footy.ReasonDeleted, footy.ReasonOf(err))

	byRSS := reddit.Options{URL: w.URL() + "/reddit", VideoURL: w.URL() + "/reddit/v", Version: "test", FeedUser: world.RedditUser, FeedToken: world.RedditToken, AddSound: joined}
	same := reddit.New(byRSS, client)
	listed, err := same.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Len(t, listed.Candidates, 1)
	require.Equal(t, r.Candidates[0].PostID, listed.Candidates[0].PostID)
	require.Equal(t, r.Candidates[0].Title, listed.Candidates[0].Title)
	out.Reset()
	_, err = reddit.NewFetcher(same, xtweet.Options{AllowedHosts: []string{u.Host}}, client).Fetch(t.Context(), listed.Candidates[0], &out)
	require.NoError(t, err)
	require.Contains(t, out.String(), "a video with ")
	byRSS.FeedToken = "wrong"
	listed, err = reddit.New(byRSS, client).Search(t.Context(), source.Query{})
	require.NoError(t, err)
	require.Equal(t, footy.ReasonRedditFeed, listed.Reason)

	h, err := src.Health(t.Context())
	require.NoError(t, err)
	require.True(t, h.Ready)
	require.Less(t, h.BudgetLeft, 1000)
	o.Secret = "wrong"
	r, err = reddit.New(o, client).Search(t.Context(), source.Query{})
	require.NoError(t, err)
	require.Equal(t, source.StateLoginRequired, r.State)
}

// TestTheSimulatedArchiveIsTheSecondDoor: in each manner of refusal the same post is found, by the same name.
func TestTheSimulatedArchiveIsTheSecondDoor(t *testing.T) {
	t.Parallel()
	for mode, says := range map[string]string{script.RedditBlocked: "", script.RedditLimited: "", script.RedditEmpty: "", script.RedditLogin: "",
		script.ArchiveStale: "old", script.ArchiveSlow: "slow down"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			state := t.TempDir()
			begun := fmt.Sprintf(`{"start":%q,"scale":30,"polls":{},"listed":{}}`, time.Now().Add(-time.Hour).UTC().Format(time.RFC3339Nano))
			require.NoError(t, os.WriteFile(filepath.Join(state, "world.json"), []byte(begun), 0o600))
			day := script.Default()
			require.NoError(t, day.With(mode))
			w, err := world.New(world.Options{Script: day, ClipDir: t.TempDir(), StateDir: state})
			require.NoError(t, err)
			require.NoError(t, w.Start(t.Context()))
			t.Cleanup(func() { _ = w.Close() })
			src := reddit.New(reddit.Options{URL: w.URL() + "/reddit", VideoURL: w.URL() + "/reddit/v", ArchiveURL: w.URL() + "/reddit/archive", Version: "test", Every: 2 * time.Second}, httpx.New(httpx.Options{}))
			q := source.Query{Goal: goal(), Since: time.Now().Add(-70 * time.Minute)}
			var found []footy.Candidate
			r := source.Result{Detail: "still being read"}
			for len(r.Candidates) > 0 || strings.Contains(r.Detail, "still being read") {
				<-time.After(r.RetryAfter)
				r, err = src.Search(t.Context(), q)
				require.NoError(t, err)
				for _, c := range r.Candidates {
					found, q.Exclude = append(found, c), append(q.Exclude, c.PostID)
				}
			}
			if mode == script.ArchiveSlow {
				require.Equal(t, footy.ReasonRedditPublic, r.Reason, "could not look")
				require.Contains(t, r.Detail, says)
				return
			}
			require.Len(t, found, 1, "%+v", r)
			require.Contains(t, found[0].Text, "Ajax 0 - [1] Celtic")
			h, err := src.Health(t.Context())
			require.NoError(t, err)
			require.Contains(t, h.Door.Fault, says)
			require.Equal(t, says == "", h.Ready)
		})
	}
}
