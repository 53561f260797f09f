package api

import (
	"net/http"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/push"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

func (s *Server) push() (*push.Service, error) {
	if s.Push == nil {
		return nil, footy.Errorf(footy.CodeNotFound, "push", "This page tells no devices of goals.")
	}
	return s.Push, nil
}

// PushKey is the public key that browsers subscribe with.
func (s *Server) PushKey(w http.ResponseWriter, r *http.Request) error {
	p, err := s.push()
	if err != nil {
		return err
	}
	key, err := p.Keys(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return answer.JSON(w, r, http.StatusOK, map[string]string{"key": key})
}

// KeepDevice adds a device that wants to be told, or changes what it wants.
func (s *Server) KeepDevice(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		push.Subscription
		Wish     *push.Wish `json:"wish"`
		Replaces string     `json:"replaces"`
	}
	return s.onDevice(w, r, &in, func(p *push.Service) error {
		return p.Keep(r.Context(), in.Subscription, in.Wish, in.Replaces, s.Visitor(r))
	})
}

// ForgetDevice tells a device no more. To know its address is to be it.
func (s *Server) ForgetDevice(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Endpoint string `json:"endpoint"`
	}
	return s.onDevice(w, r, &in, func(p *push.Service) error { return p.Forget(r.Context(), in.Endpoint) })
}

// TestDevice sends a device a message at once.
func (s *Server) TestDevice(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Endpoint string `json:"endpoint"`
	}
	return s.onDevice(w, r, &in, func(p *push.Service) error { return p.Test(r.Context(), in.Endpoint) })
}

func (s *Server) onDevice(w http.ResponseWriter, r *http.Request, in any, do func(*push.Service) error) error {
	p, err := s.push()
	if err != nil {
		return err
	}
	if err := answer.ReadBody(w, r, bodyLimit, false, in); err != nil {
		return err
	}
	if err := do(p); err != nil {
		return err
	}
	return answer.JSON(w, r, http.StatusOK, map[string]bool{"accepted": true})
}
