// Package reddit is the simulated Reddit: tokens for an app, lists of a subreddit's newest posts by the API and by RSS, the files
// of their videos, and below /archive/ a copy of the list that others keep.
package reddit

import (
	"bytes"
	_ "embed" // the sound
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/cdn/host"
)

// The app that a person made, with the secret that Reddit showed.
const (
	App    = "simulated-app-id"
	Secret = "simulated-app-secret"
)

const (
	bearer  = "simulated-reddit-token"
	allowed = 1000 // calls in ten minutes
)

// Server answers what the real services answer: the token below /api/v1/, the rest below /api/, files below /v/.
type Server struct {
	posts  *post.Catalog
	videos http.Handler
	scale  float64
	base   string

	faults *fault.Panel

	mu        sync.Mutex
	used      int
	reset     time.Time
	feedUsed  map[string]int // calls of this minute by token
	feedReset time.Time

	archiveAsked time.Time
}

// New returns the Reddit of a day whose files videos serves; base is the address it is reached at.
func New(c *post.Catalog, videos http.Handler, scale float64, base string) *Server {
	return &Server{posts: c, videos: videos, scale: scale, base: base}
}

// Under lets the faults of a panel refuse the public list.
func (s *Server) Under(p *fault.Panel) *Server {
	s.faults = p
	return s
}

// ServeHTTP routes.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	switch {
	case strings.HasPrefix(path, "/v/"):
		s.file(w, r)
	case path == "/api/v1/access_token":
		s.token(w, r)
	case strings.HasPrefix(path, "/archive/"):
		s.archive(w, r)
	case !strings.HasPrefix(r.UserAgent(), "server:"):
		http.Error(w, "<html>whoa there, pardner! use a unique and descriptive user agent</html>", http.StatusTooManyRequests)
	case strings.HasSuffix(path, "/new/.rss"), strings.HasSuffix(path, "/.rss") && (strings.HasPrefix(path, "/by_id/") || below(path) != ""):
		s.feed(w, r)
	case r.Header.Get("Authorization") != "Bearer "+bearer:
		answer(w, http.StatusUnauthorized, map[string]any{"message": "Unauthorized", "error": 401})
	case !s.spend(w):
		http.Error(w, "<html>Too Many Requests</html>", http.StatusTooManyRequests)
	case strings.HasPrefix(path, "/api/r/") && strings.HasSuffix(path, "/new"):
		s.newest(w, r)
	case below(path) != "":
		s.thread(w, s.named(below(path)))
	case path == "/api/api/info":
		s.info(w, r)
	default:
		answer(w, http.StatusNotFound, map[string]any{"message": "Not Found", "error": 404})
	}
}

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	if id != App || secret != Secret {
		answer(w, http.StatusUnauthorized, map[string]any{"message": "Unauthorized", "error": 401})
		return
	}
	if r.Method != http.MethodPost || r.PostFormValue("grant_type") != "client_credentials" {
		answer(w, http.StatusOK, map[string]any{"error": "unsupported_grant_type"})
		return
	}
	answer(w, http.StatusOK, map[string]any{"access_token": bearer, "token_type": "bearer", "expires_in": 86400, "scope": "*"})
}

// spend counts a call and tells what is left.
func (s *Server) spend(w http.ResponseWriter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if !now.Before(s.reset) {
		s.used, s.reset = 0, now.Add(time.Duration(float64(10*time.Minute)/s.scale))
	}
	s.used++
	w.Header().Set("X-Ratelimit-Used", strconv.Itoa(s.used))
	w.Header().Set("X-Ratelimit-Remaining", fmt.Sprintf("%.1f", float64(max(allowed-s.used, 0))))
	w.Header().Set("X-Ratelimit-Reset", strconv.Itoa(int(s.reset.Sub(now).Seconds())+1))
	return s.used <= allowed
}

// newest lists the newest posts, with what else a subreddit has between them.
func (s *Server) newest(w http.ResponseWriter, r *http.Request) {
	found, next := s.page(r)
	var children []any
	for _, p := range found {
		children = append(children, s.child(p))
	}
	if r.URL.Query().Get("after") == "" {
		children = append(children, daily(time.Now()))
	}
	listing(w, children, next)
}

// page is the newest posts after the one that a request names; next is nil on the last page.
func (s *Server) page(r *http.Request) (found []post.Post, next any) {
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil || limit <= 0 || limit > 100 {
		limit = 25
	}
	after := r.URL.Query().Get("after")
	all, now := s.posts.All(), time.Now()
	begun := after == ""
	for i := len(all) - 1; i >= 0 && len(found) < limit; i-- {
		p := all[i]
		if p.On != script.Reddit || p.PostedAt.After(now) {
			continue
		}
		if !begun {
			begun = name(p) == after
			continue
		}
		found = append(found, p)
	}
	if len(found) >= limit {
		next = name(found[len(found)-1])
	}
	return found, next
}

func (s *Server) info(w http.ResponseWriter, r *http.Request) {
	children := []any{}
	for _, p := range s.named(r.URL.Query().Get("id")) {
		children = append(children, s.child(p))
	}
	listing(w, children, nil)
}

// named is the post of a name.
func (s *Server) named(id string) (found []post.Post) {
	for _, p := range s.posts.All() {
		if p.On == script.Reddit && name(p) == id && !p.PostedAt.After(time.Now()) {
			found = append(found, p)
		}
	}
	return found
}

