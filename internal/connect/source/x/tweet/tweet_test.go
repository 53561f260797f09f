package tweet_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/x/tweet"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"20": "6dq1a2xwd93", "1": "bhi2ay3f28n", "1628832338187636740": "3y54libozsy",
		"1900000000000000000": "4ltxr9b3f", "999999999999999999": "2f9lc2ug9mm"} {
		got, err := tweet.Token(id)
		require.NoError(t, err)
		require.Equal(t, want, got, id)
	}
	for _, id := range []string{"", "abc", "-1", "1e5", "99999999999999999999999"} {
		_, err := tweet.Token(id)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), id)
	}
}

// The recordings come on top of the made answers below; tests pass without them.
func recorded(t *testing.T, name string, check func(raw []byte)) {
	t.Helper()
	for _, path := range devtest.Recorded(t, "samples/syndication/"+name) {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		check(raw)
	}
}

func TestRecordedTokens(t *testing.T) {
	t.Parallel()
	recorded(t, "token_vectors.json", func(raw []byte) {
		var file struct {
			Vectors []struct{ ID, Token string }
		}
		require.NoError(t, json.Unmarshal(raw, &file))
		require.NotEmpty(t, file.Vectors)
		for _, v := range file.Vectors {
			got, err := tweet.Token(v.ID)
			require.NoError(t, err)
			require.Equal(t, v.Token, got, v.ID)
		}
	})
}

func TestRecordedAnswers(t *testing.T) {
	t.Parallel()
	recorded(t, "video_trimmed_1585341984679469056.json", func(raw []byte) {
		got, err := tweet.Decode(raw, 1)
		require.NoError(t, err)
		require.Equal(t, tweet.OutcomeOK, got.Outcome)
		require.NotEmpty(t, got.Variants)
		best := got.Variants[0]
		require.Equal(t, []int{1920, 1080}, []int{best.Width, best.Height})
		require.Len(t, got.Variants, 3)
	})
	for _, name := range []string{"tombstone_deleted.json", "not_found_empty_object.json"} {
		recorded(t, name, func(raw []byte) {
			got, err := tweet.Decode(raw, 1)
			require.NoError(t, err)
			require.Equal(t, tweet.OutcomeDeleted, got.Outcome)
		})
	}
}

const (
	hls   = `{"content_type":"application/x-mpegURL","url":"https://v/a.m3u8"}`
	small = `{"bitrate":256000,"content_type":"video/mp4","url":"https://v/vid/avc1/480x270/a.mp4"}`
	large = `{"bitrate":2176000,"content_type":"video/mp4","url":"https://v/vid/1280x720/b.mp4"}`
	video = `{"type":"video","video_info":{"duration_millis":9301,"variants":[` + hls + `,` + small + `,` + large + `]}}`
)

