package social

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // OAuth 1.0a is made of it
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/world/serve/search/paid"
)

// X is an account of X, by the API of an app. The same text is taken once.
type X struct {
	Place
	Account *paid.Account // that is billed; nil: nobody is

	mediaMu sync.Mutex
	media   map[string]*xFile
}

type xFile struct {
	part
	total int
	ready bool
}

// The app's keys and the account's tokens.
const (
	XKey         = "simulated-key"
	XKeySecret   = "simulated-key-secret"
	XToken       = "simulated-token"
	XTokenSecret = "simulated-token-secret"
)

// ServeHTTP implements http.Handler.
func (x *X) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !xSigned(r) {
		xProblem(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
		return
	}
	id, single := strings.CutPrefix(r.URL.Path, "/2/tweets/")
	switch {
	case x.Account.Refuses(w):
	case strings.HasPrefix(r.URL.Path, "/2/media/upload"):
		x.upload(w, r)
	case r.Method == http.MethodPost && r.URL.Path == "/2/tweets":
		x.post(w, r)
	case r.Method == http.MethodDelete && single:
		x.act(w, "delete", xBusy, func(w http.ResponseWriter) {
			if _, there := x.change(id, func(m *Message) { m.Deleted = true }); !there {
				xProblem(w, http.StatusNotFound, "Not Found Error", "Could not find tweet with id: ["+id+"].")
				return
			}
			answer(w, http.StatusOK, map[string]any{"data": map[string]any{"deleted": true}})
		})
	case r.URL.Path == "/2/users/me":
		x.Account.Charge(paid.UserRead, 1)
		answer(w, http.StatusOK, map[string]any{"data": map[string]any{"id": "9", "username": "goals", "name": "Goals"}})
	default:
		xProblem(w, http.StatusNotFound, "Not Found Error", "")
	}
}

func xProblem(w http.ResponseWriter, status int, title, detail string) {
	answer(w, status, map[string]any{"title": title, "detail": detail, "type": "about:blank", "status": status})
}

func xBusy(w http.ResponseWriter) {
	w.Header().Set("X-Rate-Limit-Remaining", "0")
	w.Header().Set("X-Rate-Limit-Reset", strconv.FormatInt(time.Now().Unix()+1, 10))
	xProblem(w, http.StatusTooManyRequests, "Too Many Requests", "Too Many Requests")
}

func (x *X) post(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Text  string `json:"text"`
		Media struct {
			IDs []string `json:"media_ids"`
		} `json:"media"`
	}
	err := json.NewDecoder(r.Body).Decode(&body)
	x.act(w, "post", xBusy, func(w http.ResponseWriter) {
		m := Message{Text: body.Text}
		for _, id := range body.Media.IDs {
			x.mediaMu.Lock()
			f := x.media[id]
			x.mediaMu.Unlock()
			if f == nil || !f.ready {
				xProblem(w, http.StatusBadRequest, "Invalid Request", "Your media IDs are invalid.")
				return
			}
			m.File, m.Size = f.kind, f.total
		}
		if err != nil || xWeight(body.Text) > 280 {
			xProblem(w, http.StatusBadRequest, "Invalid Request", "One or more parameters to your request was invalid.")
			return
		}
		for _, was := range x.Standing() {
			if was.Text == body.Text {
				xProblem(w, http.StatusForbidden, "Forbidden", "You are not allowed to create a Tweet with duplicate content.")
				return
			}
		}
		m = x.add(m)
		item := paid.PostMade
		if webLink.MatchString(m.Text) {
			item = paid.LinkedPostMade
		}
		x.Account.Charge(item, 1)
		answer(w, http.StatusCreated, map[string]any{"data": map[string]any{"id": m.ID, "text": m.Text}})
	})
}

// xWeight counts as X does.
func xWeight(text string) int {
	n := 0
	for _, r := range webLink.ReplaceAllString(text, strings.Repeat("x", 23)) {
		if n++; r > 4351 && !(r >= 8192 && r <= 8205) && !(r >= 8208 && r <= 8223) && !(r >= 8242 && r <= 8247) {
			n++
		}
	}
	return n
}

