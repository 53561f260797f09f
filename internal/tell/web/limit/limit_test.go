package limit_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/web/limit"
)

// setup is a guarded handler that blocks on /slow until its request ends, and knows two secrets: "Bearer right" and the cookie "session".
type setup struct {
	t       *testing.T
	limits  *limit.Limits
	handler http.Handler
	mu      sync.Mutex
	now     time.Time
	reached sync.WaitGroup // requests to /slow that got in
	leave   chan struct{}
}

func newSetup(t *testing.T, change func(*limit.Options)) *setup {
	t.Helper()
	s := &setup{t: t, now: time.Unix(1_800_000_000, 0), leave: make(chan struct{})}
	o := limit.Options{
		Bounds: limit.Defaults(), LogIn: []string{"/login"}, Now: func() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.now },
		Bearer: func(r *http.Request) (sent, right bool) {
			h := r.Header.Get("Authorization")
			return h != "", h == "Bearer right"
		},
		SignedIn: func(r *http.Request) bool { return r.Header.Get("Cookie") == "session" },
		Cost: func(r *http.Request) limit.Cost {
			switch path := r.URL.Path; {
			case strings.HasSuffix(path, "/search"):
				return limit.Dear
			case strings.HasPrefix(path, "/assets/"), strings.HasPrefix(path, "/logo/"):
				return limit.Bytes
			case strings.HasPrefix(path, "/day/"), path == "/":
				return limit.Cached
			}
			return limit.Page
		},
	}
	if change != nil {
		change(&o)
	}
	s.limits = limit.New(o)
	mux := http.NewServeMux()
	wait := func(_ http.ResponseWriter, r *http.Request) error {
		s.reached.Done()
		select {
		case <-s.leave:
		case <-r.Context().Done():
		}
		return nil
	}
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { _ = wait(w, r) })
	stream := s.limits.Stream(func(w http.ResponseWriter, r *http.Request, over func()) error {
		defer over()
		return wait(w, r)
	})
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		if err := stream(w, r); err != nil {
			s.reached.Done()
			http.Error(w, err.Error(), http.StatusTeapot)
		}
	})
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("token") != "right" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	s.handler = s.limits.Guard(mux)
	return s
}

func (s *setup) pass(d time.Duration) { s.mu.Lock(); s.now = s.now.Add(d); s.mu.Unlock() }

