package alert

import (
	"regexp"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/teller"
)

// Extra is what alerts add.
func Extra() port.Extra {
	return port.Extra{Name: "alert", Settings: &config.Group{Title: "Notifications", New: func() any { return &Settings{} }, Parts: secrets},
		Steps: []string{stepSent}, Tellers: tellers}
}

// Settings is what alerts let people set.
type Settings struct {
	To      string   `env:"NOTIFICATIONS" secret:"true" doc:"Addresses to tell of goals, first clips and failing parts, with spaces or commas between them: discord://, telegram://, ntfy://, slack://, smtp://, generic+https:// and more (internal/extra/alert/README.md). Of several processes with the same address one tells it." like:"ntfy://ntfy.sh/my-goals"`
	Teams   []string `env:"NOTIFICATION_TEAMS" format:"teams" doc:"Teams whose goals are told, by id or by name as in TRACK_TEAMS; with neither this nor NOTIFICATION_LEAGUES all that are followed." like:"Arsenal,40"`
	Leagues []string `env:"NOTIFICATION_LEAGUES" format:"leagues" doc:"Leagues whose goals are told, by id or by name as in TRACK_LEAGUES." like:"39,La Liga"`
}

// addressBreak parts addresses at spaces and at commas that another address follows: some addresses hold commas themselves.
var addressBreak = regexp.MustCompile(`[\s,]+([a-zA-Z][a-zA-Z0-9+.-]*://)`)

// Addresses are the single addresses of NOTIFICATIONS.
func (s Settings) Addresses() []string {
	text := addressBreak.ReplaceAllString(strings.Trim(s.To, " \t\r\n,"), "\n$1")
	return strings.FieldsFunc(text, func(c rune) bool { return c == '\n' })
}

// secrets are what the log hides of the addresses.
func secrets(own any) (out []string) {
	for _, a := range own.(*Settings).Addresses() { //nolint:forcetypeassert // made by New
		out = append(out, secretParts(a, 12)...)
	}
	return out
}

func tellers(c port.Core) ([]teller.Teller, error) {
	s := config.Own[Settings](c.Config)
	out, err := New(Options{Store: c.Store, URLs: s.Addresses(), BaseURL: c.PageURL, Health: c.Health, Lead: c.Hold,
		Filter: c.Chosen("NOTIFICATION", "no goals are sent to NOTIFICATIONS", s.Leagues, s.Teams, nil)})
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "read settings", "NOTIFICATIONS: %s", network.Shorten(err))
	}
	return out, nil
}
