package reddit_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

// shortDay is a short day that is over, with a file for each clip.
func shortDay(t *testing.T, modes ...string) (*world.World, *reddit.Source, *reddit.Fetcher) {
	t.Helper()
	return played(t, script.Short(), modes...)
}

func played(t *testing.T, day *script.Script, modes ...string) (*world.World, *reddit.Source, *reddit.Fetcher) {
	t.Helper()
	clips, state := t.TempDir(), t.TempDir()
	begun := fmt.Sprintf(`{"start":%q,"scale":30,"polls":{},"listed":{}}`, time.Now().Add(-time.Hour).UTC().Format(time.RFC3339Nano))
	require.NoError(t, os.WriteFile(filepath.Join(state, "world.json"), []byte(begun), 0o600))
	require.NoError(t, day.With(modes...))
	w, err := world.New(world.Options{Script: day, ClipDir: clips, StateDir: state})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	for _, p := range w.Posts() {
		require.NoError(t, os.WriteFile(filepath.Join(clips, p.Clip.Name()), []byte(film+p.Clip.Name()), 0o600))
	}
	table, err := hosts.Load(t.TempDir())
	require.NoError(t, err)
	client := httpx.New(httpx.Options{})
	src := reddit.New(reddit.Options{ClientID: world.RedditApp, Secret: world.RedditSecret, URL: w.URL() + "/reddit", APIURL: w.URL() + "/reddit/api", VideoURL: w.URL() + "/reddit/v", Version: "test",
		Table: table, HostsURL: w.URL() + "/hosts", Private: true}, client)
	return w, src, reddit.NewFetcher(src, xtweet.Options{Pause: time.Millisecond}, client)
}

func TestTheSimulatedHostsHaveTheMannersOfTheRealOnes(t *testing.T) {
	t.Parallel()
	w, src, f := shortDay(t)
	found, err := src.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, p := range w.Posts() {
		if p.Host == "" {
			continue
		}
		seen[p.Host] = true
		var out bytes.Buffer
		_, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_" + p.ID}, &out)
		require.NoError(t, err, p.Host)
		require.Equal(t, film+p.Clip.Name(), out.String(), p.Host)
		if p.Host == "dubz" {
			require.Equal(t, http.StatusInternalServerError, status(t, w.URL()+"/hosts/cdn.squeelab.com/guest/videos/"+p.ID+".mp4"), "the wrong one of its hosts")
		}
	}
	require.Len(t, seen, len(script.Hosts), "a post on each")
	require.GreaterOrEqual(t, len(found.Candidates), len(seen))
	require.Equal(t, http.StatusNotFound, status(t, w.URL()+"/hosts/streamain.com/embed/nobody"))
	require.Equal(t, http.StatusOK, status(t, w.URL()+"/hosts/ffedge.streamff.com/share/nobody"), "an empty list")
}

func TestTheSimulatedHostsFail(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]map[string]footy.Reason{
		script.HostRefused:  {"streamain": footy.ReasonHostFailed, "streamin": footy.ReasonHostFailed, "streamff": footy.ReasonHostFailed, "dubz": footy.ReasonHostFailed},
		script.HostGone:     {"streamain": footy.ReasonDeleted, "streamin": footy.ReasonDeleted, "streamff": footy.ReasonDeleted, "streamable": footy.ReasonDeleted},
		script.HostStub:     {"streamff": footy.ReasonDeleted},
		script.HostEncoding: {"dropr": footy.ReasonHostFailed, "streamable": footy.ReasonHostFailed, "streamain": ""},
	} {
		w, _, f := shortDay(t, mode)
		for _, p := range w.Posts() {
			reason, asked := want[p.Host]
			if p.Host == "" || !asked {
				continue
			}
			_, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_" + p.ID}, &bytes.Buffer{})
			require.Equal(t, reason, footy.ReasonOf(err), "%s of %s: %v", mode, p.Host, err)
		}
	}
}

