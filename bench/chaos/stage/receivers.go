package stage

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/extra/push/pushtest"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// receivers get what the page sends about goals: a webhook, a browser with its push service, and an account of Mastodon
// that goals are posted to. They live as long as the day does.
type receivers struct {
	addr     string
	server   *http.Server
	mastodon social.Mastodon
	key      *ecdh.PrivateKey // of the browser
	secret   []byte           // idem
	mu       sync.Mutex
	times    map[string]int
	pushed   map[string]int // by tag and title
}

const pushPath = "/push/the-browser-of-this-run"

func listen(ctx context.Context) (*receivers, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t := &receivers{addr: l.Addr().String(), key: key, secret: []byte(rand.Text()[:16]), times: map[string]int{}, pushed: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /told", t.hear)
	mux.HandleFunc("POST "+pushPath, t.receive)
	mux.Handle("/api/", &t.mastodon)
	t.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = t.server.Serve(l) }() // always ends with ErrServerClosed
	return t, nil
}

func (t *receivers) hear(_ http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(io.LimitReader(r.Body, 1<<16))
	if err != nil {
		return // it comes again
	}
	t.mu.Lock()
	t.times[string(b)]++
	t.mu.Unlock()
}

// receive takes a message for the browser; one that it cannot read is of no goal.
func (t *receivers) receive(w http.ResponseWriter, r *http.Request) {
	var m struct{ Tag, Title string }
	b, err := io.ReadAll(io.LimitReader(r.Body, 1<<16))
	if err != nil {
		return
	}
	if b, err = pushtest.Open(t.key, t.secret, b); err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil {
		m.Tag, m.Title = "unreadable", err.Error()
	}
	t.mu.Lock()
	t.pushed[m.Tag+" "+m.Title]++
	t.mu.Unlock()
	w.WriteHeader(http.StatusCreated)
}

func (t *receivers) close() {
	if t != nil {
		_ = t.server.Close() // the day is over
	}
}

// subscribe registers the browser for all goals.
func (s *Stage) subscribe(ctx context.Context) error {
	text := base64.RawURLEncoding.EncodeToString
	body, err := json.Marshal(map[string]any{"endpoint": "http://" + s.receivers.addr + pushPath,
		"keys": map[string]string{"p256dh": text(s.receivers.key.PublicKey().Bytes()), "auth": text(s.receivers.secret)},
		"wish": map[string]any{"all": true, "goals": true, "zone": "UTC"}})
	if err != nil {
		return err
	}
	status, says, err := post(ctx, s.Page+"/api/v1/push/device", body)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the page answers %d: %s", status, says)
	}
	if err != nil {
		return fmt.Errorf("turn notifications on: %w", err)
	}
	return nil
}

// Messages counts the messages that people got, and how many of them came again.
func (s *Stage) Messages() (messages, again int) {
	s.receivers.mu.Lock()
	defer s.receivers.mu.Unlock()
	for _, n := range s.receivers.times {
		messages++
		again += n - 1
	}
	return messages, again
}

// Pushed are the messages that the browser got, by the goal's uid and the title, with how often each came.
func (s *Stage) Pushed() map[string]int {
	s.receivers.mu.Lock()
	defer s.receivers.mu.Unlock()
	return maps.Clone(s.receivers.pushed)
}

// Posts are the posts of ours that stand.
func (s *Stage) Posts() []social.Message { return s.receivers.mastodon.Standing() }
