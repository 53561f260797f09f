package llm_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// server answers the n-th completion request with the n-th handler, the last one for ever, and keeps what was asked.
type server struct {
	url string
	mu  sync.Mutex
	got []map[string]any
}

func (s *server) asked() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]map[string]any(nil), s.got...)
}

func setup(t *testing.T, steps ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" {
			http.NotFound(w, r)
			return
		}
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusTeapot)
			return
		}
		s.mu.Lock()
		s.got = append(s.got, body)
		step := steps[min(len(s.got), len(steps))-1]
		s.mu.Unlock()
		step(w, r)
	}))
	t.Cleanup(srv.Close)
	s.url = srv.URL
	return s
}

func says(message map[string]any, finish string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"model": "served", "choices": []any{map[string]any{"finish_reason": finish, "message": message}}})
	}
}

func content(s string) http.HandlerFunc { return says(map[string]any{"content": s}, "stop") }

func fails(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func drops(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

const (
	good    = `{"n":7,"name":"x"}`
	loading = `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`
)

type shape struct {
	N    int     `json:"n"`
	Name *string `json:"name"`
}

var question = llm.Request{System: "Count.", Prompt: "How many?", SchemaName: "count", MaxTokens: 50,
	Schema: map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer"}}}}

func client(url string, change ...func(*llm.Options)) *llm.Client {
	o := llm.Options{URL: url, Model: "m", ComputeTimeout: 20 * time.Second, LoadTimeout: 20 * time.Second, Poll: 2 * time.Millisecond}
	for _, c := range change {
		c(&o)
	}
	return llm.New(o, httpx.New(httpx.Options{}))
}

func ask(t *testing.T, c *llm.Client) (shape, error) {
	t.Helper()
	var out shape
	err := c.JSON(t.Context(), question, &out)
	return out, err
}

func TestUsableAnswers(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"plain":             content(good),
		"fenced":            content("```json\n" + good + "\n```"),
		"announced":         content("Here you are {as asked}:\n" + good + "\nAnything else?"),
		"after a draft":     content(`First {"n":1}, but no: ` + good),
		"after thinking":    content(`<think>maybe {"n":3}</think>` + good),
		"in parts":          says(map[string]any{"content": []any{map[string]any{"type": "text", "text": good}}}, "stop"),
		"in the thoughts":   says(map[string]any{"content": "", "reasoning_content": "So it is " + good}, "stop"),
		"in vLLM thoughts":  says(map[string]any{"content": nil, "reasoning": good}, "stop"),
		"cut off too late":  says(map[string]any{"content": good + " and"}, "length"),
		"with unknown keys": content(`{"n":7,"name":"x","more":[{}]}`),
		"with a comma more": content("```json\n{\"n\":7,\"name\":\"x\",\n}\n```"),
		"odd figures":       fails(200, `{"model":"m","usage":{"completion_tokens":NaN,"x":-Infinity},"choices":[{"finish_reason":null,"message":{"content":"{\"n\":7,\"name\":\"x\"}","reasoning":{"a":1}}}]}`),
		"other figures":     fails(200, `{"usage":{"completion_tokens":"12"},"choices":[{"message":{"content":"{\"n\":7,\"name\":\"x\"}","refusal":null}}]}`),
		"in a stream": fails(200, `: comment
data: {"id":"1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}

data: {"choices":[{"delta":{"content":"{\"n\":7,"},"finish_reason":null}]}

data: {"choices":[{"delta":{"content":"\"name\":\"x\"}"},"finish_reason":"stop"}]}

data: {"choices":[],"usage":{"completion_tokens":9}}

data: [DONE]
`),
		"in a stream of thoughts": fails(200, `data: {"choices":[{"delta":{"reasoning_content":"It is {\"n\":7,"}}]}
data: {"choices":[{"delta":{"reasoning_content":"\"name\":\"x\"}"},"finish_reason":"length"}]}`),
		"whole in a stream": fails(200, `data: {"choices":[{"message":{"content":"{\"n\":7,\"name\":\"x\"}"}}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t, h)
			out, err := ask(t, client(s.url))
			require.NoError(t, err)
			require.Equal(t, 7, out.N)
			require.Equal(t, "x", *out.Name)
			require.Len(t, s.asked(), 1)
		})
	}
}

func TestUnusableAnswersAreAskedForOnceMore(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"no JSON":     content("Seven."),
		"bad JSON":    content(`{"n":7,`),
		"wrong types": content(`{"n":"seven"}`),
		"empty":       content(""),
		"cut off":     says(map[string]any{"content": `{"n":`}, "length"),
		"only thinks": says(map[string]any{"content": "", "reasoning_content": "The user"}, "length"),
		"refused":     says(map[string]any{"content": nil, "refusal": "I can't look at people."}, "stop"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t, h, content(good))
			out, err := ask(t, client(s.url))
			require.NoError(t, err)
			require.Equal(t, 7, out.N)
			again, _ := json.Marshal(s.asked()[1])
			require.Contains(t, string(again), "could not be used", "the model is told what was wrong")

			s = setup(t, h)
			out, err = ask(t, client(s.url))
			require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
			require.Zero(t, out, "a failure leaves the answer untouched")
			require.Len(t, s.asked(), 2)
		})
	}
}

func TestACutOffAnswerGetsMoreRoom(t *testing.T) {
	t.Parallel()
	s := setup(t, says(map[string]any{"content": `{"n":`}, "length"), content(good))
	_, err := ask(t, client(s.url))
	require.NoError(t, err)
	require.EqualValues(t, 50, s.asked()[0]["max_tokens"])
	require.EqualValues(t, 100, s.asked()[1]["max_tokens"])
}

func TestQuestionsAreStrict(t *testing.T) {
	t.Parallel()
	s := setup(t, content(good))
	var out shape
	q := question
	q.Images = []llm.Image{{Label: "Frame 1:", JPEG: []byte("jpeg")}}
	require.NoError(t, client(s.url).JSON(t.Context(), q, &out))
	got, _ := json.Marshal(s.asked()[0])
	for _, want := range []string{`"temperature":0`, `"type":"json_schema"`, `"name":"count"`, `"enable_thinking":false`, `"model":"m"`, `"text":"Frame 1:"`, `data:image/jpeg;base64,anBlZw==`} {
		require.Contains(t, string(got), want)
	}
}

func TestLoadingIsWaitedForAndCostsNoComputeTime(t *testing.T) {
	t.Parallel()
	steps := []http.HandlerFunc{}
	for range 20 {
		steps = append(steps, fails(503, loading))
	}
	s := setup(t, append(steps, content(good))...)
	// Twenty pauses are longer than the time one computation has.
	out, err := ask(t, client(s.url, func(o *llm.Options) { o.Poll, o.ComputeTimeout = 200*time.Millisecond, 3900*time.Millisecond }))
	require.NoError(t, err)
	require.Equal(t, 7, out.N)
	require.Len(t, s.asked(), 21)
}

func TestAServerThatNeverLoadsIsWaitedForOnce(t *testing.T) {
	t.Parallel()
	s := setup(t, fails(503, loading))
	c := client(s.url, func(o *llm.Options) { o.LoadTimeout, o.Poll = 2*time.Second, 10*time.Millisecond })
	_, err := ask(t, c)
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.ErrorContains(t, err, "Loading model")
	first := len(s.asked())
	require.Greater(t, first, 2)
	_, err = ask(t, c)
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.Less(t, len(s.asked())-first, first, "the second caller does not begin the wait anew")
}

func TestBusyServersSayWhenToComeBack(t *testing.T) {
	t.Parallel()
	s := setup(t, fails(429, `{"error":{"message":"slow down"}}`, "Retry-After", "1"), content(good))
	began := time.Now()
	_, err := ask(t, client(s.url))
	require.NoError(t, err)
	require.GreaterOrEqual(t, time.Since(began), time.Second)

	s = setup(t, fails(429, `{"error":{"message":"slow down"}}`, "Retry-After", "3600"))
	_, err = ask(t, client(s.url))
	var e *footy.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, footy.CodeRateLimited, e.Code)
	require.Equal(t, time.Hour, e.RetryAfter)
	require.Len(t, s.asked(), 1)
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		step  http.HandlerFunc
		code  footy.Code
		text  string
		calls int
	}{
		"dropped connection": {drops, footy.CodeUnavailable, "no answer from the model server", 2},
		"server error":       {fails(500, `{"error":{"message":"boom"}}`), footy.CodeUnavailable, "boom", 2},
		"page of HTML":       {fails(200, "<html>hello</html>"), footy.CodeUnavailable, "answered 200, but failed: what it sent is no answer", 2},
		"error inside a 200": {fails(200, `{"error":{"message":"upstream gone"}}`), footy.CodeUnavailable, "upstream gone", 2},
		"wrong key":          {fails(401, `{"error":"bad key"}`), footy.CodeAuthRequired, "bad key", 1},
		"no such model":      {fails(404, `{"error":{"message":"model m not found"}}`), footy.CodeInvalid, "model m not found", 2},
		"no choices":         {fails(200, `{"choices":[]}`), footy.CodeUnavailable, "what it sent is no answer", 2},
		"too much": {fails(400, `{"detail":"{\"error\":{\"message\":\"request (13392 tokens) exceeds the available context size\"}}"}`),
			footy.CodeInvalid, "13392 tokens", 1},
		"no eyes": {fails(500, `{"error":{"message":"image input is not supported - hint: provide the mmproj"}}`), footy.CodeInvalid, "cannot see images", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t, c.step)
			_, err := ask(t, client(s.url))
			require.Equal(t, c.code, footy.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.text)
			require.Len(t, s.asked(), c.calls)
		})
	}
}

func TestOneFailureIsForgiven(t *testing.T) {
	t.Parallel()
	for _, h := range []http.HandlerFunc{drops, fails(500, "")} {
		out, err := ask(t, client(setup(t, h, content(good)).url))
		require.NoError(t, err)
		require.Equal(t, 7, out.N)
	}
}

func TestASlowModelRunsOutOfItsOwnTime(t *testing.T) {
	t.Parallel()
	s := setup(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	_, err := ask(t, client(s.url, func(o *llm.Options) { o.ComputeTimeout = 50 * time.Millisecond }))
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.ErrorContains(t, err, "gave no answer within 50ms")
	require.LessOrEqual(t, len(s.asked()), 1, "asking again would take as long; to a busy machine even the first question may come too late")
}

func TestTheHTTPClientsTimeoutDoesNotCutComputing(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := setup(t, func(w http.ResponseWriter, r *http.Request) {
		<-release
		content(good)(w, r)
	})
	short := httpx.New(httpx.Options{Timeout: time.Nanosecond})
	c := llm.New(llm.Options{URL: s.url, Poll: time.Millisecond}, short)
	time.AfterFunc(50*time.Millisecond, func() { close(release) })
	var out shape
	require.NoError(t, c.JSON(t.Context(), question, &out))
}

func TestQueueingCostsNoComputeTime(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	now, most := 0, 0
	s := setup(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		timer := time.NewTimer(100 * time.Millisecond) // the model's own work
		defer timer.Stop()
		<-timer.C
		mu.Lock()
		now--
		mu.Unlock()
		content(good)(w, r)
	})
	// Sixty questions, two at once: the last queues for 2.9 s and would be late if that counted.
	c := client(s.url, func(o *llm.Options) { o.Slots, o.ComputeTimeout = 2, 2500*time.Millisecond })
	errs := make(chan error, 60)
	for range 60 {
		go func() {
			var out shape
			errs <- c.JSON(t.Context(), question, &out)
		}()
	}
	for range 60 {
		require.NoError(t, <-errs)
	}
	require.LessOrEqual(t, most, 2)
}

func TestQueueingEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	s := setup(t, func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-release
		content(good)(w, r)
	})
	c := client(s.url)
	first := make(chan error, 1)
	go func() {
		var out shape
		first <- c.JSON(t.Context(), question, &out)
	}()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	var out shape
	err := c.JSON(ctx, question, &out)
	require.ErrorIs(t, err, context.Canceled)
	close(release)
	require.NoError(t, <-first)
}

func TestServersKnowLessThanOthers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		objects func(body string) string
		lacks   string
		has     string
	}{
		"no schema": {func(b string) string {
			if strings.Contains(b, `"json_schema"`) {
				return "'response_format.type' must be in ['text', 'json_object']"
			}
			return ""
		}, `"type":"json_schema"`, `"type":"json_object"`},
		"no format at all": {func(b string) string {
			if strings.Contains(b, `"response_format"`) {
				return "response_format is not supported"
			}
			return ""
		}, `"response_format":`, "Its JSON schema"},
		"no switch for thinking": {func(b string) string {
			if strings.Contains(b, "chat_template_kwargs") {
				return "Unrecognized request argument supplied: chat_template_kwargs"
			}
			return ""
		}, "chat_template_kwargs", `"type":"json_schema"`},
		"other name for the limit": {func(b string) string {
			if strings.Contains(b, `"max_tokens"`) {
				return "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
			}
			return ""
		}, `"max_tokens"`, `"max_completion_tokens":50`},
		"no temperature": {func(b string) string {
			if strings.Contains(b, `"temperature"`) {
				return "'temperature' does not support 0 with this model"
			}
			return ""
		}, `"temperature"`, `"type":"json_schema"`},
		"an objection without a name": {func(b string) string {
			if strings.Contains(b, "chat_template_kwargs") {
				return "extra_forbidden"
			}
			return ""
		}, "chat_template_kwargs", `"type":"json_schema"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s *server
			s = setup(t, func(w http.ResponseWriter, r *http.Request) {
				got := s.asked()
				b, _ := json.Marshal(got[len(got)-1])
				if text := c.objects(string(b)); text != "" {
					fails(400, fmt.Sprintf(`{"error":{"message":%q}}`, text))(w, r)
					return
				}
				content(good)(w, r)
			})
			cl := client(s.url)
			_, err := ask(t, cl)
			require.NoError(t, err)
			n := len(s.asked())
			require.Greater(t, n, 1)
			last, _ := json.Marshal(s.asked()[n-1])
			require.NotContains(t, string(last), c.lacks)
			require.Contains(t, string(last), c.has)
			if name == "an objection without a name" { // what helps once may be chance
				_, err = ask(t, cl)
				require.NoError(t, err)
				require.Len(t, s.asked(), n+n)
				n += n
			}
			_, err = ask(t, cl)
			require.NoError(t, err)
			require.Len(t, s.asked(), n+1, "what was found out is remembered")
		})
	}
}

func TestAnObjectionToEverythingIsReportedAndNotRemembered(t *testing.T) {
	t.Parallel()
	steps := []http.HandlerFunc{fails(400, `{"error":"failed to decode image"}`), fails(400, `{"error":"other"}`)}
	for range 6 {
		steps = append(steps, fails(400, "{}"))
	}
	s := setup(t, append(steps, content(good))...)
	c := client(s.url)
	_, err := ask(t, c)
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	require.ErrorContains(t, err, "failed to decode image")
	_, err = ask(t, c)
	require.NoError(t, err)
	require.Len(t, s.asked(), 9)
	require.Equal(t, s.asked()[0], s.asked()[8])
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	path, key := "", ""
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		path, key = r.URL.Path, r.Header.Get("Authorization")
		mu.Unlock()
		content(good)(w, r)
	}))
	t.Cleanup(srv.Close)
	for in, want := range map[string]string{
		"": "/v1", "/": "/v1", "/v1": "/v1", "/v1/": "/v1", "/llm": "/llm/v1", "/llm/v1/chat/completions": "/llm/v1",
		"/v1beta/openai/": "/v1beta/openai", "/api/v3": "/api/v3",
	} {
		_, err := ask(t, client(srv.URL+in, func(o *llm.Options) { o.APIKey = "secret" }))
		require.NoError(t, err)
		mu.Lock()
		require.Equal(t, want+"/chat/completions", path, in)
		require.Equal(t, "Bearer secret", key)
		mu.Unlock()
	}
}

func TestReady(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		health, models int
		body           string // of what is no list of models
		code           footy.Code
		text           string
	}{
		"healthy":              {200, 500, "", "", ""},
		"no model server":      {200, 404, "not here", footy.CodeInvalid, "answered 404: not here"},
		"a web page":           {200, 200, "<html>", footy.CodeInvalid, "is no model server: its list of models is not JSON"},
		"only a web page":      {404, 200, "<html>", footy.CodeInvalid, "is no model server"},
		"a key is wanted":      {200, 401, `{"error":"bad key"}`, footy.CodeAuthRequired, "refuses the key"},
		"loading":              {503, 200, loading, footy.CodeUnavailable, "not ready yet: Loading model"},
		"only lists its model": {404, 200, "", "", ""},
		"wants another key":    {404, 401, `{"error":"bad key"}`, footy.CodeAuthRequired, "refuses the key"},
		"ill":                  {500, 500, "oops", footy.CodeUnavailable, "oops"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				code := map[string]int{"/health": c.health, "/v1/models": c.models}[r.URL.Path]
				fails(code, cmp.Or(c.body, `{"data":[]}`))(w, r)
			}))
			t.Cleanup(srv.Close)
			err := client(srv.URL + "/v1").Ready(t.Context())
			require.Equal(t, c.code, footy.CodeOf(err))
			if c.text != "" {
				require.ErrorContains(t, err, c.text)
			}
		})
	}
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(client("http://127.0.0.1:1").Ready(t.Context())))
}