func TestShapes(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		body    string
		outcome tweet.Outcome
		url     string
	}{
		"highest bitrate wins, HLS is no file": {`{"id_str":"1","mediaDetails":[` + video + `]}`, tweet.OutcomeOK, "https://v/vid/1280x720/b.mp4"},
		"only a GIF":                           {`{"id_str":"1","mediaDetails":[{"type":"animated_gif","video_info":{"variants":[` + small + `]}}]}`, tweet.OutcomeNoVideo, ""},
		"a GIF's second list is no video":      {`{"id_str":"1","mediaDetails":[{"type":"animated_gif"}],"video":{"variants":[{"type":"video/mp4","src":"https://v/g.mp4"}]}}`, tweet.OutcomeNoVideo, ""},
		"only a photo":                         {`{"id_str":"1","mediaDetails":[{"type":"photo"}]}`, tweet.OutcomeNoVideo, ""},
		"only text":                            {`{"id_str":"1","text":"goal"}`, tweet.OutcomeNoVideo, ""},
		"a photo, then a video":                {`{"id_str":"1","mediaDetails":[{"type":"photo"},` + video + `]}`, tweet.OutcomeOK, "https://v/vid/1280x720/b.mp4"},
		"the other list, without bitrates":     {`{"id_str":"1","video":{"durationMs":9000,"variants":[{"type":"video/mp4","src":"https://v/480x270/a.mp4"},{"type":"video/mp4","src":"https://v/1280x720/b.mp4"}]}}`, tweet.OutcomeOK, "https://v/1280x720/b.mp4"},
		"a video only in the quoted post":      {`{"id_str":"1","quoted_tweet":{"id_str":"2","mediaDetails":[` + video + `]}}`, tweet.OutcomeOK, "https://v/vid/1280x720/b.mp4"},
		"its own video before the quoted one":  {`{"id_str":"1","mediaDetails":[` + video + `],"quoted_tweet":{"id_str":"2"}}`, tweet.OutcomeOK, "https://v/vid/1280x720/b.mp4"},
		"an empty tombstone":                   {`{"__typename":"TweetTombstone","tombstone":{}}`, tweet.OutcomeTombstone, ""},
		"a tombstone for adults":               {`{"__typename":"TweetTombstone","tombstone":{"text":{"text":"Age-restricted adult content. Learn more"}}}`, tweet.OutcomeTombstone, ""},
		"a suspended author":                   {`{"__typename":"TweetTombstone","tombstone":{"text":{"text":"This Post is from a suspended account. Learn more"}}}`, tweet.OutcomeDeleted, ""},
		"null":                                 {`null`, tweet.OutcomeDeleted, ""},
		"blocked here":                         {`{"id_str":"1","mediaDetails":[{"type":"video","ext_media_availability":{"status":"Unavailable","reason":"Geoblocked"}}]}`, tweet.OutcomeGeoBlocked, ""},
		"withheld by a claim":                  {`{"id_str":"1","mediaDetails":[{"type":"video","ext_media_availability":{"status":"Unavailable","reason":"Dmcaed"}}]}`, tweet.OutcomeDeleted, ""},
		"only HLS":                             {`{"id_str":"1","mediaDetails":[{"type":"video","video_info":{"variants":[` + hls + `]}}]}`, tweet.OutcomeNoVideo, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tweet.Decode([]byte(c.body), 1)
			require.NoError(t, err)
			require.Equal(t, c.outcome, got.Outcome)
			best := append(got.Variants, tweet.Variant{})[0]
			require.Equal(t, c.url, best.URL)
			if c.outcome != tweet.OutcomeOK {
				require.NotEmpty(t, got.Detail)
			}
		})
	}
}

func TestAnOwnVideoGoesBeforeTheQuotedOne(t *testing.T) {
	t.Parallel()
	quoted := `"quoted_tweet":{"id_str":"2","mediaDetails":[{"type":"video","video_info":{"variants":[` + small + `]}}]}}`
	got, err := tweet.Decode([]byte(`{"id_str":"1","mediaDetails":[`+video+`],`+quoted), 1)
	require.NoError(t, err)
	require.Len(t, got.Variants, 2)
	got, err = tweet.Decode([]byte(`{"id_str":"1",`+quoted), 1)
	require.NoError(t, err)
	require.Len(t, got.Variants, 1)
}

func TestJunkIsAnErrorWithItsOffset(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "<html>", `{"id_str":`, `[]`, `"x"`, `{"other":1}`, `{}{}`, `{"id_str":"1"} x`} {
		_, err := tweet.Decode([]byte(body), 1)
		require.ErrorContains(t, err, "offset", body)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"id_str":"1","mediaDetails":[` + video + `]}`))
	f.Add([]byte(`{"__typename":"TweetTombstone","tombstone":{"text":{"text":"x"}}}`))
	f.Add([]byte(`{"id_str":"1","quoted_tweet":{"video":{"variants":[{"type":"video/mp4","src":"s"}]}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := tweet.Decode(raw, 1)
		if err != nil {
			return
		}
		if (got.Outcome == tweet.OutcomeOK) != (len(got.Variants) > 0) {
			t.Fatalf("outcome %q with %d files", got.Outcome, len(got.Variants))
		}
		for _, v := range got.Variants {
			if v.URL == "" {
				t.Fatalf("odd file %+v", v)
			}
		}
	})
}

func FuzzToken(f *testing.F) {
	f.Add("1628832338187636740")
	f.Fuzz(func(t *testing.T, id string) {
		if token, err := tweet.Token(id); err == nil && len(token) > 40 {
			t.Fatalf("%q", token)
		}
	})
}
