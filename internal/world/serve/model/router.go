package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// Router stands before a model server as llama-swap and llama.cpp's router do: it knows its models by their names, exchanges them, and sends
// answers as a stream whatever was asked for.
type Router struct {
	next  http.Handler
	asked atomic.Int64
}

// NewRouter returns a router whose one model that answers is that of next. The other one it lists is for embeddings.
func NewRouter(next http.Handler) *Router { return &Router{next: next} }

// swapEvery is after how many questions another model was loaded, so that the next ones meet a swap.
const swapEvery = 5

// swap is what questions meet while the model is exchanged, in turn: nothing, and words that say no more.
var swap = []func(http.ResponseWriter){
	func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadRequest) },
	func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) },
	func(w http.ResponseWriter) {
		fail(w, http.StatusServiceUnavailable, "Loading model", "unavailable_error")
	},
	func(w http.ResponseWriter) {
		fail(w, http.StatusBadRequest, "Model is unloaded.", "invalid_request_error")
	},
	func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) },
}

// ServeHTTP implements http.Handler.
func (r *Router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch {
	case strings.HasSuffix(req.URL.Path, "/models"):
		write(w, map[string]any{"object": "list", "data": []any{map[string]any{"id": "text-embedding-small", "object": "model"},
			map[string]any{"id": name, "object": "model"}}})
		return
	case !strings.HasSuffix(req.URL.Path, "/chat/completions"):
		r.next.ServeHTTP(w, req)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, 64<<20))
	var asked struct {
		Model string `json:"model"`
	}
	if err != nil || json.Unmarshal(body, &asked) != nil {
		fail(w, http.StatusBadRequest, "parse error", "invalid_request_error")
		return
	}
	if asked.Model != name {
		fail(w, http.StatusBadRequest, fmt.Sprintf("model '%s' not found", asked.Model), "invalid_request_error")
		return
	}
	if n := r.asked.Add(1) - 1; n%swapEvery == 0 {
		swap[n/swapEvery%int64(len(swap))](w)
		return
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	answer := &recorder{header: http.Header{}, status: http.StatusOK}
	r.next.ServeHTTP(answer, req)
	if answer.status != http.StatusOK {
		w.WriteHeader(answer.status)
		_, _ = w.Write(answer.body.Bytes())
		return
	}
	stream(w, answer.body.Bytes())
}

// stream sends a completion in pieces.
func stream(w http.ResponseWriter, completion []byte) {
	var whole struct {
		Usage   json.RawMessage `json:"usage"`
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	if json.Unmarshal(completion, &whole) != nil || len(whole.Choices) == 0 {
		_, _ = w.Write(completion)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	piece := func(delta map[string]string, finish any) {
		data, _ := json.Marshal(map[string]any{"object": "chat.completion.chunk", "model": name,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}}) // of values that always fit
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	}
	text := whole.Choices[0].Message.Content
	for len(text) > 0 {
		n := min(len(text), 40)
		for n < len(text) && text[n]&0xC0 == 0x80 { // a character is not cut
			n++
		}
		piece(map[string]string{"content": text[:n]}, nil)
		text = text[n:]
	}
	piece(map[string]string{}, whole.Choices[0].FinishReason)
	if len(whole.Usage) > 0 {
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[],\"usage\":%s}\n\n", whole.Usage)
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }
