package timeline_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

// recorded decodes a recorded answer where one is there; it comes on top of the made answers below.
func recorded(t *testing.T, name string) (timeline.Page, bool) {
	t.Helper()
	for _, path := range devtest.Recorded(t, "samples/x/"+name) {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		p, err := timeline.Decode(raw)
		require.NoError(t, err)
		return p, true
	}
	return timeline.Page{}, false
}

func TestRecorded2024(t *testing.T) {
	t.Parallel()
	p, ok := recorded(t, "search_timeline_2024.json")
	if !ok {
		return
	}
	require.Equal(t, source.StateResults, p.State)
	require.Equal(t, 16, p.Seen.Posts)
	require.Empty(t, p.Candidates, "photos and GIFs are no candidates")
	require.Zero(t, p.Seen.NoAuthor+p.Seen.NoTime+p.Seen.Unread+p.Seen.Broken)
	require.NotEmpty(t, p.Cursor)
}

func TestRecorded2026(t *testing.T) {
	t.Parallel()
	p, ok := recorded(t, "search_timeline_2026.json")
	if !ok {
		return
	}
	require.Equal(t, 20, p.Seen.Posts)
	require.Zero(t, p.Seen.NoAuthor+p.Seen.NoTime+p.Seen.Unread+p.Seen.Broken)
	var got []string
	for _, c := range p.Candidates {
		got = append(got, fmt.Sprintf("%s %s %d %t", c.PostID, c.Author, c.DurationMS, c.Quoted))
	}
	require.Equal(t, []string{
		"2052900071612784692 Tesla 72823 false", // quoted by the first post, and found itself
		"2052881775332839680 niccruzpatane 91941 false", "2052875388028899607 teslaownersSV 25610 false",
		"2050753782321967328 TheRightMelissa 58636 true",
	}, got)
	require.Equal(t, []int{3840, 2160}, []int{p.Candidates[0].Width, p.Candidates[0].Height})
	require.Equal(t, "2026-05-08T23:54:52Z", p.Candidates[0].PostedAt.Format(time.RFC3339))
	require.Equal(t, "2026-05-03T01:46:17Z", p.Candidates[3].PostedAt.Format(time.RFC3339), "five days older than the post that quotes it")
	require.Empty(t, timeline.Drift(p))
}

var (
	at = time.Date(2026, 3, 14, 15, 30, 0, 0, time.UTC)
	id = snowflake.At(at, 1)
)

const video = `{"type":"video","original_info":{"width":1280,"height":720},"video_info":{"duration_millis":21000,"variants":[
	{"content_type":"application/x-mpegURL","url":"https://v.example/a.m3u8"},{"bitrate":1,"content_type":"video/mp4","url":"https://v.example/a.mp4"}]}}`

const (
	author2024 = `"core":{"user_results":{"result":{"__typename":"User","legacy":{"screen_name":"old_place"}}}}`
	author2026 = `"core":{"user_results":{"result":{"__typename":"User","core":{"screen_name":"new_place"},"legacy":{}}}}`
)

func post(id, author, media, more string) string {
	return fmt.Sprintf(`{"__typename":"Tweet","rest_id":%q,%s,"legacy":{"id_str":%[1]q,"full_text":"Goal &amp; VAR",
		"created_at":"Sat Mar 14 15:30:00 +0000 2026","extended_entities":{"media":[%[3]s]},"entities":{"media":[%[3]s]}}%[4]s}`, id, author, media, more)
}

func quoting(id, quoted string) string {
	return post(id, author2026, "", `,"quoted_status_result":{"result":`+quoted+`}`)
}

func entry(id, result, more string) string {
	return fmt.Sprintf(`{"entryId":%q,"content":{"entryType":"TimelineTimelineItem","itemContent":{"itemType":"TimelineTweet","tweet_results":{"result":%s}%s}}}`, id, result, more)
}

func cursor(kind string) string {
	return fmt.Sprintf(`{"entryId":"cursor-%[1]s-0","content":{"entryType":"TimelineTimelineCursor","cursorType":%[1]q,"value":"to-%[1]s"}}`, kind)
}