// child is one post as Reddit writes it.
func (s *Server) child(p post.Post) any {
	id := strings.TrimPrefix(name(p), "t3_")
	data := map[string]any{"name": name(p), "id": id, "title": p.Text, "author": p.Author, "subreddit": "soccer", "is_self": false, "over_18": false,
		"permalink": strings.TrimPrefix(permalink(p), site), "created_utc": float64(p.PostedAt.UnixMilli()) / 1000, "domain": "v.redd.it",
		"url": link(p), "link_flair_text": ":n_goal: Goal Clip", "removed_by_category": nil, "is_video": true}
	if p.Kind == script.Deleted {
		data["removed_by_category"], data["author"] = "deleted", "[deleted]"
	}
	if page := host.Page(p); page != "" {
		data["url"], data["domain"], data["is_video"], data["secure_media"] = page, p.Host, false, nil
		return map[string]any{"kind": "t3", "data": data}
	}
	gif := p.Link == script.LinkGIF
	media := map[string]any{"reddit_video": map[string]any{
		"fallback_url": fmt.Sprintf("%s/v/%s/CMAF_%d.mp4?source=fallback", s.base, p.ID, p.Clip.Height), "has_audio": !gif,
		"dash_url": fmt.Sprintf("%s/v/%s/DASHPlaylist.mpd?a=0%%2C0&v=1&f=sd", s.base, p.ID),
		"width":    p.Clip.Width, "height": p.Clip.Height, "duration": int(p.Clip.Seconds + 0.5), "is_gif": gif, "transcoding_status": "completed"}}
	switch p.Link {
	case script.LinkCrosspost:
		data["url"], data["is_video"], data["secure_media"] = "/r/footballhighlights/comments/"+id+"/goal/", false, nil
		data["crosspost_parent_list"] = []any{map[string]any{"name": "t3_x" + id, "title": p.Text, "subreddit": "footballhighlights", "url": link(p), "is_video": true, "secure_media": media}}
	case script.LinkShared, script.LinkPlayer:
		data["is_video"], data["secure_media"] = false, nil
	default:
		data["secure_media"] = media
	}
	return map[string]any{"kind": "t3", "data": data}
}

// link is the address by which a post or a comment brings a video of Reddit's own.
func link(p post.Post) string {
	switch p.Link {
	case script.LinkShared:
		return "https://v.redd.it/" + p.ID + "?utm_source=share&utm_medium=ios_app"
	case script.LinkPlayer:
		return site + "/link/" + p.ID + "/video/" + p.ID + "/player"
	}
	return "https://v.redd.it/" + p.ID
}

// daily is a post without a video that is always there.
func daily(now time.Time) any {
	return map[string]any{"kind": "t3", "data": map[string]any{"name": "t3_daily", "id": "daily", "title": "Daily Discussion", "author": "AutoModerator",
		"subreddit": "soccer", "is_self": true, "permalink": "/r/soccer/comments/daily/daily_discussion/", "created_utc": now.Add(-12 * time.Hour).Unix(),
		"url": "https://www.reddit.com/r/soccer/comments/daily/daily_discussion/", "secure_media": nil, "removed_by_category": nil}}
}

// sound is the sound of every video: a hum of two seconds. Reddit keeps it apart from the picture, and only the play-list names it.
//
//go:embed sound.mp4
var sound []byte

const playlist = `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static"><Period id="0">
<AdaptationSet contentType="video" id="0"><Representation bandwidth="2400000" id="0" mimeType="video/mp4"><BaseURL>CMAF_%d.mp4</BaseURL></Representation></AdaptationSet>
<AdaptationSet contentType="audio" id="1"><Representation bandwidth="16000" id="1" mimeType="audio/mp4"><BaseURL>CMAF_AUDIO_64.mp4</BaseURL></Representation></AdaptationSet>
</Period></MPD>
`

// file serves /v/{id}/CMAF_{height}.mp4: the file as it was posted; and the play-list and the sound that belong to it.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	id, file, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v/"), "/")
	p, ok := s.posts.ByID(id, time.Now())
	if !ok || p.On == "" {
		http.NotFound(w, r)
		return
	}
	switch file {
	case "DASHPlaylist.mpd":
		w.Header().Set("Content-Type", "application/dash+xml")
		_, _ = fmt.Fprintf(w, playlist, p.Clip.Height)
		return
	case "CMAF_AUDIO_64.mp4":
		w.Header().Set("Content-Type", "audio/mp4")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(sound))
		return
	}
	r.URL.Path = fmt.Sprintf("/%s/pu/vid/%dx%d/clip.mp4", p.ID, p.Clip.Width, p.Clip.Height)
	s.videos.ServeHTTP(w, r)
}

// name is a post's name on Reddit; that its number is the post's own lets outcomes be compared.
func name(p post.Post) string {
	if p.On == script.Comment {
		return "t1_" + p.ID
	}
	return "t3_" + p.ID
}

func listing(w http.ResponseWriter, children []any, after any) {
	answer(w, http.StatusOK, map[string]any{"kind": "Listing", "data": map[string]any{"after": after, "before": nil, "dist": len(children), "children": children}})
}

func answer(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v) // the client went away: nobody to tell
}
