// Package model is the simulated vision model behind an OpenAI-compatible API: it looks at the frames it gets, and errs as models do.
package model

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/film/strip"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Server answers /v1/chat/completions, /v1/models and /health.
type Server struct {
	script  script.Model
	loading atomic.Int64
	calls   atomic.Int64
	faults  *fault.Panel
	router  *Router
	shows   func(clip string) map[strip.Reading]bool
}

// New returns a model that is still loading for the first scripted requests.
func New(m script.Model) *Server {
	s := &Server{script: m}
	s.router = NewRouter(http.HandlerFunc(s.serve))
	s.loading.Store(int64(m.LoadingRequests))
	return s
}

const name = "simulated-vision"

type chat struct {
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	ResponseFormat *struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Schema schema `json:"schema"`
		} `json:"json_schema"`
		Schema *schema `json:"schema"`
	} `json:"response_format"`
	Effort    string `json:"reasoning_effort"`
	MaxTokens int    `json:"max_tokens"`
}

type part struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	ImageURL struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

// ServeHTTP routes the server's endpoints.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.faults.On(script.ModelRouter) {
		s.router.ServeHTTP(w, r)
		return
	}
	s.serve(w, r)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimSuffix(r.URL.Path, "/")
	if s.down(w) {
		return
	}
	if s.loading.Load() > 0 && s.loading.Add(-1) >= 0 {
		fail(w, http.StatusServiceUnavailable, "Loading model", "unavailable_error")
		return
	}
	if s.faults.On(script.ModelThinks) && strings.HasPrefix(path, "/api/") {
		ollama(w, path)
		return
	}
	switch {
	case path == "/health" || path == "/v1/health":
		write(w, map[string]string{"status": "ok"})
	case path == "/v1/models" || path == "/models":
		write(w, map[string]any{"object": "list", "data": []any{map[string]any{"id": name, "object": "model", "created": 1790000000, "owned_by": "world"}}})
	case strings.HasSuffix(path, "/chat/completions") && r.Method == http.MethodPost:
		s.complete(w, r)
	default:
		fail(w, http.StatusNotFound, "File Not Found", "not_found_error")
	}
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	var req chat
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<20)).Decode(&req); err != nil {
		fail(w, http.StatusBadRequest, "parse error: "+err.Error(), "invalid_request_error")
		return
	}
	prompt, images, err := req.parts()
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error(), "invalid_request_error")
		return
	}
	s.calls.Add(1)
	if s.trouble(w, r, prompt, images) {
		return
	}
	if _, on := s.faults.For(script.ModelThinks, s.about(images)); on && req.Effort != "none" && req.MaxTokens < thoughts {
		write(w, thinking(tokens(prompt, images), req.MaxTokens))
		return
	}
	var answer any
	if len(images) == 0 {
		answer = alias(req.shape(), prompt)
	} else if _, on := s.faults.For(script.ModelGuesses, s.about(images)); on {
		answer = guess(req.shape(), images)
	} else if answer, err = s.see(req.shape(), images); err != nil {
		fail(w, http.StatusBadRequest, err.Error(), "invalid_request_error")
		return
	}
	content, err := json.Marshal(answer)
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error(), "server_error")
		return
	}
	text := string(content)
	if n := s.script.FenceOneIn; n > 0 && len(images) > 0 && crc32.ChecksumIEEE(content)%uint32(n) == 0 {
		text = "```json\n" + text + "\n```"
	}
	write(w, completion(text, tokens(prompt, images), s.context(s.about(images))))
}

// completion is an answer as llama.cpp wraps it. It ends where the context ends; most = 0: nowhere.
func completion(text string, in, most int) any {
	out, reason := len(text)/3, "stop"
	if most > 0 && in+out > most {
		out, reason = max(0, most-in), "length"
		text = text[:min(len(text), 3*out)]
	}
	return map[string]any{"id": fmt.Sprintf("chatcmpl-%08x", crc32.ChecksumIEEE([]byte(text))), "object": "chat.completion",
		"created": time.Now().Unix(), "model": name,
		"choices": []any{map[string]any{"index": 0, "finish_reason": reason, "message": map[string]string{"role": "assistant", "content": text}}},
		"usage":   map[string]int{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}}
}

// see reads every frame; what is too small there it reads in the enlarged corners, which are no frame of their own. Of the
// frames of one call at most one is misread, chosen by what it shows: the same picture is always read the same way.
func (s *Server) see(shape schema, images []picture) (any, error) {
	frames := slices.DeleteFunc(slices.Clone(images), picture.corners)
	var seen []frameSeen
	var plain []int // frames without a strip
	erred := false
	is := s.about(images)
	_, timer := s.faults.For(script.ModelTimer, is)
	_, noLabel := s.faults.For(script.ModelNoLabel, is)
	for i, p := range frames {
		one, read, err := p.read()
		if err != nil {
			return nil, fmt.Errorf("image %d: %w", i+1, err)
		}
		if n := s.script.MisreadOneIn; n > 0 && !erred && len(frames) > 1 && read != nil && checksum(*read)%uint32(n) == 0 && one.clock != nil {
			one, erred = one.misread(), true
		}
		if read == nil {
			plain = append(plain, i)
		}
		if timer {
			one = one.timerAsClock()
		}
		if noLabel {
			one.period = nil
		}
		seen = append(seen, one)
	}
	for _, p := range images {
		if !p.corners() || len(plain) == 0 {
			continue
		}
		rows, err := p.rows(len(frames))
		if err != nil {
			return nil, fmt.Errorf("corners: %w", err)
		}
		for _, i := range plain {
			seen[i] = seen[i].with(rows[i])
		}
	}
	if len(shape.Properties) == 0 {
		shape = framesSchema
	}
	return describe(shape, seen), nil
}

// guess answers without a look.
func guess(shape schema, images []picture) any {
	seen := make([]frameSeen, len(slices.DeleteFunc(slices.Clone(images), picture.corners)))
	for i := range seen {
		seen[i] = frameSeen{soccer: true, clock: "45:00"}
	}
	return describe(shape, seen)
}

func alias(shape schema, prompt string) any {
	for key, p := range shape.Properties {
		if p.is("array") {
			return map[string]any{key: pick(prompt, p.MaxItems)}
		}
	}
	return map[string]any{"aliases": pick(prompt, 0)}
}

func (c chat) shape() schema {
	if c.ResponseFormat == nil {
		return schema{}
	}
	if c.ResponseFormat.Schema != nil {
		return *c.ResponseFormat.Schema
	}
	return c.ResponseFormat.JSONSchema.Schema
}

// parts collects the text and the pictures of a conversation; content is a string or a list of parts.
func (c chat) parts() (prompt string, images []picture, err error) {
	for _, m := range c.Messages {
		var text string
		if json.Unmarshal(m.Content, &text) == nil {
			prompt += text + "\n"
			continue
		}
		var list []part
		if err := json.Unmarshal(m.Content, &list); err != nil {
			return "", nil, fmt.Errorf("message content: %w", err)
		}
		label := ""
		for _, p := range list {
			if p.Type == "image_url" {
				images = append(images, picture{label, p.ImageURL.URL})
			} else {
				prompt += p.Text + "\n"
			}
			label = p.Text
		}
	}
	return prompt, images, nil
}

func fail(w http.ResponseWriter, code int, message, kind string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": code, "message": message, "type": kind}})
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(v) // the client went away: nobody to tell
}
