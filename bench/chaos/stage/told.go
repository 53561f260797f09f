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

	"github.com/found-footy/found-footy/internal/tell/push/pushtest"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// told are those outside whom the page tells of goals: somebody with a webhook, a browser with its push service, and an account of Mastodon
// that goals are posted to. They live as long as the day does.
type told struct {
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

func listen(ctx context.Context) (*told, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t := &told{addr: l.Addr().String(), key: key, secret: []byte(rand.Text()[:16]), times: map[string]int{}, pushed: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /told", t.hear)
	mux.HandleFunc("POST "+pushPath, t.receive)
	mux.Handle("/api/", &t.mastodon)
	t.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = t.server.Serve(l) }() // always ends with ErrServerClosed
	return t, nil
}

func (t *told) hear(_ http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(io.LimitReader(r.Body, 1<<16))
	if err != nil {
		return // it comes again
	}
	t.mu.Lock()
	t.times[string(b)]++
	t.mu.Unlock()
}

// receive takes a message for the browser; one that it cannot read is of no goal.
func (t *told) receive(w http.ResponseWriter, r *http.Request) {
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

func (t *told) close() {
	if t != nil {
		_ = t.server.Close() // nobody is to be told any more
	}
}

// subscribe lets the browser be told of all goals.
func (s *Stage) subscribe(ctx context.Context) error {
	text := base64.RawURLEncoding.EncodeToString
	body, err := json.Marshal(map[string]any{"endpoint": "http://" + s.told.addr + pushPath,
		"keys": map[string]string{"p256dh": text(s.told.key.PublicKey().Bytes()), "auth": text(s.told.secret)},
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

// Told counts the messages that people got, and how many of them came again.
func (s *Stage) Told() (messages, again int) {
	s.told.mu.Lock()
	defer s.told.mu.Unlock()
	for _, n := range s.told.times {
		messages++
		again += n - 1
	}
	return messages, again
}

// Pushed are the messages that the browser got, by the goal's uid and the title, with how often each came.
func (s *Stage) Pushed() map[string]int {
	s.told.mu.Lock()
	defer s.told.mu.Unlock()
	return maps.Clone(s.told.pushed)
}

// Posts are the posts of ours that stand.
func (s *Stage) Posts() []social.Message { return s.told.mastodon.Standing() }
