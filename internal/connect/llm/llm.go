// Package llm asks a model behind an OpenAI-compatible server (llama.cpp, vLLM, Ollama, hosted ones) for JSON of a given
// shape. Waiting for the model - to load, to become free - never counts against the time it has to compute.
package llm

import (
	"cmp"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Options say where the model is and how long to wait for it.
type Options struct {
	URL            string // with or without /v1
	Model          string // "" or "default": whatever the server serves
	APIKey         string
	Slots          int           // requests the model works on at once; 0 = 1
	ComputeTimeout time.Duration // of one request once it was sent; 0 = 2 min
	LoadTimeout    time.Duration // how long a loading or busy server is waited for; 0 = 5 min
	Poll           time.Duration // pause between tries; 0 = 2 s
	Trial          time.Duration // after which a field that the server refused is asked for again; 0 = 30 min
}

// Client talks to one server. It is safe for concurrent use, and its limits hold for all users together.
type Client struct {
	o     Options
	http  *http.Client
	api   string // root of the API: ends in /v1 with most servers
	root  string // root of the server, "" if unknown: where /health is
	slots chan struct{}

	mu      sync.Mutex
	can     ability   // what questions leave out for it
	learned time.Time // when it was found to need that
	helped  ability   // what the last question left out for an objection that named nothing
	thinks  bool      // it does although it was asked not to
	model   string    // what the server calls the model, once it said so
	refused time.Time // since when the server has answered nothing but "loading" or "busy"; zero = it works
	asked   time.Time // when it said so last
}

// New makes a client. The time-out of the HTTP client does not apply: Options has one that begins when work begins.
func New(o Options, client *http.Client) *Client {
	patient := *client
	patient.Timeout = 0
	o.Slots = cmp.Or(max(o.Slots, 0), 1)
	o.ComputeTimeout = cmp.Or(o.ComputeTimeout, 2*time.Minute)
	o.LoadTimeout = cmp.Or(o.LoadTimeout, 5*time.Minute)
	o.Poll = cmp.Or(o.Poll, 2*time.Second)
	o.Trial = cmp.Or(o.Trial, 30*time.Minute)
	c := &Client{o: o, http: &patient, slots: make(chan struct{}, o.Slots)}
	c.api, c.root = roots(o.URL)
	return c
}

var version = regexp.MustCompile(`/v\d\w*(/|$)`)

// roots completes an address. One that names a version of the API somewhere is taken as it is.
func roots(url string) (api, root string) {
	url = strings.TrimRight(strings.TrimSpace(url), "/")
	url = strings.TrimRight(strings.TrimSuffix(url, "/chat/completions"), "/")
	if !version.MatchString(url) {
		return url + "/v1", url
	}
	if root, ok := strings.CutSuffix(url, "/v1"); ok {
		return url, root
	}
	return url, ""
}

// Name of the model: the configured one, else what the server calls it.
func (c *Client) Name() string {
	if !c.anyModel() {
		return c.o.Model
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return cmp.Or(c.model, "default")
}

// setModel keeps the name the server gives its model.
func (c *Client) setModel(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.model = cmp.Or(model, c.model)
}

// room is how many tokens an answer gets. A model that thinks although it was asked not to needs 500 to 4,000 before it answers.
func (c *Client) room(tokens int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.thinks {
		return max(tokens, roomToThink)
	}
	return tokens
}

func (c *Client) anyModel() bool { return c.o.Model == "" || c.o.Model == "default" }
