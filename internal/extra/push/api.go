package push

import (
	"context"
	"net/http"

	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/limit"
)

// routes are for browsers that want to be notified; visitor names who asks.
func (s *Service) routes(visitor func(*http.Request) string) []web.Route {
	return []web.Route{
		{Pattern: "GET /api/v1/push", Handle: s.giveKey, Cost: limit.Cached},
		{Pattern: "POST /api/v1/push/device", Cost: limit.Cached, Handle: func(w http.ResponseWriter, r *http.Request) error {
			var in struct {
				Subscription
				Wish     *Wish  `json:"wish"`
				Replaces string `json:"replaces"`
			}
			return accept(w, r, &in, func() error { return s.Keep(r.Context(), in.Subscription, in.Wish, in.Replaces, visitor(r)) })
		}},
		// To know its address is to be the device.
		{Pattern: "POST /api/v1/push/forget", Handle: onDevice(s.Forget), Cost: limit.Cached},
		{Pattern: "POST /api/v1/push/test", Handle: onDevice(s.Test), Cost: limit.Cached},
	}
}

// giveKey answers with the public key that browsers subscribe with.
func (s *Service) giveKey(w http.ResponseWriter, r *http.Request) error {
	k, err := s.vapid(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return answer.JSON(w, r, http.StatusOK, map[string]string{"key": k.Public})
}

func onDevice(do func(context.Context, string) error) answer.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var in struct {
			Endpoint string `json:"endpoint"`
		}
		return accept(w, r, &in, func() error { return do(r.Context(), in.Endpoint) })
	}
}

func accept(w http.ResponseWriter, r *http.Request, in any, do func() error) error {
	if err := answer.ReadBody(r, false, in); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return answer.JSON(w, r, http.StatusOK, map[string]bool{"accepted": true})
}