func page(entries ...string) []byte {
	return []byte(`{"data":{"search_by_raw_query":{"search_timeline":{"timeline":{"instructions":[{"type":"TimelineAddEntries","entries":[` +
		strings.Join(entries, ",") + `]}]}}}}}`)
}

func decode(t *testing.T, raw []byte) timeline.Page {
	t.Helper()
	p, err := timeline.Decode(raw)
	require.NoError(t, err)
	return p
}

func TestPosts(t *testing.T) {
	t.Parallel()

	t.Run("every field, the author at either place", func(t *testing.T) {
		t.Parallel()
		p := decode(t, page(entry("tweet-1", post(id, author2024, video, ""), ""),
			entry("tweet-2", post(snowflake.At(at, 2), author2026, video, ""), ""), cursor("Bottom")))
		require.Equal(t, source.StateResults, p.State)
		require.Len(t, p.Candidates, 2)
		c := p.Candidates[0]
		require.Equal(t, "old_place new_place", c.Author+" "+p.Candidates[1].Author)
		require.Equal(t, "https://x.com/old_place/status/"+id, c.URL)
		require.Equal(t, "Goal & VAR", c.Text)
		require.Equal(t, at, c.PostedAt)
		require.Equal(t, []int{21000, 1280, 720}, []int{c.DurationMS, c.Width, c.Height})
		require.Equal(t, "to-Bottom", p.Cursor)
		require.Equal(t, 2, p.Seen.Videos, "one media in two lists is one video")
	})

	t.Run("a post with limits lies one level deeper", func(t *testing.T) {
		t.Parallel()
		wrapped := `{"__typename":"TweetWithVisibilityResults","tweet":` + post(id, author2026, video, "") + `}`
		require.Len(t, decode(t, page(entry("tweet-1", wrapped, ""))).Candidates, 1)
	})

	t.Run("a video only in the quoted post belongs to that post", func(t *testing.T) {
		t.Parallel()
		old := at.Add(-time.Hour)
		inner := strings.NewReplacer("15:30:00", "14:30:00", "Goal", "An old goal").Replace(post(snowflake.At(old, 9), author2024, video, ""))
		for _, q := range []string{inner, `{"__typename":"TweetWithVisibilityResults","tweet":` + inner + `}`} {
			p := decode(t, page(entry("tweet-1", quoting(id, q), "")))
			require.Len(t, p.Candidates, 1)
			c := p.Candidates[0]
			require.True(t, c.Quoted)
			require.Equal(t, []any{snowflake.At(old, 9), "old_place", "An old goal & VAR", old, 21000}, []any{c.PostID, c.Author, c.Text, c.PostedAt, c.DurationMS})
			require.Equal(t, "https://x.com/old_place/status/"+snowflake.At(old, 9), c.URL)
			require.Equal(t, at, p.Oldest, "the list reaches back to the post that was found, not to what it quotes")
			require.Equal(t, 1, p.Seen.Posts)
			require.Empty(t, source.Select(source.Query{Since: at.Add(-3 * time.Minute)}, p.Candidates), "quoting a video makes it no newer")
		}
	})

	t.Run("a video that is quoted and found is offered once", func(t *testing.T) {
		t.Parallel()
		inner, second := post(snowflake.At(at, 9), author2024, video, ""), snowflake.At(at, 2)
		direct := entry("tweet-2", inner, "")
		for name, entries := range map[string][]string{
			"quoted first": {entry("tweet-1", quoting(id, inner), ""), entry("tweet-3", quoting(second, inner), ""), direct},
			"found first":  {direct, entry("tweet-1", quoting(id, inner), "")},
		} {
			p := decode(t, page(entries...))
			require.Len(t, p.Candidates, 1, name)
			require.Equal(t, snowflake.At(at, 9), p.Candidates[0].PostID)
			require.False(t, p.Candidates[0].Quoted, "%s: it was found itself", name)
			require.Equal(t, len(entries), p.Seen.Posts)
		}
	})

	t.Run("a quoted post without a whole id is no candidate", func(t *testing.T) {
		t.Parallel()
		for _, bad := range []string{"", "20329009254682"} {
			p := decode(t, page(entry("tweet-1", quoting(id, post(bad, author2024, video, "")), "")))
			require.Empty(t, p.Candidates)
			require.Equal(t, []int{1, 1}, []int{p.Seen.Posts, p.Seen.Broken})
		}
	})

	t.Run("GIFs, photos and promoted posts are left out", func(t *testing.T) {
		t.Parallel()
		gif := `{"type":"animated_gif","video_info":{"variants":[{"bitrate":0,"content_type":"video/mp4","url":"u"}]}}`
		p := decode(t, page(entry("tweet-1", post(id, author2026, gif, ""), ""), entry("tweet-2", post(snowflake.At(at, 2), author2026, `{"type":"photo"}`, ""), ""),
			entry("promoted-tweet-3", post(snowflake.At(at, 3), author2026, video, ""), ""),
			entry("tweet-4", post(snowflake.At(at, 4), author2026, video, ""), `,"promotedMetadata":{"advertiser":{}}`)))
		require.Empty(t, p.Candidates)
		require.Equal(t, source.StateResults, p.State)
		require.Equal(t, 2, p.Seen.Promoted)
	})

	t.Run("only promoted posts are explicit emptiness", func(t *testing.T) {
		t.Parallel()
		p := decode(t, page(entry("promoted-tweet-3", post(id, author2026, video, ""), ""), cursor("Bottom")))
		require.Equal(t, source.StateEmpty, p.State)
	})

	t.Run("a repost stands for the original", func(t *testing.T) {
		t.Parallel()
		original := post(id, author2026, video, "")
		repost := strings.Replace(post(snowflake.At(at, 5), author2024, "", ""), `"full_text"`, `"retweeted_status_result":{"result":`+original+`},"full_text"`, 1)
		p := decode(t, page(entry("tweet-1", repost, "")))
		require.Len(t, p.Candidates, 1)
		require.Equal(t, id, p.Candidates[0].PostID)
		require.Equal(t, "new_place", p.Candidates[0].Author)
	})

	t.Run("the same post twice is one candidate", func(t *testing.T) {
		t.Parallel()
		require.Len(t, decode(t, page(entry("tweet-1", post(id, author2026, video, ""), ""), entry("tweet-1b", post(id, author2026, video, ""), ""))).Candidates, 1)
	})

	t.Run("a shortened id is broken", func(t *testing.T) {
		t.Parallel()
		p := decode(t, page(entry("tweet-1", post("20329009254682", author2026, video, ""), "")))
		require.Empty(t, p.Candidates)
		require.Equal(t, 1, p.Seen.Broken)
	})

	t.Run("posts in a module, cursors in an item or replaced", func(t *testing.T) {
		t.Parallel()
		raw := `{"data":{"search_by_raw_query":{"search_timeline":{"timeline":{"instructions":[
			{"type":"TimelineAddEntries","entries":[{"entryId":"search-grid-0","content":{"entryType":"TimelineTimelineModule","items":[
				{"entryId":"search-grid-0-tweet-1","item":{"itemContent":{"tweet_results":{"result":` + post(id, author2026, video, "") + `}}}}]}}]},
			{"type":"TimelineReplaceEntry","entry_id_to_replace":"cursor-bottom-0","entry":` + cursor("Bottom") + `}]}}}}}`
		p := decode(t, []byte(raw))
		require.Len(t, p.Candidates, 1)
		require.Equal(t, "to-Bottom", p.Cursor)
	})

	t.Run("a size missing from the original is read from the file's address", func(t *testing.T) {
		t.Parallel()
		m := `{"type":"video","video_info":{"variants":[{"content_type":"video/mp4","url":"https://v.example/vid/avc1/640x360/a.mp4"},{"content_type":"video/mp4","url":"https://v.example/vid/1280x720/a.mp4"}]}}`
		c := decode(t, page(entry("tweet-1", post(id, author2026, m, ""), ""))).Candidates[0]
		require.Equal(t, []int{0, 1280, 720}, []int{c.DurationMS, c.Width, c.Height})
	})
}

