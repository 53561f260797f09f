// Package llm asks a model behind an OpenAI-compatible server (llama.cpp, vLLM, Ollama, hosted ones) for JSON of a given
// shape. Waiting for the model - to load, to become free - never counts against the time it has to compute.
package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
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

// readyTimeout is how long a server may take to say that it is well.
const readyTimeout = 5 * time.Second

// Ready answers whether the server would take a request now. llama.cpp and vLLM say at /health whether a model is loaded. Ollama and hosted
// services have none, but all list their models, which many a server that says it is well does not.
func (c *Client) Ready(ctx context.Context) error {
	const op = "check model"
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	well := false
	if c.root != "" {
		code, body, err := c.get(ctx, c.root+"/health")
		switch {
		case err != nil:
			return unreachable(op, c.api, err)
		case code == http.StatusServiceUnavailable:
			return refused(code, body).asError(op, c.api)
		}
		well = code == http.StatusOK
	}
	code, body, err := c.get(ctx, c.api+"/models")
	switch {
	case err != nil && well:
		return nil // it just said so
	case err != nil:
		return unreachable(op, c.api, err)
	case code == http.StatusOK && !json.Valid(body):
		return &footy.Error{Code: footy.CodeInvalid, Op: op, Reason: footy.ReasonModelUnreachable,
			Err: fmt.Errorf("what answers at %s is no model server: its list of models is not JSON", c.api)}
	case code == http.StatusOK || well && code != http.StatusNotFound && code != http.StatusUnauthorized && code != http.StatusForbidden:
		return nil
	}
	return refused(code, body).asError(op, c.api)
}

func (c *Client) get(ctx context.Context, url string) (int, []byte, error) {
	res, body, err := httpx.Call{Address: url, Header: c.key(), Most: 1 << 20}.Do(ctx, c.http) //nolint:bodyclose // it closes it
	if err != nil {
		return 0, nil, err
	}
	return res.StatusCode, body, nil
}

func (c *Client) key() map[string]string {
	if c.o.APIKey == "" {
		return map[string]string{}
	}
	return map[string]string{"Authorization": "Bearer " + c.o.APIKey}
}

// lookUp lists the models of the server that may answer questions. Those that compare or rank texts, hear, speak or draw do not.
func (c *Client) lookUp(ctx context.Context) (names []string) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	code, body, err := c.get(ctx, c.api+"/models")
	var list struct {
		Data []struct {
			ID   string `json:"id"`
			Type string `json:"type"` // LM Studio: llm, vlm, embeddings
		} `json:"data"`
	}
	if err != nil || code != http.StatusOK || json.Unmarshal(body, &list) != nil {
		return nil
	}
	for _, m := range list.Data {
		if m.ID != "" && !noTalker.MatchString(m.ID+" "+m.Type) {
			names = append(names, m.ID)
		}
	}
	return names
}

var noTalker = regexp.MustCompile(`(?i)embed|rerank|whisper|minilm|parakeet|kokoro|diffusion|speech|transcri|\b(bge|e5|gte|tts|stt|asr|sdxl|flux|piper)\b`)

// Picker chooses the words people use for a team from a list; what is not on the list is dropped.
type Picker struct {
	Client *Client
	Limit  time.Duration // of a choice, waiting included; 0 = 45 s
}

var _ alias.Picker = Picker{}

var aliasSchema = map[string]any{
	"type":                 "object",
	"properties":           map[string]any{"aliases": map[string]any{"type": "array", "items": map[string]any{"type": "string"}}},
	"required":             []string{"aliases"},
	"additionalProperties": false,
}

const aliasSystem = `You choose search words for a football team. From the list you are given, keep the words and short names
that fans type when they post about exactly this team: nicknames, abbreviations, short forms. Drop words that also mean
other teams or everyday things. Copy words unchanged and never add one.`

// Pick implements alias.Picker. It answers invalid if nothing the model chose was on the list.
func (p Picker) Pick(ctx context.Context, team string, candidates []string) ([]string, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(p.Limit, 45*time.Second))
	defer cancel()
	list, err := json.Marshal(candidates)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "pick aliases", "%w", err)
	}
	var out struct {
		Aliases []string `json:"aliases"`
	}
	err = p.Client.JSON(ctx, Request{System: aliasSystem, Prompt: fmt.Sprintf("Team: %s\nWords: %s", team, list),
		SchemaName: "aliases", Schema: aliasSchema, MaxTokens: 64 + 16*len(candidates)}, &out)
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, "pick aliases", err)
	}
	var chosen []string
	for _, word := range out.Aliases {
		i := slices.IndexFunc(candidates, func(c string) bool { return strings.EqualFold(c, strings.TrimSpace(word)) })
		if i >= 0 && !slices.Contains(chosen, candidates[i]) {
			chosen = append(chosen, candidates[i])
		}
	}
	if len(chosen) == 0 && len(out.Aliases) > 0 {
		return nil, footy.Errorf(footy.CodeInvalid, "pick aliases", "%s invented all of its %d words", p.Client.Name(), len(out.Aliases))
	}
	return chosen, nil
}
