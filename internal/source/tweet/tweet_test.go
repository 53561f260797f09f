package tweet_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/devtest"
	"github.com/found-footy/found-footy/internal/source/tweet"
)

// The token is what X's own embed script computes: base 36 of id/1e15*pi with zeros and the point dropped.
func TestToken(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"20": "6dq1a2xwd93", "1628832338187636740": "3y54libozsy", "1900000000000000000": "4ltxr9b3f"} {
		got, err := tweet.Token(id)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := tweet.Token("no number")
	require.Error(t, err)
}

func TestDecode(t *testing.T) {
	t.Parallel()
	const mp4 = `{"content_type":"video/mp4","url":"https://video.twimg.com/v/640x360/a.mp4","bitrate":832000}`
	for name, c := range map[string]struct {
		body    string
		outcome tweet.Outcome
		best    string
	}{
		"nothing":            {`{}`, tweet.OutcomeDeleted, ""},
		"null":               {`null`, tweet.OutcomeDeleted, ""},
		"an empty tombstone": {`{"tombstone":{}}`, tweet.OutcomeTombstone, ""},
		"a deleted post":     {`{"__typename":"TweetTombstone","tombstone":{"text":{"text":"This Post was deleted by the Post author. Learn more"}}}`, tweet.OutcomeDeleted, ""},
		"a picture":          {`{"id_str":"1","mediaDetails":[{"type":"photo"}]}`, tweet.OutcomeNoVideo, ""},
		"a GIF":              {`{"id_str":"1","mediaDetails":[{"type":"animated_gif","video_info":{"variants":[` + mp4 + `]}}]}`, tweet.OutcomeNoVideo, ""},
		"a video":            {`{"id_str":"1","mediaDetails":[{"type":"video","video_info":{"variants":[{"content_type":"application/x-mpegURL","url":"https://x/pl.m3u8"},` + mp4 + `]}}]}`, tweet.OutcomeOK, "https://video.twimg.com/v/640x360/a.mp4"},
		"a quoted video":     {`{"id_str":"1","mediaDetails":[],"quoted_tweet":{"mediaDetails":[{"type":"video","video_info":{"variants":[` + mp4 + `]}}]}}`, tweet.OutcomeOK, "https://video.twimg.com/v/640x360/a.mp4"},
		"the other list":     {`{"id_str":"1","video":{"variants":[{"type":"video/mp4","src":"https://video.twimg.com/b.mp4"}]}}`, tweet.OutcomeOK, "https://video.twimg.com/b.mp4"},
		"a withheld video":   {`{"id_str":"1","mediaDetails":[{"type":"video","ext_media_availability":{"status":"Unavailable","reason":"Geoblocked"}}]}`, tweet.OutcomeGeoBlocked, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tweet.Decode([]byte(c.body))
			require.NoError(t, err)
			require.Equal(t, c.outcome, got.Outcome)
			best, ok := got.Best()
			require.Equal(t, c.best != "", ok)
			require.Equal(t, c.best, best.URL)
		})
	}
	for _, junk := range []string{``, `<html>`, `[1]`, `{"a":1}`} {
		_, err := tweet.Decode([]byte(junk))
		require.Error(t, err, "%q is no answer about a post", junk)
	}
}

func TestRecordedAnswers(t *testing.T) {
	t.Parallel()
	dir := devtest.Shared(t, "samples", "syndication")
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return b
	}
	var v struct {
		Vectors []struct{ ID, Token string }
	}
	require.NoError(t, json.Unmarshal(read("token_vectors.json"), &v))
	require.NotEmpty(t, v.Vectors)
	for _, x := range v.Vectors {
		got, err := tweet.Token(x.ID)
		require.NoError(t, err)
		require.Equal(t, x.Token, got, "id %s", x.ID)
	}
	got, err := tweet.Decode(read("video_trimmed_1585341984679469056.json"))
	require.NoError(t, err)
	require.Equal(t, tweet.OutcomeOK, got.Outcome)
	got, err = tweet.Decode(read("tombstone_deleted.json"))
	require.NoError(t, err)
	require.Equal(t, tweet.OutcomeDeleted, got.Outcome)
}
