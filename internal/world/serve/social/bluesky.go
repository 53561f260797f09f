package social

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Bluesky is an account of the AT protocol.
type Bluesky struct {
	Place

	mu    sync.Mutex
	blobs map[string]part
	token string
	sign  int
}

// The account.
const (
	BlueskyHandle   = "goals.bsky.example"
	BlueskyPassword = "abcd-efgh-ijkl-mnop"
	blueskyDID      = "did:plc:goals"
)

// Expire ends the session.
func (b *Bluesky) Expire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.token = ""
}

func (b *Bluesky) session(w http.ResponseWriter, r *http.Request) {
	var in struct{ Identifier, Password string }
	if json.NewDecoder(r.Body).Decode(&in) != nil || in.Identifier != BlueskyHandle || in.Password != BlueskyPassword {
		answer(w, http.StatusUnauthorized, map[string]any{"error": "AuthenticationRequired", "message": "Invalid identifier or password"})
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.token == "" {
		b.sign++
		b.token = "simulated-jwt-" + string(rune('a'+b.sign%26))
	}
	answer(w, http.StatusOK, map[string]any{"did": blueskyDID, "handle": BlueskyHandle, "accessJwt": b.token, "refreshJwt": "r"})
}

// ServeHTTP implements http.Handler.
func (b *Bluesky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := strings.TrimPrefix(r.URL.Path, "/xrpc/com.atproto.")
	if method == "server.createSession" {
		b.session(w, r)
		return
	}
	b.mu.Lock()
	in := b.token != "" && r.Header.Get("Authorization") == "Bearer "+b.token
	b.mu.Unlock()
	if !in {
		answer(w, http.StatusBadRequest, map[string]any{"error": "ExpiredToken", "message": "Token has expired"})
		return
	}
	switch method {
	case "repo.uploadBlob":
		b.upload(w, r)
	case "repo.createRecord":
		b.create(w, r)
	case "repo.deleteRecord":
		var body struct{ RKey string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		b.act(w, "delete", blueskyBusy, func(w http.ResponseWriter) { // also of one that is not there
			b.change(body.RKey, func(m *Message) { m.Deleted = true })
			answer(w, http.StatusOK, map[string]any{})
		})
	default:
		blueskyUnknown(w)
	}
}

func blueskyUnknown(w http.ResponseWriter) {
	answer(w, http.StatusNotImplemented, map[string]any{"error": "MethodNotImplemented", "message": "Method Not Implemented"})
}

func blueskyBusy(w http.ResponseWriter) {
	w.Header().Set("RateLimit-Remaining", "0")
	w.Header().Set("RateLimit-Reset", "1")
	answer(w, http.StatusTooManyRequests, map[string]any{"error": "RateLimitExceeded", "message": "Rate Limit Exceeded"})
}

func (b *Bluesky) upload(w http.ResponseWriter, r *http.Request) {
	size, err := io.Copy(io.Discard, r.Body)
	b.act(w, "upload", blueskyBusy, func(w http.ResponseWriter) {
		kind := r.Header.Get("Content-Type")
		if err != nil || size > 50<<20 {
			answer(w, http.StatusRequestEntityTooLarge, map[string]any{"error": "PayloadTooLarge", "message": "request entity too large"})
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		answer(w, http.StatusOK, map[string]any{"blob": b.keep(kind, int(size))})
	})
}

// keep keeps a file and names it. The account is locked.
func (b *Bluesky) keep(kind string, size int) map[string]any {
	if b.blobs == nil {
		b.blobs = map[string]part{}
	}
	link := "bafkrei" + time.Now().Format("150405.000000000")
	b.blobs[link] = part{kind: kind, size: size}
	return map[string]any{"$type": "blob", "ref": map[string]any{"$link": link}, "mimeType": kind, "size": size}
}

func (b *Bluesky) create(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Repo, Collection string
		Record           struct {
			Type      string `json:"$type"`
			Text      string `json:"text"`
			CreatedAt string `json:"createdAt"`
			Facets    []struct {
				Index struct{ ByteStart, ByteEnd int }
			} `json:"facets"`
			Embed struct {
				Images []struct {
					Image struct {
						Ref struct {
							Link string `json:"$link"`
						} `json:"ref"`
					} `json:"image"`
				} `json:"images"`
			} `json:"embed"`
		}
	}
	err := json.NewDecoder(r.Body).Decode(&body)
	b.act(w, "post", blueskyBusy, func(w http.ResponseWriter) {
		rec := body.Record
		_, badTime := time.Parse(time.RFC3339, rec.CreatedAt)
		wrong := err != nil || body.Repo != blueskyDID || body.Collection != "app.bsky.feed.post" || rec.Type != body.Collection || badTime != nil || len([]rune(rec.Text)) > 300
		for _, f := range rec.Facets {
			wrong = wrong || f.Index.ByteEnd > len(rec.Text) || !strings.HasPrefix(rec.Text[f.Index.ByteStart:f.Index.ByteEnd], "http")
		}
		link := ""
		for _, i := range rec.Embed.Images {
			link = i.Image.Ref.Link
		}
		b.mu.Lock()
		file, there := b.blobs[link]
		b.mu.Unlock()
		if wrong || link != "" && !there {
			answer(w, http.StatusBadRequest, map[string]any{"error": "InvalidRequest", "message": "Invalid app.bsky.feed.post record"})
			return
		}
		m := b.add(Message{Text: rec.Text, File: file.kind, Size: file.size})
		answer(w, http.StatusOK, map[string]any{"uri": "at://" + blueskyDID + "/app.bsky.feed.post/" + m.ID, "cid": "bafyrei"})
	})
}
