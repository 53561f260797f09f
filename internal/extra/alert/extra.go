package alert

import (
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/teller"
)

// Extra is what alerts add.
func Extra() port.Extra {
	return port.Extra{Name: "alert", Steps: []string{stepSent}, Tellers: tellers}
}

func tellers(c port.Core) ([]teller.Teller, error) {
	n := c.Config.Notifications
	out, err := New(Options{Store: c.Store, URLs: n.Addresses(), BaseURL: c.PageURL, Health: c.Health, Lead: c.Hold,
		Filter: c.Chosen("NOTIFICATION", "nobody is told of goals", n.Leagues, n.Teams, nil)})
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "read settings", "NOTIFICATIONS: %s", network.Shorten(err))
	}
	return out, nil
}