func TestStates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		want source.State
	}{
		"cursors only":                        {string(page(cursor("Top"), cursor("Bottom"))), source.StateEmpty},
		"no entries":                          {string(page()), source.StateEmpty},
		"errors with data {}":                 {`{"errors":[{"message":"OverCapacity: LoadShed","code":29}],"data":{}}`, source.StateUpstreamError},
		"data {} without a word":              {`{"data":{}}`, source.StateUpstreamError},
		"code 88":                             {`{"errors":[{"code":88,"message":"Rate limit exceeded."}]}`, source.StateRateLimited},
		"code 32":                             {`{"errors":[{"code":32,"message":"Could not authenticate you."}]}`, source.StateUpstreamError},
		"code 326":                            {`{"errors":[{"code":326,"message":"locked"}],"data":null}`, source.StateUpstreamError},
		"code 336 in extensions":              {`{"errors":[{"extensions":{"code":336},"message":"features"}],"data":{}}`, source.StateUpstreamError},
		"errors beside a list":                {strings.Replace(string(page(entry("tweet-1", post(id, author2026, video, ""), ""))), `{"data"`, `{"errors":[{"message":"partial"}],"data"`, 1), source.StateResults},
		"errors beside an empty list":         {strings.Replace(string(page(cursor("Bottom"))), `{"data"`, `{"errors":[{"message":"LoadShed"}],"data"`, 1), source.StateUpstreamError},
		"code 88 beside an empty list":        {strings.Replace(string(page()), `{"data"`, `{"errors":[{"code":88}],"data"`, 1), source.StateRateLimited},
		"API: errors beside an empty list":    {`{"data":[],"errors":[{"title":"Service Unavailable"}]}`, source.StateUpstreamError},
		"posts of a shape nobody knows":       {string(page(entry("tweet-1", `{"__typename":"Tweet","details":{}}`, ""))), source.StateUpstreamError},
		"only posts that X does not show":     {string(page(entry("tweet-1", `{"__typename":"TweetTombstone"}`, ""))), source.StateResults},
		"API: nothing":                        {`{"meta":{"result_count":0}}`, source.StateEmpty},
		"API: too many requests":              {`{"title":"Too Many Requests","detail":"Too Many Requests","type":"about:blank","status":429}`, source.StateRateLimited},
		"API: unauthorized":                   {`{"title":"Unauthorized","type":"about:blank","status":401}`, source.StateLoginRequired},
		"API: over capacity":                  {`{"title":"Service Unavailable","type":"about:blank","status":503}`, source.StateUpstreamError},
		"API: a refusal that calls itself OK": {`{"title":"odd","type":"about:blank","status":200}`, source.StateUpstreamError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := decode(t, []byte(c.body))
			require.Equal(t, c.want, p.State)
			if !p.State.Usable() {
				require.NotEmpty(t, p.Detail)
			}
		})
	}
}

