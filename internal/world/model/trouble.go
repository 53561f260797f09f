package model

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/strip"
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

// what a picture costs of the context, and the context of a server that nobody set up.
const (
	imageTokens  = 1068
	smallContext = 2048
)

// trouble plays the faults of questions with pictures; true = it was answered. A text model and a small context are no
// trouble for questions without.
func (s *Server) trouble(w http.ResponseWriter, r *http.Request, prompt string, images []string) bool {
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
	if _, on := s.faults.For(script.ModelContext, is); on {
		n := imageTokens*len(images) + len(prompt)/4
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": http.StatusBadRequest, "type": "exceed_context_size_error",
			"message":         fmt.Sprintf("request (%d tokens) exceeds the available context size (%d tokens), try increasing it", n, smallContext),
			"n_prompt_tokens": n, "n_ctx": smallContext}})
		return true
	}
	if _, on := s.faults.For(script.ModelJunk, is); on {
		write(w, completion("The images show a football match in a large stadium. The players in red are celebrating, which suggests that a goal "+
			"was scored. The clock in the corner is hard to read, but it could be the second half.", len(images), prompt))
		return true
	}
	return false
}

// about tells whether the pictures are of a clip: every one that can be read shows a moment of it, and one can be read.
func (s *Server) about(images []string) func(clip string) bool {
	return func(clip string) bool {
		if s.shows == nil {
			return false
		}
		moments, read := s.shows(clip), 0
		for _, url := range images {
			_, seen, err := readFrame(url)
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
