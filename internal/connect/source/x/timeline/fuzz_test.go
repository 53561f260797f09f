package timeline_test

import (
	"testing"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
)

// holds is what must be true of every answer that was read, whatever it says.
func holds(t *testing.T, raw []byte) {
	p, err := timeline.Decode(raw)
	if err != nil {
		return
	}
	if p.State == "" || !p.State.Usable() && len(p.Candidates) > 0 || p.State == source.StateEmpty && p.Seen.Posts > 0 {
		t.Fatalf("state %q with %d posts, %d candidates", p.State, p.Seen.Posts, len(p.Candidates))
	}
	for _, c := range p.Candidates {
		if !snowflake.Valid(c.PostID) || c.URL == "" || c.DurationMS < 0 || c.PostedAt.IsZero() {
			t.Fatalf("odd candidate %+v", c)
		}
	}
	timeline.Drift(p)
}

func FuzzDecode(f *testing.F) {
	f.Add(page(entry("tweet-1", post(id, author2024, video, ""), ""), cursor("Bottom")))
	f.Add(page(entry("tweet-1", `{"__typename":"TweetWithVisibilityResults","tweet":`+post(id, author2026, "", `,"quoted_status_result":{"result":`+
		post(id, author2024, video, "")+`}`)+`}`, ""), entry("promoted-tweet-2", post(id, author2026, video, ""), "")))
	f.Add([]byte(`{"errors":[{"code":88}],"data":{}}`))
	f.Fuzz(func(t *testing.T, raw []byte) { holds(t, raw) })
}

// FuzzDecodeAPI starts from the shapes of API v2 alone: from the web's, chance does not find them.
func FuzzDecodeAPI(f *testing.F) {
	f.Add([]byte(`{"data":[{"id":"` + id + `","text":"Goal &amp; VAR","author_id":"7","created_at":"2026-03-14T15:30:00.000Z","attachments":{"media_keys":["k"]},
		"referenced_tweets":[{"type":"quoted","id":"9"}]}],"includes":{"media":[{"media_key":"k","type":"video","duration_ms":9000,"width":1280,"height":720,
		"variants":[{"bit_rate":1,"content_type":"video/mp4","url":"u"}]}],"users":[{"id":"7","username":"fan"}],"tweets":[{"id":"9","attachments":{"media_keys":["k"]}}]},
		"meta":{"result_count":1,"next_token":"n"}}`))
	f.Add([]byte(`{"meta":{"result_count":0}}`))
	f.Add([]byte(`{"title":"Too Many Requests","type":"about:blank","status":429}`))
	f.Add([]byte(`{"data":[],"errors":[{"title":"Not Found Error"}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) { holds(t, raw) })
}