// clip is a video with files of three sizes, worst first as X may list them.
func clip(name string) string {
	return `{"type":"video","original_info":{"width":1280,"height":720},"video_info":{"duration_millis":15000,"variants":[{"content_type":"application/x-mpegURL","url":"https://v.example/` + name + `.m3u8"},
		{"bitrate":288000,"content_type":"video/mp4","url":"https://v.example/` + name + `-low.mp4"},{"bitrate":2176000,"content_type":"video/mp4","url":"https://v.example/` + name + `.mp4"},
		{"bitrate":832000,"content_type":"video/mp4","url":"https://v.example/` + name + `-mid.mp4"},{"bitrate":64000,"content_type":"video/mp4","url":"https://v.example/` + name + `-least.mp4"}]}}`
}

// card is a post whose card has these values.
func card(values string) string {
	return post(id, author2026, "", `,"card":{"rest_id":"card://1","legacy":{"name":"unified_card","binding_values":`+values+`}}`)
}

func unified(t *testing.T, card string) string {
	t.Helper()
	text, err := json.Marshal(card)
	require.NoError(t, err)
	return `{"string_value":` + string(text) + `,"type":"STRING"}`
}

func TestEachVideoOfAPostIsACandidateWithItsFiles(t *testing.T) {
	t.Parallel()
	files := func(name string) string {
		return fmt.Sprintf("https://v.example/%[1]s.mp4 https://v.example/%[1]s-mid.mp4 https://v.example/%[1]s-low.mp4", name)
	}
	gif, photo := `{"type":"animated_gif","video_info":{"variants":[{"content_type":"video/mp4","url":"https://v.example/gif.mp4"}]}}`, `{"type":"photo"}`
	two := `{"type":"video_carousel","components":["media_2","details_1","media_1"],"component_objects":{"media_1":{"type":"media","data":{"id":"13_1"}},"media_2":{"type":"media","data":{"id":"13_2"}},
		"details_1":{"type":"details","data":{}}},"media_entities":{"13_1":` + clip("one") + `,"13_2":` + clip("two") + `,"3_9":` + photo + `}}`
	bound := func(of string) string {
		return `[{"key":"card_url","value":{"string_value":"https://twitter.com"}},{"key":"unified_card","value":` + unified(t, of) + `}]`
	}
	for name, c := range map[string]struct {
		post string
		want []string
	}{
		"one":                   {post(id, author2026, clip("a"), ""), []string{id + " " + files("a")}},
		"two":                   {post(id, author2026, clip("a")+","+clip("b"), ""), []string{id + " " + files("a"), id + "_2 " + files("b")}},
		"four, others between":  {post(id, author2026, photo+","+clip("a")+","+gif+","+clip("b"), ""), []string{id + " " + files("a"), id + "_2 " + files("b")}},
		"a GIF":                 {post(id, author2026, gif, ""), nil},
		"two of a quoted post":  {quoting(snowflake.At(at, 9), post(id, author2026, clip("a")+","+clip("b"), "")), []string{id + " " + files("a"), id + "_2 " + files("b")}},
		"no MP4":                {post(id, author2026, `{"type":"video","video_info":{"variants":[{"content_type":"application/x-mpegURL","url":"u"}]}}`, ""), []string{id}},
		"a card":                {card(bound(`{"type":"video_website","media_entities":{"13_1":` + clip("a") + `}}`)), []string{id + " " + files("a")}},
		"a card with two":       {card(bound(two)), []string{id + " " + files("two"), id + "_2 " + files("one")}},
		"values by name":        {card(`{"unified_card":` + unified(t, two) + `}`), []string{id + " " + files("two"), id + "_2 " + files("one")}},
		"a card with a picture": {card(bound(`{"type":"image_website","media_entities":{"3_1":` + photo + `}}`)), nil},
		"a broken card":         {card(bound(`{"type":`)), nil},
		"a card of no shape":    {card(`7`), nil},
		"a player": {card(`[{"key":"player_stream_url","value":{"string_value":"https://v.example/p.mp4?tag=1"}},{"key":"player_stream_content_type","value":{"string_value":"video/mp4; codecs=avc1"}},
			{"key":"content_duration_seconds","value":{"string_value":"21"}}]`), []string{id + " https://v.example/p.mp4?tag=1"}},
		"a player of this machine": {card(`[{"key":"player_stream_url","value":{"string_value":"https://127.0.0.1/p.mp4"}}]`), []string{id}},
		"a card of a script": {card(bound(strings.ReplaceAll(`{"media_entities":{"13_1":`+clip("a")+`}}`, "https://v.example/a-mid.mp4", "javascript:alert(1)"))),
			[]string{id + " https://v.example/a.mp4 https://v.example/a-low.mp4 https://v.example/a-least.mp4"}},
		"a player of another site": {card(`[{"key":"player_url","value":{"string_value":"https://www.youtube.com/embed/x"}}]`), nil},
		"a quoted card":            {quoting(snowflake.At(at, 9), card(bound(two))), []string{id + " " + files("two"), id + "_2 " + files("one")}},
	} {
		p := decode(t, page(entry("tweet-1", c.post, "")))
		var got []string
		for i, c := range p.Candidates {
			got = append(got, strings.TrimSpace(c.PostID+" "+strings.Join(c.Files, " ")))
			place := "2"
			if strings.HasPrefix(name, "four") {
				place = "4" // pictures and GIFs count in X's addresses
			}
			require.Equal(t, []string{"https://x.com/new_place/status/" + id, "https://x.com/new_place/status/" + id + "/video/" + place}[i], c.URL, name)
		}
		require.Equal(t, c.want, got, name)
		chosen := source.Select(source.Query{Exclude: []string{"https://x.com/new_place/status/" + id}}, p.Candidates)
		require.Len(t, chosen, max(len(c.want)-1, 0), "%s: who knows the first knows no other", name)
	}
}

