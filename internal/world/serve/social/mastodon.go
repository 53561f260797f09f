package social

import (
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Mastodon is an account of a server. Files are processed for a
// while before a post may name them.
type Mastodon struct {
	Place

	mediaMu sync.Mutex
	media   map[string]*mastodonFile
}

type mastodonFile struct {
	part
	looks int // until it is processed
}

// AccountToken is the token of the account.
const AccountToken = "a-simulated-mastodon-token"

// ServeHTTP implements http.Handler.
func (m *Mastodon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+AccountToken {
		answer(w, http.StatusUnauthorized, map[string]any{"error": "The access token is invalid"})
		return
	}
	id, single := strings.CutPrefix(r.URL.Path, "/api/v1/statuses/")
	file, looks := strings.CutPrefix(r.URL.Path, "/api/v1/media/")
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/api/v2/media":
		m.upload(w, r)
	case r.Method == http.MethodGet && looks:
		m.processed(w, file)
	case r.Method == http.MethodPost && r.URL.Path == "/api/v1/statuses":
		m.post(w, r)
	case r.Method == http.MethodPut && single:
		m.edit(w, r, id)
	case r.Method == http.MethodDelete && single:
		m.act(w, "delete", mastodonBusy, func(w http.ResponseWriter) {
			was, there := m.change(id, func(s *Message) { s.Deleted = true })
			mastodonShow(w, was, there)
		})
	case r.URL.Path == "/api/v1/accounts/verify_credentials":
		answer(w, http.StatusOK, map[string]any{"id": "7", "username": "goals"})
	case r.URL.Path == "/api/v1/accounts/7/statuses":
		m.list(w, r)
	default:
		answer(w, http.StatusNotFound, map[string]any{"error": "Record not found"})
	}
}

func mastodonBusy(w http.ResponseWriter) {
	w.Header().Set("X-RateLimit-Remaining", "0")
	w.Header().Set("X-RateLimit-Reset", time.Now().Add(time.Second).UTC().Format(time.RFC3339Nano))
	answer(w, http.StatusTooManyRequests, map[string]any{"error": "Too many requests"})
}

func (m *Mastodon) upload(w http.ResponseWriter, r *http.Request) {
	_, files, err := form(r)
	m.act(w, "upload", mastodonBusy, func(w http.ResponseWriter) {
		f, sent := files["file"]
		if err != nil || !sent || f.size > 40<<20 {
			answer(w, http.StatusUnprocessableEntity, map[string]any{"error": "Validation failed: File must be less than 40 MB"})
			return
		}
		if m.treats(f.kind, Refuses) {
			answer(w, http.StatusUnprocessableEntity, map[string]any{"error": "File type of uploaded media could not be verified"})
			return
		}
		m.mediaMu.Lock()
		defer m.mediaMu.Unlock()
		if m.media == nil {
			m.media = map[string]*mastodonFile{}
		}
		id := "m" + strconv.Itoa(len(m.media)+1)
		m.media[id] = &mastodonFile{f, 1}
		answer(w, http.StatusAccepted, map[string]any{"id": id, "type": "video", "url": nil})
	})
}

func (m *Mastodon) processed(w http.ResponseWriter, id string) {
	m.mediaMu.Lock()
	defer m.mediaMu.Unlock()
	f := m.media[id]
	switch {
	case f == nil:
		answer(w, http.StatusNotFound, map[string]any{"error": "Record not found"})
	case m.treats(f.kind, CannotProcess):
		answer(w, http.StatusUnprocessableEntity, map[string]any{"error": "Error processing thumbnail for uploaded media"})
	case m.treats(f.kind, NeverEnds):
		answer(w, http.StatusPartialContent, map[string]any{"id": id, "url": nil})
	case f.looks > 0:
		f.looks--
		answer(w, http.StatusPartialContent, map[string]any{"id": id, "url": nil})
	default:
		answer(w, http.StatusOK, map[string]any{"id": id, "url": "https://mastodon.example/" + id})
	}
}

// draft reads what is to be posted; says is why it is refused.
func (m *Mastodon) draft(r *http.Request) (d Message, says string) {
	var body struct {
		Status     string   `json:"status"`
		Media      []string `json:"media_ids"`
		Visibility string   `json:"visibility"`
	}
	if json.NewDecoder(r.Body).Decode(&body) != nil {
		return d, "Validation failed: Text can't be blank"
	}
	d = Message{Text: body.Status, Direct: body.Visibility == "direct"}
	if n := len([]rune(webLink.ReplaceAllString(body.Status, strings.Repeat("x", 23)))); n > 500 {
		return d, "Validation failed: Text character limit of 500 exceeded"
	}
	m.mediaMu.Lock()
	defer m.mediaMu.Unlock()
	for _, id := range body.Media {
		f := m.media[id]
		if f == nil || f.looks > 0 {
			return d, "Cannot attach files that have not finished processing. Try again in a moment!"
		}
		d.File, d.Size = f.kind, f.size
	}
	return d, ""
}

func (m *Mastodon) post(w http.ResponseWriter, r *http.Request) {
	d, says := m.draft(r)
	m.act(w, "post", mastodonBusy, func(w http.ResponseWriter) {
		if says != "" {
			answer(w, http.StatusUnprocessableEntity, map[string]any{"error": says})
			return
		}
		mastodonShow(w, m.add(d), true)
	})
}

func (m *Mastodon) edit(w http.ResponseWriter, r *http.Request, id string) {
	d, says := m.draft(r)
	m.act(w, "edit", mastodonBusy, func(w http.ResponseWriter) {
		if says != "" {
			answer(w, http.StatusUnprocessableEntity, map[string]any{"error": says})
			return
		}
		now, there := m.change(id, func(s *Message) {
			s.Text, s.File, s.Size = d.Text, d.File, d.Size
			s.Edits++
		})
		mastodonShow(w, now, there)
	})
}

func (m *Mastodon) list(w http.ResponseWriter, r *http.Request) {
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	before := r.URL.Query().Get("max_id")
	out := []any{}
	for _, s := range slices.Backward(m.Standing()) {
		if before != "" && !(len(s.ID) < len(before) || len(s.ID) == len(before) && s.ID < before) {
			continue
		}
		if len(out) < min(limit, 40) {
			out = append(out, mastodonStatus(s))
		}
	}
	answer(w, http.StatusOK, out)
}

func mastodonShow(w http.ResponseWriter, s Message, there bool) {
	if !there {
		answer(w, http.StatusNotFound, map[string]any{"error": "Record not found"})
		return
	}
	answer(w, http.StatusOK, mastodonStatus(s))
}

var webLink = regexp.MustCompile(`https?://\S+`)

// mastodonStatus is a post as it is shown: lines as HTML, links in parts.
func mastodonStatus(s Message) any {
	text := strings.ReplaceAll(html.EscapeString(s.Text), "\n", "<br />")
	text = webLink.ReplaceAllStringFunc(text, func(l string) string {
		rest := strings.TrimPrefix(l, "https://")
		return `<a href="` + l + `" target="_blank" rel="nofollow noopener noreferrer"><span class="invisible">https://</span><span class="">` + rest + `</span></a>`
	})
	return map[string]any{"id": s.ID, "created_at": s.At.UTC().Format("2006-01-02T15:04:05.000Z"), "url": "https://mastodon.example/@goals/" + s.ID, "content": "<p>" + text + "</p>"}
}
