package check

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

const (
	postingBack = 24 * time.Hour // how far back posts of our own are looked at
	passingTrys = 3              // that fail and tell nobody: the next one may succeed
)

// posting tells which services do not post, or not with the video. A trouble ends with the next post that is as it should be.
func (c *Checker) posting(ctx context.Context) health.Part {
	p := health.Part{Name: health.Posting, State: health.StateOK}
	if c.opt.Store == nil {
		p.State, p.Reason = health.StateMissing, "the database cannot be opened"
		return p
	}
	now := time.Now()
	fixtures, err := c.opt.Store.List(ctx, store.FixtureQuery{From: now.Add(-postingBack), To: now.Add(time.Hour)})
	if err != nil {
		p.State, p.Reason, p.Remedy = health.StateDown, footy.UserMessage(err), awaitDatabase
		return p
	}
	last := map[string]footy.Posting{}
	for _, f := range fixtures {
		for _, e := range f.Events {
			for _, is := range e.Postings {
				if is.At.After(last[is.Service].At) && (is.Step == footy.PostingDone || troubled(is)) {
					last[is.Service] = is
				}
			}
		}
	}
	var why []string
	for service, is := range last {
		if troubled(is) {
			why = append(why, service+": "+explain.Posting(is))
		}
	}
	if len(why) > 0 {
		slices.Sort(why)
		p.State, p.Reason = health.StateDegraded, strings.Join(why, "; ")
		p.Remedy = "The goal's page says what was posted. footy notify test tries each service, as do the buttons of the page for operators."
	}
	return p
}

// troubled reports whether a post is not as it should be. That a clip is more than the service takes is no trouble.
func troubled(p footy.Posting) bool {
	picture := p.Picture.Why != "" && p.Picture.Reason == "" && p.Picture.Clip == p.Clip
	return picture || p.Error != "" && (p.Tries > passingTrys || p.Refused != "")
}
