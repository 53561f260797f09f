package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"net/http"

	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/film/strip"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Under applies the faults of a panel to the model. shows tells which clips of that name can show what a frame shows:
// the model knows a clip by its pictures only, so that a fault of one clip is a fault of all that film the same moment.
func (s *Server) Under(p *fault.Panel, shows func(clip string) map[strip.Reading]bool) *Server {
	s.faults, s.shows = p, shows
	return s
}

// down plays the faults of every request; true = it was answered.
func (s *Server) down(w http.ResponseWriter) bool {
	switch {
	case s.faults.On(script.ModelDown):
		fault.Break(w)
	case s.faults.On(script.ModelLoading):
		fail(w, http.StatusServiceUnavailable, "Loading model", "unavailable_error")
	default:
		return false
	}
	return true
}

// Contexts in tokens: of a server that nobody set up, and one that holds no picture at all.
const (
	smallContext = 2048
	noContext    = 256
)

// thoughts is how many tokens a model spends that nobody keeps from thinking.
const thoughts = 3000

// ollama answers what Ollama tells of itself.
func ollama(w http.ResponseWriter, path string) {
	switch path {
	case "/api/version":
		write(w, map[string]string{"version": "0.12.6"})
	case "/api/show":
		write(w, map[string]any{"capabilities": []string{"completion", "vision", "thinking"}})
	case "/api/ps":
		write(w, map[string]any{"models": []any{map[string]any{"name": name, "model": name, "context_length": 4096}}})
	default:
		http.Error(w, "404 page not found", http.StatusNotFound)
	}
}

// thinking is what such a model gives where the limit ends it before it has answered, as Ollama wraps it.
func thinking(in, out int) any {
	return map[string]any{"object": "chat.completion", "model": name,
		"choices": []any{map[string]any{"index": 0, "finish_reason": "length", "message": map[string]string{"role": "assistant", "content": "",
			"reasoning": "The user wants me to read the clock in each frame. Let me look at the first one. In the corner there is"}}},
		"usage": map[string]int{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}}
}

// patch is the side of the piece of a picture that costs a token, as with Qwen's models: pictures cost by their size.
const patch = 28

// tokens is what a question costs of the context; a picture that cannot be read costs nothing.
func tokens(prompt string, pictures []picture) int {
	n := len(prompt) / 4
	for _, p := range pictures {
		if data, err := p.bytes(); err == nil {
			c, _, err := image.DecodeConfig(bytes.NewReader(data))
			if err == nil {
				n += ((c.Width + patch - 1) / patch) * ((c.Height + patch - 1) / patch)
			}
		}
	}
	return n
}

// context is how many tokens question and answer may have together now; 0 = as many as they like.
func (s *Server) context(is func(clip string) bool) int {
	if _, on := s.faults.For(script.ModelContext, is); on {
		return noContext
	}
	if _, on := s.faults.For(script.ModelNarrow, is); on {
		return smallContext
	}
	return 0
}

// trouble plays the faults of questions with pictures; true = it was answered. A text model and a small context are no
// trouble for questions without.
func (s *Server) trouble(w http.ResponseWriter, r *http.Request, prompt string, images []picture) bool {
	is := s.about(images)
	if s.faults.Hold(r.Context(), script.ModelSlow, is) != nil {
		return true // nobody waits for it any more
	}
	if len(images) == 0 {
		return false
	}
	if _, on := s.faults.For(script.ModelBlind, is); on {
		fail(w, http.StatusInternalServerError, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj", "server_error")
		return true
	}
	if n, most := tokens(prompt, images), s.context(is); most > 0 && n >= most {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": http.StatusBadRequest, "type": "exceed_context_size_error",
			"message":         fmt.Sprintf("request (%d tokens) exceeds the available context size (%d tokens), try increasing it", n, most),
			"n_prompt_tokens": n, "n_ctx": most}})
		return true
	}
	if _, on := s.faults.For(script.ModelJunk, is); on {
		write(w, completion("The images show a football match in a large stadium. The players in red are celebrating, which suggests that a goal "+
			"was scored. The clock in the corner is hard to read, but it could be the second half.", tokens(prompt, images), 0))
		return true
	}
	return false
}

// about reports whether the pictures are of a clip: every one that can be read shows a moment of it, and one can be read.
func (s *Server) about(images []picture) func(clip string) bool {
	return func(clip string) bool {
		if s.shows == nil {
			return false
		}
		moments, read := s.shows(clip), 0
		for _, p := range images {
			if p.corners() {
				continue
			}
			_, seen, err := p.read()
			if err != nil || seen == nil {
				continue
			}
			if !moments[*seen] {
				return false
			}
			read++
		}
		return read > 0
	}
}