func (x *X) upload(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/2/media/upload"), "/")
	id, step, _ := strings.Cut(path, "/")
	x.mediaMu.Lock()
	defer x.mediaMu.Unlock()
	if x.media == nil {
		x.media = map[string]*xFile{}
	}
	f := x.media[id]
	switch {
	case path == "initialize":
		var in struct {
			Type  string `json:"media_type"`
			Total int    `json:"total_bytes"`
		}
		if json.NewDecoder(r.Body).Decode(&in) != nil || in.Total <= 0 || in.Total > 512<<20 {
			xProblem(w, http.StatusBadRequest, "Invalid Request", "total_bytes")
			return
		}
		if x.treats(in.Type, Refuses) {
			xProblem(w, http.StatusBadRequest, "Invalid Request", "The media type is not supported.")
			return
		}
		id = strconv.Itoa(7000 + len(x.media))
		x.media[id] = &xFile{part: part{kind: in.Type}, total: in.Total}
		answer(w, http.StatusOK, map[string]any{"data": map[string]any{"id": id, "expires_after_secs": 86400}})
	case step == "append" && f != nil:
		_, files, err := form(r)
		if f.size += files["media"].size; err != nil || files["media"].size > 5<<20 {
			xProblem(w, http.StatusBadRequest, "Invalid Request", "media")
			return
		}
		answer(w, http.StatusOK, map[string]any{"data": map[string]any{}})
	case step == "finalize" && f != nil && f.size == f.total:
		answer(w, http.StatusOK, map[string]any{"data": map[string]any{"id": id, "processing_info": map[string]any{"state": "pending", "check_after_secs": 0}}})
	case r.URL.Query().Get("command") == "STATUS":
		id = r.URL.Query().Get("media_id")
		if f = x.media[id]; f != nil {
			answer(w, http.StatusOK, map[string]any{"data": map[string]any{"id": id, "processing_info": x.processing(f)}})
			return
		}
		fallthrough
	default:
		xProblem(w, http.StatusBadRequest, "Invalid Request", "media")
	}
}

// processing is how far X is with a file.
func (x *X) processing(f *xFile) map[string]any {
	switch {
	case x.treats(f.kind, CannotProcess):
		return map[string]any{"state": "failed", "error": map[string]any{"code": 3, "name": "UnsupportedMedia", "message": "file is currently unsupported"}}
	case x.treats(f.kind, NeverEnds):
		return map[string]any{"state": "in_progress", "check_after_secs": 0, "progress_percent": 99}
	}
	f.ready = true
	return map[string]any{"state": "succeeded"}
}

// xSigned checks the signature of OAuth 1.0a.
func xSigned(r *http.Request) bool {
	head, ok := strings.CutPrefix(r.Header.Get("Authorization"), "OAuth ")
	var pairs []string
	sent := map[string]string{}
	for p := range strings.SplitSeq(head, ",") {
		k, v, _ := strings.Cut(strings.TrimSpace(p), "=")
		v, err := url.QueryUnescape(strings.ReplaceAll(strings.Trim(v, `"`), "+", "%2B"))
		ok = ok && err == nil
		if sent[k] = v; k != "oauth_signature" {
			pairs = append(pairs, xEscape(k)+"="+xEscape(v))
		}
	}
	for k, vs := range r.URL.Query() {
		for _, v := range vs {
			pairs = append(pairs, xEscape(k)+"="+xEscape(v))
		}
	}
	slices.Sort(pairs)
	path, _, _ := strings.Cut(r.RequestURI, "?") // as it was signed: below the world's own path
	mac := hmac.New(sha1.New, []byte(XKeySecret+"&"+XTokenSecret))
	mac.Write([]byte(r.Method + "&" + xEscape("http://"+r.Host+path) + "&" + xEscape(strings.Join(pairs, "&"))))
	return ok && sent["oauth_consumer_key"] == XKey && sent["oauth_token"] == XToken && sent["oauth_signature"] == base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func xEscape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