func TestTheModelWithoutANameIsFound(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.Method == http.MethodGet:
			_, _ = io.WriteString(w, `{"data":[{"id":"qwen"}]}`)
		case strings.Contains(string(body), `"model":"qwen"`):
			_, _ = io.WriteString(w, `{"model":"qwen","choices":[{"message":{"content":"{\"n\":7,\"name\":\"x\"}"}}]}`)
		default:
			fails(404, "The model `default` does not exist.")(w, r)
		}
	}))
	t.Cleanup(srv.Close)
	c := client(srv.URL, func(o *llm.Options) { o.Model = "default" })
	require.Equal(t, "default", c.Name())
	_, err := ask(t, c)
	require.NoError(t, err)
	require.Equal(t, "qwen", c.Name())
	require.Equal(t, "m", client(srv.URL).Name())
}

type picky struct {
	N    int `json:"n"`
	want int
}

func (p *picky) Check() error {
	if p.N != p.want {
		return errors.New("not what was wanted")
	}
	return nil
}

func TestAnswersCanJudgeThemselves(t *testing.T) {
	t.Parallel()
	s := setup(t, content(`{"n":1}`), content(`{"n":2}`))
	out := picky{want: 2}
	require.NoError(t, client(s.url).JSON(t.Context(), question, &out))
	require.Equal(t, picky{N: 2, want: 2}, out)
	out = picky{want: 3}
	require.ErrorContains(t, client(s.url).JSON(t.Context(), question, &out), "not what was wanted")
}