func TestAPIMediaIsJoinedByKey(t *testing.T) {
	t.Parallel()
	second, third, quoted := snowflake.At(at, 2), snowflake.At(at, 3), snowflake.At(at.Add(-time.Hour), 9)
	p := decode(t, []byte(`{"data":[
		{"id":"`+id+`","text":"Goal &amp; VAR","author_id":"7","created_at":"2026-03-14T15:30:00.000Z","attachments":{"media_keys":["3_1","13_2"]}},
		{"id":"`+second+`","text":"look","author_id":"7","created_at":"2026-03-14T15:30:00.000Z","referenced_tweets":[{"type":"replied_to","id":"8"},{"type":"quoted","id":"`+quoted+`"}]},
		{"id":"`+third+`","text":"gif","author_id":"7","created_at":"2026-03-14T15:30:00.000Z","attachments":{"media_keys":["16_1"]}}],
		"includes":{"users":[{"id":"7","username":"fan"},{"id":"8","username":"club"}],
		"tweets":[{"id":"`+quoted+`","text":"An old one","author_id":"8","created_at":"2026-03-14T14:30:00.000Z","attachments":{"media_keys":["13_2"]}}],
		"media":[{"media_key":"3_1","type":"photo"},{"media_key":"16_1","type":"animated_gif"},
		{"media_key":"13_2","type":"video","duration_ms":21000,"width":1280,"height":720,"variants":[{"bit_rate":1,"content_type":"video/mp4","url":"u"}]}]},
		"meta":{"result_count":3,"next_token":"n"}}`))
	require.Equal(t, source.StateResults, p.State)
	require.Equal(t, "n", p.Cursor)
	require.Len(t, p.Candidates, 2)
	shows := func(c footy.Candidate) []any {
		return []any{c.PostID, c.Author, c.Text, c.PostedAt, c.DurationMS, c.Width, c.Height, c.Quoted}
	}
	require.Equal(t, []any{id, "fan", "Goal & VAR", at, 21000, 1280, 720, false}, shows(p.Candidates[0]))
	require.Equal(t, []any{quoted, "club", "An old one", at.Add(-time.Hour), 21000, 1280, 720, true}, shows(p.Candidates[1]))
	require.Equal(t, at, p.Oldest)
	require.Equal(t, []string{"u"}, p.Candidates[0].Files)
}

