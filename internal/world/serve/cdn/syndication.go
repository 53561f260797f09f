package cdn

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Lookup answers GET /tweet-result?id=&token= as the syndication host does.
type Lookup struct {
	posts  *post.Catalog
	dir    string
	faults *fault.Panel
}

// NewLookup returns the syndication host of a day whose clips lie in dir.
func NewLookup(c *post.Catalog, dir string) *Lookup { return &Lookup{posts: c, dir: dir} }

// Under applies the faults of a panel to the look-up.
func (l *Lookup) Under(p *fault.Panel) *Lookup {
	l.faults = p
	return l
}

// ServeHTTP finds one post. Unknown posts are 404, a lookup without a token answers nothing, deleted posts are tombstones.
func (l *Lookup) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.Trim(r.URL.Path, "/") != "tweet-result" {
		http.NotFound(w, r)
		return
	}
	p, ok := l.posts.ByID(r.URL.Query().Get("id"), time.Now())
	if _, on := l.faults.For(script.FetchRefused, p.Is); on {
		http.Error(w, "Forbidden", http.StatusForbidden)
		return
	}
	if _, on := l.faults.For(script.FetchGone, p.Is); on {
		http.NotFound(w, r)
		return
	}
	if r.URL.Query().Get("token") == "" {
		write(w, struct{}{})
		return
	}
	switch {
	case !ok:
		http.NotFound(w, r)
	case p.Kind == script.Deleted:
		write(w, tombstone())
	default:
		write(w, l.tweet(p, "http://"+r.Host))
	}
}

func tombstone() any {
	return map[string]any{"__typename": "TweetTombstone", "tombstone": map[string]any{"text": map[string]any{
		"text": "This Post was deleted by the Post author. Learn more",
		"entities": []any{map[string]any{"from_index": 42, "to_index": 52, "ref": map[string]any{
			"__typename": "TimelineUrl", "url": "https://help.twitter.com/rules-and-policies/notices-on-twitter", "url_type": "ExternalUrl"}}},
		"rtl": false}}}
}

func (l *Lookup) tweet(p post.Post, host string) any {
	t := map[string]any{"__typename": "Tweet", "id_str": p.ID, "text": p.Text, "lang": "en",
		"created_at": p.PostedAt.Format("2006-01-02T15:04:05.000Z"),
		"user":       map[string]any{"name": p.Author, "screen_name": p.Author, "profile_image_url_https": "https://pbs.twimg.com/profile_images/abc_normal.jpg"}}
	if quoted, ok := l.posts.ByID(p.Quotes, time.Now()); ok { // the video sits one level deeper
		t["quoted_tweet"] = l.tweet(quoted, host)
		return t
	}
	t["mediaDetails"] = l.media(p, host)
	return t
}

func (l *Lookup) media(p post.Post, host string) []any {
	picture := fmt.Sprintf("https://pbs.twimg.com/ext_tw_video_thumb/%s/pu/img/x.jpg", p.ID)
	if p.Kind == script.NoVideo {
		return []any{map[string]any{"type": "photo", "media_url_https": picture}}
	}
	w, h := p.Clip.Width, p.Clip.Height
	bitrate := 832000
	if info, err := os.Stat(filepath.Join(l.dir, p.Clip.Name())); err == nil {
		bitrate = int(float64(info.Size()) * 8 / p.Clip.Seconds)
	}
	video := func(w, h int) string {
		return fmt.Sprintf("%s/video/%s/pu/vid/%dx%d/%s?tag=14", host, p.ID, w, h, p.Clip.Name())
	}
	ratio := []int{16, 9}
	if h > w {
		ratio = []int{9, 16}
	}
	return []any{map[string]any{"type": "video", "media_url_https": picture, "video_info": map[string]any{
		"aspect_ratio": ratio, "duration_millis": int(p.Clip.Seconds * 1000), "variants": []any{
			map[string]any{"content_type": "application/x-mpegURL", "url": fmt.Sprintf("%s/video/%s/pu/pl/list.m3u8?tag=14&v=9a8", host, p.ID)},
			map[string]any{"content_type": "video/mp4", "bitrate": max(bitrate/4, 64000), "url": video(w/4*2, h/4*2)},
			map[string]any{"content_type": "video/mp4", "bitrate": max(bitrate, 128000), "url": video(w, h)},
		}}}}
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(v) // the client went away: nobody to tell
}