// ask makes a request of an address; header are pairs.
func (s *setup) ask(from, method, path string, body io.Reader, header ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequest(method, path, body)
	r.RemoteAddr = from + ":4711"
	if strings.Contains(from, ":") {
		r.RemoteAddr = "[" + from + "]:4711"
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

func (s *setup) get(from, path string, header ...string) int {
	s.t.Helper()
	return s.ask(from, http.MethodGet, path, nil, header...).Code
}

func (s *setup) logIn(from, token string) int {
	s.t.Helper()
	return s.ask(from, http.MethodPost, "/login", strings.NewReader("token="+token), "Content-Type", "application/x-www-form-urlencoded").Code
}

func TestOneAddressAsksSoOften(t *testing.T) {
	t.Parallel()
	s := newSetup(t, func(o *limit.Options) { o.Bounds.PerSecond, o.Bounds.Burst = 100, 600 })
	for range 600 {
		require.Equal(t, http.StatusOK, s.get("192.0.2.1", "/assets/a"))
	}
	res := s.ask("192.0.2.1", http.MethodGet, "/assets/a", nil)
	require.Equal(t, http.StatusTooManyRequests, res.Code)
	require.Equal(t, "1", res.Header().Get("Retry-After"))
	require.Equal(t, "Your address asks too often. Try again in 1 s.\n", res.Body.String())
	require.Contains(t, s.ask("192.0.2.1", http.MethodGet, "/api/v1/dates", nil).Body.String(), `"code":"rate_limited"`)
	require.Equal(t, http.StatusOK, s.get("192.0.2.2", "/"), "another address is another matter")
	require.Equal(t, http.StatusOK, s.get("192.0.2.1", "/", "Cookie", "session"), "whoever is signed in is let through")
	require.Equal(t, http.StatusOK, s.get("192.0.2.1", "/", "Authorization", "Bearer right"))
	require.Equal(t, http.StatusOK, s.get("192.0.2.1", "/healthz"), "probes hear the truth")
	s.pass(time.Second)
	for range 100 {
		require.Equal(t, http.StatusOK, s.get("192.0.2.1", "/assets/a"))
	}
	require.Equal(t, http.StatusTooManyRequests, s.get("192.0.2.1", "/assets/a"))
}

func TestASearchCountsAsManyRequests(t *testing.T) {
	t.Parallel()
	s := newSetup(t, nil)
	b := limit.Defaults()
	for range b.Burst / b.SearchCost {
		require.Equal(t, http.StatusOK, s.get("192.0.2.1", "/api/v1/search"))
	}
	require.Equal(t, http.StatusTooManyRequests, s.get("192.0.2.1", "/search"))
}

func TestTheNeighboursOfANetworkAreOneAddress(t *testing.T) {
	t.Parallel()
	s := newSetup(t, func(o *limit.Options) { o.Bounds.Burst = 2 })
	require.Equal(t, http.StatusOK, s.get("2001:db8:1:2::1", "/assets/a"))
	require.Equal(t, http.StatusOK, s.get("2001:db8:1:2:aaaa::9", "/assets/a"))
	require.Equal(t, http.StatusTooManyRequests, s.get("2001:db8:1:2:ffff::7", "/assets/a"), "of IPv6 a household has 2^64")
	require.Equal(t, http.StatusOK, s.get("2001:db8:1:3::1", "/assets/a"))
}

func TestOnlyATrustedProxyTellsWhoAsks(t *testing.T) {
	t.Parallel()
	proxies, err := limit.ParseProxies([]string{"127.0.0.1", "10.0.0.0/8"})
	require.NoError(t, err)
	for name, tc := range map[string]struct {
		peer, header string
		same         string // an address whose limit this request used up
	}{
		"nobody is believed":              {"192.0.2.1", "203.0.113.9", "192.0.2.1"},
		"the proxy is":                    {"127.0.0.1", "203.0.113.9", "203.0.113.9"},
		"so is one before it":             {"127.0.0.1", "203.0.113.9, 10.1.2.3", "203.0.113.9"},
		"what a client wrote is not":      {"127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"},
		"a port is no matter":             {"127.0.0.1", "203.0.113.9:6543", "203.0.113.9"},
		"without the header it is itself": {"127.0.0.1", "", "127.0.0.1"},
		"nonsense is nobody":              {"127.0.0.1", "203.0.113.9, unknown", "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetup(t, func(o *limit.Options) { o.Bounds.Burst, o.Proxies = 1, proxies })
			var header []string
			if tc.header != "" {
				header = []string{"X-Forwarded-For", tc.header}
			}
			require.Equal(t, http.StatusOK, s.get(tc.peer, "/", header...))
			require.Equal(t, http.StatusTooManyRequests, s.get(tc.same, "/"))
			require.Equal(t, http.StatusOK, s.get("198.51.100.77", "/"))
		})
	}
	_, err = limit.ParseProxies([]string{"proxy.lan"})
	require.Error(t, err)
}

func TestWrongSecretsLockOutTheirAddressOnly(t *testing.T) {
	t.Parallel()
	s := newSetup(t, nil)
	wrong := 0
	for range 10_000 { // of one address, while another asks nothing
		if s.logIn("192.0.2.66", "guess") == http.StatusUnauthorized {
			wrong++
		}
	}
	require.Equal(t, limit.Defaults().Guesses, wrong, "the others were not even looked at")
	require.Equal(t, http.StatusTooManyRequests, s.logIn("192.0.2.66", "right"), "nor is a right one")
	require.Equal(t, http.StatusTooManyRequests, s.get("192.0.2.66", "/", "Authorization", "Bearer right"), "nor one of a program")
	require.Equal(t, http.StatusOK, s.logIn("192.0.2.1", "right"), "the operator's is")
	require.Equal(t, http.StatusOK, s.get("192.0.2.66", "/", "Cookie", "session"), "and a session stays open where the attack comes from")
	s.pass(time.Minute)
	require.Equal(t, http.StatusOK, s.logIn("192.0.2.66", "right"), "a minute later it may try again")
}

func TestATokenInAHeaderIsAGuessOnEveryPath(t *testing.T) {
	t.Parallel()
	s := newSetup(t, nil)
	for i := range limit.Defaults().Guesses {
		require.Equal(t, http.StatusOK, s.get("192.0.2.66", "/", "Authorization", fmt.Sprint("Bearer ", i)))
	}
	require.Equal(t, http.StatusTooManyRequests, s.get("192.0.2.66", "/", "Authorization", "Bearer right"))
	for range 1000 {
		require.Equal(t, http.StatusOK, s.get("192.0.2.1", "/", "Authorization", "Bearer right"), "a right one is no guess, however often")
	}
}

// hold has n requests of an address under way, and returns when the handler has all of them.
func (s *setup) hold(from, path string, n int, header ...string) {
	s.t.Helper()
	s.reached.Add(n)
	for range n {
		go s.get(from, path, header...)
	}
	s.reached.Wait()
}

func TestSoMuchIsUnderWayAtOnce(t *testing.T) {
	t.Parallel()
	s := newSetup(t, nil)
	b := limit.Defaults()
	s.hold("192.0.2.1", "/slow", b.Open)
	res := s.ask("192.0.2.1", http.MethodGet, "/", nil)
	require.Equal(t, http.StatusTooManyRequests, res.Code)
	require.NotEmpty(t, res.Header().Get("Retry-After"))
	require.Equal(t, http.StatusOK, s.get("192.0.2.2", "/"))
	for i := range b.OpenAll/b.Open - 1 {
		s.hold(fmt.Sprint("198.51.100.", i), "/slow", b.Open)
	}
	res = s.ask("192.0.2.2", http.MethodGet, "/", nil)
	require.Equal(t, http.StatusServiceUnavailable, res.Code)
	require.NotEmpty(t, res.Header().Get("Retry-After"))
	require.Equal(t, http.StatusOK, s.get("192.0.2.2", "/", "Cookie", "session"), "the operator looks what is wrong")
	close(s.leave)
	require.Eventually(t, func() bool { return s.get("192.0.2.2", "/") == http.StatusOK }, time.Minute, time.Millisecond)
}

func TestStreamsAreCountedApart(t *testing.T) {
	t.Parallel()
	s := newSetup(t, func(o *limit.Options) { o.Bounds.Streams, o.Bounds.StreamsAll, o.Bounds.Open = 8, 24, 4 })
	s.hold("192.0.2.1", "/stream", 8)
	require.Equal(t, http.StatusOK, s.get("192.0.2.1", "/"), "they are no requests under way")
	s.hold("192.0.2.1", "/stream", 1) // refused; it returns by itself
	refused := func(from string) string {
		s.reached.Add(1)
		return s.ask(from, http.MethodGet, "/stream", nil).Body.String()
	}
	require.Contains(t, refused("192.0.2.1"), "your address")
	s.hold("192.0.2.2", "/stream", 8)
	s.hold("192.0.2.3", "/stream", 8)
	require.Contains(t, refused("192.0.2.4"), "Too many follow the live stream")
	s.hold("192.0.2.1", "/stream", 1, "Cookie", "session")
	close(s.leave)
}

func TestTheMemoryOfAddressesIsBounded(t *testing.T) {
	t.Parallel()
	s := newSetup(t, func(o *limit.Options) { o.Bounds.Addresses, o.Bounds.Burst = 100, 1 })
	s.hold("192.0.2.1", "/slow", 1)
	for i := range 1000 {
		require.Equal(t, http.StatusOK, s.get(fmt.Sprintf("10.0.%d.%d", i/250, i%250), "/"))
	}
	require.LessOrEqual(t, s.limits.Addresses(), 100)
	require.Equal(t, http.StatusTooManyRequests, s.get("192.0.2.1", "/"), "who has a request under way is not forgotten")
	close(s.leave)
}