func TestJunkIsAnErrorWithItsOffset(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "<html>", `{"data":`, `[]`, `{"x":1}`, `7`, `null`, `{"data":{}} x`} {
		_, err := timeline.Decode([]byte(body))
		require.ErrorContains(t, err, "offset", body)
	}
}

func TestDriftNamesWhatMoved(t *testing.T) {
	t.Parallel()
	good := page(entry("tweet-1", post(id, author2026, video, ""), ""), cursor("Bottom"))
	for name, c := range map[string]struct{ from, to, says string }{
		"nothing":      {"x", "x", ""},
		"author":       {"screen_name", "handle", "no author"},
		"date":         {"created_at", "made", "no date"},
		"duration":     {"duration_millis", "length", "no video has a duration"},
		"files":        {"video/mp4", "video/av1", "no video has an MP4"},
		"video":        {"video_info", "clip_info", "has a video"},
		"next page":    {`"Bottom"`, `"Down"`, "no next page"},
		"a known list": {"tweet_results", "post_results", "has none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := decode(t, []byte(strings.ReplaceAll(string(good), c.from, c.to)))
			if c.says == "" {
				require.Empty(t, timeline.Drift(p))
				return
			}
			require.Contains(t, strings.Join(timeline.Drift(p), "; "), c.says)
		})
	}
	require.Empty(t, timeline.Drift(timeline.Page{State: source.StateRateLimited}), "a failure is no drift")
}
