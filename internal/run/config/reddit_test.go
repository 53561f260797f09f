package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
)

func TestAnAppOfRedditHasIDAndSecret(t *testing.T) {
	t.Parallel()
	for _, half := range []map[string]string{{"REDDIT_CLIENT_ID": "app"}, {"REDDIT_CLIENT_SECRET": "secret"}} {
		_, err := config.Parse(half)
		require.ErrorContains(t, err, "needs REDDIT_CLIENT_SECRET")
	}
	c, err := config.Parse(map[string]string{"REDDIT_CLIENT_ID": "app", "REDDIT_CLIENT_SECRET": "secret", "REDDIT_SUBREDDITS": "soccer,MLS"})
	require.NoError(t, err)
	require.True(t, c.RedditOn())
	require.Equal(t, []string{"soccer", "MLS"}, c.Reddit.Subreddits)
}

func TestAnAddressOfRSSIsChecked(t *testing.T) {
	t.Parallel()
	const good = "https://www.reddit.com/r/soccer/new/.rss?feed=hunter2&user=ada"
	for name, tc := range map[string]struct {
		set map[string]string
		why string // "" = it is taken
	}{
		"as the page says":          {map[string]string{"REDDIT_FEED": good}, ""},
		"of the front page":         {map[string]string{"REDDIT_FEED": "https://www.reddit.com/.rss?feed=hunter2&user=ada"}, ""},
		"of the old site":           {map[string]string{"REDDIT_FEED": "https://old.reddit.com/r/Soccer/new/.rss?user=ada&feed=hunter2&limit=5"}, ""},
		"of the simulated world":    {map[string]string{"REDDIT_FEED": "http://127.0.0.1:99/reddit/r/soccer/new/.rss?feed=hunter2&user=ada", "REDDIT_URL": "http://127.0.0.1:99/reddit"}, ""},
		"of one subreddit of two":   {map[string]string{"REDDIT_FEED": good, "REDDIT_SUBREDDITS": "MLS,soccer"}, ""},
		"of another site":           {map[string]string{"REDDIT_FEED": "https://example.com/r/soccer/new/.rss?feed=hunter2&user=ada"}, "is not an address at https://www.reddit.com"},
		"of a site that is like it": {map[string]string{"REDDIT_FEED": "https://www.reddit.com.example.com/.rss?feed=hunter2&user=ada"}, "is not an address at https://www.reddit.com"},
		"readable on its way":       {map[string]string{"REDDIT_FEED": "http://www.reddit.com/r/soccer/new/.rss?feed=hunter2&user=ada"}, "is not an address at https://www.reddit.com"},
		"with a login":              {map[string]string{"REDDIT_FEED": "https://ada:hunter2@www.reddit.com/.rss?feed=hunter2&user=ada"}, "has a login before its host"},
		"the one for programs":      {map[string]string{"REDDIT_FEED": "https://www.reddit.com/.json?feed=hunter2&user=ada"}, "is not an address of RSS: its path does not end in .rss"},
		"the public one":            {map[string]string{"REDDIT_FEED": "https://www.reddit.com/r/soccer/new/.rss"}, "has no token: feed= is missing"},
		"without a name":            {map[string]string{"REDDIT_FEED": "https://www.reddit.com/r/soccer/new/.rss?feed=hunter2"}, "has no name: user= is missing"},
		"no address":                {map[string]string{"REDDIT_FEED": "hunter2"}, "is not an address at https://www.reddit.com"},
		"hardly an address":         {map[string]string{"REDDIT_FEED": "https://www.reddit.com:port/hunter2"}, "is not an address"},
		"of another subreddit":      {map[string]string{"REDDIT_FEED": "https://www.reddit.com/r/MLS/new/.rss?feed=hunter2&user=ada"}, "names a subreddit that REDDIT_SUBREDDITS leaves out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := config.Parse(tc.set)
			if tc.why != "" {
				require.ErrorContains(t, err, `REDDIT_FEED="(`)
				require.ErrorContains(t, err, `hidden)" `+tc.why+": log in to Reddit, copy an address from preferences > RSS feeds")
				require.NotContains(t, err.Error(), "hunter2")
				return
			}
			require.NoError(t, err)
			user, token := c.Reddit.Own()
			require.Equal(t, "ada", user)
			require.Equal(t, "hunter2", token)
			require.Contains(t, c.Secrets(), "hunter2", "the log hides it")
		})
	}
}