// TestTheSimulatedLinksOfRedditsOwnVideosAreOne: whichever way a post brings one, by each door.
func TestTheSimulatedLinksOfRedditsOwnVideosAreOne(t *testing.T) {
	t.Parallel()
	w, byApp, _ := shortDay(t)
	o := reddit.Options{URL: w.URL() + "/reddit", VideoURL: w.URL() + "/reddit/v", FeedUser: world.RedditUser, FeedToken: world.RedditToken, Version: "test", AddSound: joined}
	byRSS := reddit.New(o, http.DefaultClient)
	u, err := url.Parse(w.URL())
	require.NoError(t, err)
	for door, src := range map[string]*reddit.Source{"app": byApp, "RSS": byRSS} {
		found, err := src.Search(t.Context(), source.Query{})
		require.NoError(t, err)
		f := reddit.NewFetcher(src, xtweet.Options{Pause: time.Millisecond, AllowedHosts: []string{u.Host}}, httpx.New(httpx.Options{}))
		seen := map[string]bool{}
		for _, p := range w.Posts() {
			if p.Link == "" {
				continue
			}
			seen[p.Link] = true
			c := footy.Candidate{PostID: "t3_" + p.ID}
			require.True(t, slices.ContainsFunc(found.Candidates, func(f footy.Candidate) bool { return f.PostID == c.PostID }), "%s by %s", p.Link, door)
			var out bytes.Buffer
			_, err := f.Fetch(t.Context(), c, &out)
			require.NoError(t, err, "%s by %s", p.Link, door)
			require.Contains(t, out.String(), film+p.Clip.Name(), "%s by %s", p.Link, door)
		}
		require.Len(t, seen, len(script.Links), "a post of each")
	}
}

func status(t *testing.T, url string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

// TestTheSimulatedRedditHasMirrorsInItsComments: the clip of a post was removed, and a comment below it has another copy.
func TestTheSimulatedRedditHasMirrorsInItsComments(t *testing.T) {
	t.Parallel()
	day := script.Short()
	e := &day.Fixtures[0].Events[0]
	e.Posts = append(e.Posts, script.Post{After: 50, By: "gone_bot", Text: "a goal", Kind: script.Deleted, On: script.Reddit, Host: "streamff"},
		script.Post{After: 60, By: "ada", Text: "mirror: {link}", Kind: script.Master, On: script.Comment, Under: "gone_bot", Host: "streamable"},
		script.Post{After: 70, By: "bob", Text: "another: {link}", Kind: script.Master, On: script.Comment, Under: "gone_bot"})
	require.NoError(t, day.Validate())
	w, byApp, f := played(t, day, script.RedditBlocked)
	table, err := hosts.Load(t.TempDir())
	require.NoError(t, err)
	byRSS := reddit.New(reddit.Options{FeedUser: world.RedditUser, FeedToken: world.RedditToken, URL: w.URL() + "/reddit", VideoURL: w.URL() + "/reddit/v", Version: "test", Table: table}, http.DefaultClient)
	second := reddit.New(reddit.Options{URL: w.URL() + "/reddit", ArchiveURL: w.URL() + "/reddit/archive", VideoURL: w.URL() + "/reddit/v", Version: "test", Every: 2 * time.Second, Table: table, Private: true}, http.DefaultClient)
	var gone, mirror, own string
	for _, p := range w.Posts() {
		switch p.Author {
		case "gone_bot":
			gone = p.ID
		case "ada":
			mirror = p.ID
		case "bob":
			own = p.ID
		}
	}
	_, err = f.Fetch(t.Context(), footy.Candidate{PostID: "t3_" + gone}, io.Discard)
	require.Equal(t, footy.ReasonDeleted, footy.ReasonOf(err))
	for name, src := range map[string]*reddit.Source{"app": byApp, "RSS": byRSS, "archive": second} {
		r, err := src.Search(t.Context(), asking(footy.Candidate{PostID: "t3_" + gone, URL: "https://www.reddit.com/r/soccer/comments/" + gone + "/goal/"}))
		require.NoError(t, err)
		require.Empty(t, r.Comments[0].Failed, name)
		require.Len(t, r.Candidates, 2, name)
		require.Equal(t, "t1_"+mirror, r.Candidates[0].PostID)
		require.Equal(t, "https://streamable.com/"+mirror, r.Candidates[0].Link)
		require.Equal(t, "https://v.redd.it/"+own, r.Candidates[1].Link)
		var out bytes.Buffer
		_, err = f.Fetch(t.Context(), r.Candidates[0], &out)
		require.NoError(t, err, name)
		require.Contains(t, out.String(), film)
	}
}
