package alert

import (
	"context"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/store"
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

// stepSent is a step at which FOOTY_CRASH_AT may kill the process: a message is out, which is not recorded.
const stepSent = "notification-sent"

const maxMessages = 20 // messages of one look; the rest follows with the next one

// sendNew reports what is new. Each message is written down when it was taken; one that was not taken is tried again.
func (t target) sendNew(ctx context.Context) error {
	if leads, err := t.opt.Lead(ctx, t.key); err != nil || !leads {
		return err
	}
	now, told := t.opt.Now(), Record{}
	if err := t.opt.Store.State(ctx, t.key, &told); err != nil && !footy.IsNotFound(err) {
		return err
	}
	changed := told.Since.IsZero()
	if changed {
		told.Since = now
	}
	if told.Goals == nil {
		told.Goals = news.Record{}
	}
	fixtures, err := t.opt.Store.List(ctx, store.FixtureQuery{From: now.Add(-news.LookBack), To: now.Add(time.Hour)})
	if err != nil {
		return err
	}
	var messages []Message
	if filter, err := t.opt.Filter(ctx); err == nil { // else goals wait: who chose some does not get all
		messages = GoalMessages(fixtures, told, filter, t.opt.BaseURL, now)
	}
	if t.opt.Health != nil {
		before := told.Parts
		var about []Message
		about, told = PartMessages(t.opt.Health(ctx), told, now)
		changed = changed || !reflect.DeepEqual(before, told.Parts)
		messages = append(messages, about...)
	}
	if changed {
		if err := t.opt.Store.PutState(ctx, t.key, told); err != nil {
			return err
		}
	}
	for _, m := range messages[:min(len(messages), maxMessages)] {
		if leads, err := t.opt.Lead(ctx, t.key); err != nil || !leads {
			return err
		}
		if err := t.send(ctx, m); err != nil {
			return err
		}
		m.record(&told)
		told.Goals.Forget(now)
		crashpoint.Here(stepSent)
		// Written down even if the process is being stopped: the message is out.
		if err := t.opt.Store.PutState(context.WithoutCancel(ctx), t.key, told); err != nil {
			return err
		}
	}
	return nil
}
