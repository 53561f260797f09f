// Package xweb searches X through the search service, which owns a logged-in browser.
package xweb

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options of the client.
type Options struct {
	URL   string // of the search service, e.g. http://127.0.0.1:8888
	Token string // what the service asks of everybody; "" = nothing
	// Timeout of one search; 0: 90 s. A search takes 11-30 s in a browser and may first wait for a tab.
	Timeout time.Duration
}

// Source is the client of one search service.
type Source struct {
	opts   Options
	client *http.Client
}

var (
	_ source.Source = (*Source)(nil)
	_ source.Prober = (*Source)(nil)
)

// states are those of an answer.
var states = []source.State{source.StateResults, source.StateEmpty, source.StateRateLimited, source.StateUpstreamError, source.StateLoginRequired,
	source.StateTimeout, source.StateNotNow}

// answerLimit bounds what is read of an answer: twenty videos are some 20 kB.
const answerLimit = 8 << 20

// New makes a client.
func New(opts Options, client *http.Client) *Source {
	opts.URL, opts.Timeout = strings.TrimRight(opts.URL, "/"), cmp.Or(opts.Timeout, 90*time.Second)
	return &Source{opts: opts, client: client}
}

// Name is the source's name in settings and logs.
func (s *Source) Name() string { return "xweb" }

// Search asks the service. An error means that the service gave no answer of its contract; X's own failures are states.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Result, error) {
	const op = "search posts"
	body, err := json.Marshal(searchapi.NewSearchRequest(q))
	if err != nil {
		return source.Result{}, footy.Wrap(footy.CodeInvalid, op, err)
	}
	var answer searchapi.SearchResponse
	if err := s.call(ctx, op, http.MethodPost, "/search", body, &answer); err != nil {
		return source.Result{}, err
	}
	r := answer.Result()
	r.Candidates = source.Select(q, r.Candidates)
	return r, nil
}

// Health asks for the service's status.
func (s *Source) Health(ctx context.Context) (source.Health, error) {
	st, err := s.Status(ctx)
	if err != nil {
		return source.Health{Login: source.LoginUnknown, BudgetLeft: -1, Detail: "start it with `footy browser`"}, err
	}
	return HealthOf(st), nil
}

// HealthOf reads a service's own account of itself.
func HealthOf(st searchapi.Status) source.Health {
	h := source.Health{Ready: st.Ready(), Login: st.Login, Account: st.Account, BudgetLeft: -1, Detail: st.Detail}
	h.Login = cmp.Or(h.Login, source.LoginUnknown)
	if b := st.Budget; b != nil {
		h.BudgetLeft, h.BudgetLimit = b.Remaining, b.Limit
		if b.ResetAt != nil {
			h.BudgetResets = *b.ResetAt
		}
	}
	if st.ValidUntil != nil {
		h.ValidUntil = *st.ValidUntil
	}
	return h
}

// Canary makes the service check that X still looks as expected; it takes one search call.
func (s *Source) Canary(ctx context.Context) (source.Canary, error) {
	var c source.Canary
	err := s.call(ctx, "check X's shape", http.MethodPost, "/canary", nil, &c)
	return c, err
}

// Status is the service's own account of itself.
func (s *Source) Status(ctx context.Context) (searchapi.Status, error) {
	ctx, cancel := context.WithTimeout(ctx, min(s.opts.Timeout, 10*time.Second))
	defer cancel()
	var st searchapi.Status
	err := s.call(ctx, "ask the search service for its status", http.MethodGet, "/status", nil, &st)
	return st, err
}

// Authenticate makes the service read its cookie file anew; an export, if there is one, becomes that file.
func (s *Source) Authenticate(ctx context.Context, export []byte) (searchapi.Status, error) {
	var st searchapi.Status
	err := s.call(ctx, "bring cookies to the search service", http.MethodPost, "/authenticate", export, &st)
	return st, err
}

// LaunchBrowser makes the service open its browser for a person; url is where to see it, "" for a window.
func (s *Source) LaunchBrowser(ctx context.Context) (url string, err error) {
	var answer struct {
		URL string `json:"url"`
	}
	err = s.call(ctx, "open a browser for a person", http.MethodPost, "/auth/launch-browser", nil, &answer)
	return answer.URL, err
}

// call makes one request and reads its JSON. An answer with a state is an answer whatever its HTTP status.
func (s *Source) call(ctx context.Context, op, method, path string, body []byte, into any) error {
	header := map[string]string{"Content-Type": "application/json"}
	if s.opts.Token != "" {
		header["Authorization"] = "Bearer " + s.opts.Token
	}
	call := httpx.Call{Method: method, Address: s.opts.URL + path, Header: header, Body: body, Within: s.opts.Timeout, Most: answerLimit}
	resp, raw, err := call.Do(ctx, s.client) //nolint:bodyclose // it closes it
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if search, ok := into.(*searchapi.SearchResponse); ok {
		if json.Unmarshal(raw, search) == nil && slices.Contains(states, search.State) {
			return nil
		}
		if resp.StatusCode == http.StatusOK {
			return footy.Errorf(footy.CodeUnavailable, op, "the service answered without a state: %.120q", raw)
		}
	}
	if resp.StatusCode != http.StatusOK {
		return refused(op, resp, raw)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "the service answered no JSON: %.120q", raw)
	}
	return nil
}

// refused translates an HTTP failure of the service itself.
func refused(op string, resp *http.Response, raw []byte) error {
	var f searchapi.Failure
	if json.Unmarshal(raw, &f) != nil || f.Error == "" {
		f.Error = strings.TrimSpace(string(raw[:min(len(raw), 120)]))
	}
	code := footy.CodeUnavailable
	switch resp.StatusCode {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusMethodNotAllowed:
		code = footy.CodeInvalid
	case http.StatusUnauthorized, http.StatusForbidden:
		code = footy.CodeAuthRequired
	case http.StatusTooManyRequests:
		code = footy.CodeRateLimited
	}
	e := footy.Errorf(code, op, "HTTP %d: %s", resp.StatusCode, f.Error)
	e.RetryAfter = httpx.RetryAfter(resp.Header, time.Now())
	return e
}