func TestAStandInForRedditIsAskedWhereItsAddressSays(t *testing.T) {
	t.Parallel()
	for feed, base := range map[string]string{
		"": "https://www.reddit.com",
		"https://old.reddit.com/r/soccer/new/.rss?feed=f&user=u":       "https://www.reddit.com",
		"http://127.0.0.1:8100/reddit/.rss?feed=f&user=u":              "http://127.0.0.1:8100/reddit",
		"http://127.0.0.1:8100/reddit/r/soccer/new/.rss?feed=f&user=u": "http://127.0.0.1:8100/reddit",
		"http://127.0.0.1:8100/r/soccer/new/.rss?feed=f&user=u":        "http://127.0.0.1:8100",
	} {
		c, err := config.Parse(map[string]string{"REDDIT_FEED": feed})
		require.NoError(t, err)
		require.Equal(t, base, c.Reddit.Base())
	}
}

func TestRedditIsAskedUnlessLeftOut(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		set map[string]string
		on  bool
	}{
		{nil, true},
		{map[string]string{"SOURCES": "reddit"}, true},
		{map[string]string{"SOURCES": "xweb,xapi"}, false},
		{map[string]string{"SOURCES": "xweb", "REDDIT_CLIENT_ID": "app", "REDDIT_CLIENT_SECRET": "secret"}, true},
		{map[string]string{"SOURCES": "xweb", "REDDIT_FEED": "https://www.reddit.com/.rss?feed=f&user=u"}, true},
	} {
		c, err := config.Parse(tc.set)
		require.NoError(t, err)
		require.Equal(t, tc.on, c.RedditOn(), tc.set)
	}
}

func TestTheArchiveIsOffOrAnAddress(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{"": "https://arctic-shift.photon-reddit.com", "off": "", "https://archive.example/base": "https://archive.example/base",
		"http://127.0.0.1:8100/archive": "http://127.0.0.1:8100/archive", "http://[::1]:8100": "http://[::1]:8100"} {
		set := map[string]string{}
		if value != "" {
			set["REDDIT_ARCHIVE"] = value
		}
		c, err := config.Parse(set)
		require.NoError(t, err, value)
		require.Equal(t, want, c.Reddit.SecondDoor())
	}
	c, err := config.Parse(map[string]string{"REDDIT_URL": "http://world:8100/reddit", "REDDIT_ARCHIVE": "http://world:8100/reddit/archive"})
	require.NoError(t, err, "of the simulated world")
	require.Equal(t, "http://world:8100/reddit/archive", c.Reddit.SecondDoor())
	for value, why := range map[string]string{
		"on":                           `REDDIT_ARCHIVE="on" is neither off nor an https:// address: write off, or an address like https://arctic-shift.photon-reddit.com`,
		"OFF":                          "is neither off nor an https:// address",
		"http://archive.example":       "is neither off nor an https:// address",
		"http://127.0.0.1.example":     "is neither off nor an https:// address",
		"https://":                     "is neither off nor an https:// address",
		"https://:443":                 "is neither off nor an https:// address",
		"ftp://archive.example":        "is neither off nor an https:// address",
		"archive.example":              "is neither off nor an https:// address",
		"https://a:hunter2@b.example":  "has a login before its host",
		"https://archive.example/?a=b": "has more than an address",
	} {
		_, err := config.Parse(map[string]string{"REDDIT_ARCHIVE": value})
		require.ErrorContains(t, err, why, value)
		require.NotContains(t, err.Error(), "hunter2")
	}
}
