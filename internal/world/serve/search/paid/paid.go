package paid

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/serve/search"
)

// Server answers /2/tweets/search/recent; any bearer token but "wrong" is an app's.
type Server struct {
	posts   *post.Catalog
	videos  string
	account *Account
}

// New returns the API of a day whose files lie below videos.
func New(c *post.Catalog, videos string, a *Account) *Server {
	return &Server{posts: c, videos: videos, account: a}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case r.URL.Path != "/2/tweets/search/recent":
		problem(w, http.StatusNotFound, "Not Found Error")
	case !ok || token == "wrong":
		problem(w, http.StatusUnauthorized, "Unauthorized")
	case s.account.Refuses(w):
	default:
		s.search(w, r)
	}
}

func problem(w http.ResponseWriter, status int, title string) {
	answer(w, status, map[string]any{"title": title, "detail": title, "type": "about:blank", "status": status})
}

func (s *Server) search(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, err := strconv.Atoi(q.Get("max_results"))
	since, errSince := time.Parse(time.RFC3339, q.Get("start_time"))
	if err != nil || limit < 10 || limit > 100 || q.Get("start_time") != "" && errSince != nil || q.Get("query") == "" {
		problem(w, http.StatusBadRequest, "Invalid Request")
		return
	}
	found := s.find(q.Get("query"), since, limit)
	s.account.Charge(PostRead, len(found))
	out := map[string]any{"meta": map[string]any{"result_count": len(found)}}
	if len(found) > 0 {
		out["data"], out["includes"] = s.shown(found), s.includes(found, strings.Split(q.Get("expansions"), ","))
	}
	limits(w)
	answer(w, http.StatusOK, out)
}

// find lists what matches, newest first. Videos that a post only quotes are not its own.
func (s *Server) find(query string, since time.Time, limit int) []post.Post {
	words := search.Parse(strings.NewReplacer("has:videos", "", "-is:retweet", "").Replace(query))
	var out []post.Post
	for _, p := range slices.Backward(s.posts.All()) {
		if len(out) < limit && p.On == "" && p.Quotes == "" && !p.PostedAt.After(time.Now()) && !p.PostedAt.Before(since) && words.Matches(p.Text) {
			out = append(out, p)
		}
	}
	return out
}

func (s *Server) shown(found []post.Post) []any {
	var out []any
	for _, p := range found {
		out = append(out, map[string]any{"id": p.ID, "text": p.Text, "created_at": p.PostedAt.UTC().Format("2006-01-02T15:04:05.000Z"),
			"attachments": map[string]any{"media_keys": []string{"7_" + p.ID}}})
	}
	return out
}

// includes is what the caller asked for beside the posts, each of it once and billed.
func (s *Server) includes(found []post.Post, expansions []string) map[string]any {
	out := map[string]any{}
	if slices.Contains(expansions, "attachments.media_keys") {
		media := []any{}
		for _, p := range found {
			media = append(media, map[string]any{"media_key": "7_" + p.ID, "type": "video", "duration_ms": int(p.Clip.Seconds * 1000), "width": p.Clip.Width, "height": p.Clip.Height,
				"variants": []any{map[string]any{"bit_rate": 2176000, "content_type": "video/mp4",
					"url": fmt.Sprintf("%s/%s/pu/vid/%dx%d/clip.mp4", s.videos, p.ID, p.Clip.Width, p.Clip.Height)}}})
		}
		s.account.Charge(MediaRead, len(media))
		out["media"] = media
	}
	if slices.Contains(expansions, "author_id") {
		users, seen := []any{}, map[string]bool{}
		for _, p := range found {
			if !seen[p.Author] {
				seen[p.Author] = true
				users = append(users, map[string]any{"id": p.Author, "username": p.Author})
			}
		}
		s.account.Charge(UserRead, len(users))
		out["users"] = users
	}
	return out
}
