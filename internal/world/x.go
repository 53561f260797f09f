package world

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/search"
	"github.com/found-footy/found-footy/internal/world/serve/search/paid"
	"github.com/found-footy/found-footy/internal/world/serve/social"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
)

// session is logged in to the simulated X from the start: a person brings its cookies.
const session = "simulated-session"

// secondSession is that of a second account, with limits of its own.
const secondSession = session + "-2"

// site is X as a web browser sees it. It shows the posts that the search contract shows, among what X puts between them:
// advertisements, GIFs, pictures and old talk.
func (w *World) site() *xsite.Site {
	return xsite.New(xsite.Options{Prefix: "/x", Search: w.timeline, Sessions: []string{session, secondSession}, Users: map[string]string{secondSession: xsite.User + "_2"},
		Window: time.Duration(float64(15*time.Minute) / w.day.Scale()),
		Out:    func() bool { return w.panel.On(script.XLoggedOut) },
		Fault: func(int, string, string) xsite.Fault {
			if w.panel.On(script.XRateLimited) {
				return xsite.RateLimited
			}
			return xsite.None
		}})
}

// paidAPI is X's API for an app: searches with a bearer token, and posts of an account.
func (w *World) paidAPI() http.Handler {
	searches, posts := paid.New(w.posts, w.url+"/video", w.bills), &social.X{Account: w.bills}
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/2/tweets/search/") {
			searches.ServeHTTP(rw, r)
			return
		}
		posts.ServeHTTP(rw, r)
	})
}

// wantsMoney is what the switches and the script say of X's account.
func (w *World) wantsMoney() paid.Want {
	switch {
	case w.panel.On(script.XNoCredits):
		return paid.NoCredits
	case w.panel.On(script.XMonthlyCap):
		return paid.MonthlyCap
	}
	return paid.Nothing
}

// Bill is what X's paid API has billed.
func (w *World) Bill() paid.Bill { return w.bills.Bill() }

// Cookies are the session's cookies as a browser extension exports them.
func (w *World) Cookies() []byte {
	host := ""
	if u, err := url.Parse(w.url); err == nil {
		host = u.Hostname()
	}
	until := w.day.Start().AddDate(1, 0, 0).Unix()
	raw, _ := json.Marshal([]map[string]any{ // plain values always encode
		{"name": "auth_token", "value": session, "domain": host, "path": "/", "httpOnly": true, "expirationDate": until},
		{"name": "ct0", "value": xsite.CSRF(session), "domain": host, "path": "/", "expirationDate": until},
	})
	return raw
}

// timeline lists what a search finds now, newest first.
func (w *World) timeline(query string) []xsite.Post {
	q, now := search.Parse(query), time.Now()
	var out []xsite.Post
	all := w.posts.All()
	for i := len(all) - 1; i >= 0; i-- {
		if p := all[i]; p.On == "" && !p.PostedAt.After(now) && q.Matches(p.Text) {
			out = append(out, w.shown(p, now))
			if i%3 == 0 {
				out = append(out, postWithoutVideo(p))
			}
		}
	}
	for _, p := range w.olderPosts() {
		if q.Matches(p.Text) {
			out = append(out, p)
		}
	}
	if len(out) > 2 { // an advertisement, where X likes to put one
		out = append(out[:2], append([]xsite.Post{advert(now)}, out[2:]...)...)
	}
	return out
}

func (w *World) shown(p post.Post, now time.Time) xsite.Post {
	s := xsite.Post{ID: p.ID, Author: p.Author, Text: p.Text, At: p.PostedAt, Width: p.Clip.Width, Height: p.Clip.Height,
		VideoURL: fmt.Sprintf("%s/video/%s/pu/vid/%dx%d/clip.mp4", w.url, p.ID, p.Clip.Width, p.Clip.Height)}
	if p.Hints {
		s.DurationMS = int(p.Clip.Seconds * 1000)
	}
	if quoted, ok := w.posts.ByID(p.Quotes, now); ok {
		inner := w.shown(quoted, now)
		s.Kind, s.Quotes = xsite.Quoted, &inner
	}
	return s
}

// postWithoutVideo is a post of the same words without a video: a GIF, which must not pass for one, or a picture.
func postWithoutVideo(p post.Post) xsite.Post {
	n, _ := strconv.ParseInt(p.ID, 10, 64) // our own ids are numbers
	kind := xsite.GIF
	if n&8 == 0 {
		kind = xsite.Photo
	}
	return xsite.Post{ID: strconv.FormatInt(n|1<<16, 10), Author: p.Author + "_fan", Text: p.Text, At: p.PostedAt, Kind: kind,
		Width: 498, Height: 280, VideoURL: "https://video.twimg.com/tweet_video/reaction.mp4"}
}

// olderPosts is what people said before the day began, so that a search for it always has results.
func (w *World) olderPosts() []xsite.Post {
	var out []xsite.Post
	for i := range 24 {
		at := w.day.Start().Add(-time.Duration(i+1) * time.Minute).Truncate(time.Second).UTC()
		out = append(out, xsite.Post{ID: strconv.FormatInt((at.UnixMilli()-1288834974657)<<22|int64(i+1), 10), Author: fmt.Sprintf("fan%d", i),
			Text: "What a goal that was! Golazo, gol, goal of the season", At: at, DurationMS: 14000 + 100*i, Width: 1280, Height: 720,
			VideoURL: "https://video.twimg.com/ext_tw_video/1/pu/vid/1280x720/a.mp4"})
	}
	return out
}

func advert(now time.Time) xsite.Post {
	at := now.Truncate(time.Second).UTC()
	return xsite.Post{ID: strconv.FormatInt((at.UnixMilli()-1288834974657)<<22, 10), Author: "boots_shop", Text: "Boots for every goal", At: at,
		Kind: xsite.Promoted, DurationMS: 6000, Width: 1280, Height: 720, VideoURL: "https://video.twimg.com/ext_tw_video/2/pu/vid/1280x720/ad.mp4"}
}
