package reddit

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Delays of the archive, in product seconds: most posts are there after the first, one in ten after the second.
const (
	archiveDelay = 45
	archiveLate  = 137
	archiveEvery = 20 // the time between two calls that it bears
	archiveOld   = 20 * 60
	chatEvery    = 90 // the time between two posts that are about something else
)

// archive serves /archive/api/posts/search and /ids, posts as Reddit writes them, each once, some time after it was made; and the comments of one.
func (s *Server) archive(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	switch limit, err := strconv.Atoi(cmp.Or(query.Get("limit"), "25")); {
	case !strings.Contains(r.UserAgent(), "/") || strings.HasPrefix(r.UserAgent(), "Go-http-client"):
		answer(w, http.StatusForbidden, map[string]any{"data": nil, "error": "say who asks"})
	case s.faults.On(script.ArchiveSlow), !s.spendArchive():
		answer(w, http.StatusOK, map[string]any{"data": nil, "error": "Timeout. Maybe slow down a bit"})
	case err != nil || limit < 1 || limit > 100:
		answer(w, http.StatusBadRequest, map[string]any{"data": nil, "error": "limit must be 1 to 100"})
	case strings.HasSuffix(r.URL.Path, "/api/posts/ids"):
		ids := strings.Split(query.Get("ids"), ",")
		answer(w, http.StatusOK, map[string]any{"data": s.archived(func(p row) bool { return slices.Contains(ids, p.name) }, limit)})
	case strings.HasSuffix(r.URL.Path, "/api/posts/search") && query.Get("sort") == "asc":
		after, _ := strconv.ParseInt(query.Get("after"), 10, 64)
		answer(w, http.StatusOK, map[string]any{"data": s.archived(func(p row) bool { return p.at.Unix() > after }, limit)})
	case strings.HasSuffix(r.URL.Path, "/api/comments/search"):
		rows := []any{}
		for _, of := range s.named(query.Get("link_id")) {
			for _, p := range s.comments(of) {
				rows = append(rows, map[string]any{"id": p.ID, "author": p.Author, "body": said(p, "[here](%s)"), "permalink": strings.TrimPrefix(permalink(p), site), "created_utc": p.PostedAt.Unix()})
			}
		}
		answer(w, http.StatusOK, map[string]any{"data": rows})
	default:
		answer(w, http.StatusNotFound, map[string]any{"data": nil, "error": "not found"})
	}
}

// spendArchive reports whether a call keeps the pace, as far as a busy machine can.
func (s *Server) spendArchive() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	early := now.Sub(s.archiveAsked) < s.product(archiveEvery)/2
	s.archiveAsked = now
	return !early
}

// product is a time in product seconds.
func (s *Server) product(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second) / s.scale)
}

// row is a post of the archive.
type row struct {
	name string
	at   time.Time
	data any
}

// archived are the rows that fit, oldest first.
func (s *Server) archived(fits func(row) bool, limit int) []any {
	now := time.Now()
	upTo := now
	if s.faults.On(script.ArchiveStale) {
		upTo = now.Add(-s.product(archiveOld))
	}
	var rows []row
	for _, p := range s.posts.All() {
		if p.On == script.Reddit && !p.PostedAt.Add(s.lag(p)).After(upTo) {
			data, _ := s.child(p).(map[string]any)["data"].(map[string]any)
			delete(data, "name")
			data["created_utc"] = p.PostedAt.Unix()
			rows = append(rows, row{name(p), p.PostedAt, data})
		}
	}
	every := s.product(chatEvery)
	for n := upTo.UnixNano()/int64(every) - 200; n <= upTo.UnixNano()/int64(every); n++ {
		if at := time.Unix(0, n*int64(every)); !at.Add(s.product(archiveDelay)).After(upTo) {
			rows = append(rows, chat(n, at))
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return a.at.Compare(b.at) })
	out := []any{}
	for _, p := range rows {
		if fits(p) && len(out) < limit {
			out = append(out, p.data)
		}
	}
	return out
}

// lag is how long after a post the archive has it.
func (s *Server) lag(p post.Post) time.Duration {
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.ID))
	if h.Sum32()%10 == 0 {
		return s.product(archiveLate)
	}
	return s.product(archiveDelay)
}

// chat is a post that shows nothing: a busy subreddit has one every minute or two.
func chat(n int64, at time.Time) row {
	id := "c" + strconv.FormatInt(n, 36)
	link := fmt.Sprintf("/r/soccer/comments/%s/post_match/", id)
	return row{"t3_" + id, at, map[string]any{"id": id, "title": "Who was the best on the pitch?", "author": "terrace", "is_self": true, "permalink": link,
		"created_utc": at.Unix(), "url": "https://www.reddit.com" + link, "media": nil, "secure_media": nil, "removed_by_category": nil}}
}
