package posting

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/health"
)

const (
	lookBack     = 24 * time.Hour
	passingTries = 3 // that fail and are not reported: the next one may succeed
)

func looks(c port.Core) []check.Look {
	if !config.Own[Settings](c.Config).On() {
		return nil
	}
	return []check.Look{{Name: rule.Name, Title: "Posts of our own", Subject: "The posting of goals", Where: "goals are posted",
		At: func(ctx context.Context) health.Part { return look(ctx, c.Store) }}}
}

// look reports which services do not post, or not with the video. A trouble ends with the next post that is as it should be.
func look(ctx context.Context, docs store.Store) health.Part {
	p := health.Part{Name: rule.Name, State: health.StateOK}
	if docs == nil {
		p.State, p.Reason = health.StateMissing, "the database cannot be opened"
		return p
	}
	now := time.Now()
	fixtures, err := docs.List(ctx, store.FixtureQuery{From: now.Add(-lookBack), To: now.Add(time.Hour)})
	last := map[string]rule.Posting{}
	var why []string
	for _, f := range fixtures {
		for i := range f.Events {
			all, failed := rule.All(&f.Events[i])
			if failed != nil {
				err = failed
			}
			for _, is := range all {
				if is.Step == rule.Unsure && now.Sub(is.At) < lookBack {
					why = append(why, is.Service+", "+footy.Label(f.Events[i])+": "+is.ForReaders())
				}
				if is.At.After(last[is.Service].At) && (is.Step == rule.Done || troubled(is)) {
					last[is.Service] = is
				}
			}
		}
	}
	if err != nil {
		p.State, p.Reason, p.Remedy = health.StateDown, footy.UserMessage(err), "It is looked at again."
		return p
	}
	for service, is := range last {
		if troubled(is) && is.Step != rule.Unsure {
			why = append(why, service+": "+is.ForOperators())
		}
	}
	if len(why) > 0 {
		slices.Sort(why)
		p.State, p.Reason = health.StateDegraded, strings.Join(why, "; ")
		p.Remedy = "The goal's page says what was posted; an operator says there whether a post whose delivery is unknown is there. footy notify test tries each service, as do the buttons of the page for operators."
	}
	return p
}

// troubled reports whether a post is not as it should be. That a clip is more than the service takes is no trouble.
func troubled(p rule.Posting) bool {
	picture := p.Picture.Why != "" && p.Picture.Reason == "" && p.Picture.Clip == p.Clip
	return picture || p.Error != "" && (p.Tries > passingTries || p.Refused != "")
}
