package download

import (
	"context"
	"slices"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

// keepClock keeps what was read of the running clock, with its picture.
func (a *Activities) keepClock(ctx context.Context, eventUID, digest string, read clockface.Answer) (*footy.RunningClock, error) {
	c := read.Running()
	if !c.Sure() {
		return c, nil
	}
	picture, err := media.ClockPicture(read)
	if err != nil || len(picture) == 0 {
		return c, err
	}
	c.PictureKey = blob.ClockKey(eventUID, digest)
	return c, a.put(ctx, c.PictureKey, "image/jpeg", picture)
}

// byClock judges a post by the running clock that was read of it, or of a post with the same footage.
func (a *Activities) byClock(ctx context.Context, c *footy.RunningClock, f footy.Fixture, e footy.Event) (v footy.Verdict, ruling clock.Ruling, err error) {
	if !a.Clock {
		return v, clock.AskAll, nil
	}
	q := question(f, e)
	if c.Sure() && len(c.Codes) > 0 {
		if err := a.addTeams(ctx, &q, f); err != nil {
			return v, clock.AskAll, err
		}
	}
	err = guard("check clock", func() error { v, ruling = clock.CheckRunning(c, q); return nil })
	return v, ruling, err
}

// addTeams adds what the teams of a match and of those around it are called.
func (a *Activities) addTeams(ctx context.Context, q *clock.Question, f footy.Fixture) error {
	near, err := policy.Nearby(ctx, a.Store, f)
	if err != nil {
		return err
	}
	for n, f := range append([]footy.Fixture{f}, near...) {
		var match [2]clock.Team
		for i, t := range []footy.Team{f.Teams.Home, f.Teams.Away} {
			known, err := a.Store.Aliases(ctx, t.ID)
			if err != nil && !footy.IsNotFound(err) {
				return err
			}
			match[i] = clock.Team{Name: t.Name, Names: append(known.Called(), known.Aliases...), Codes: slices.DeleteFunc([]string{t.Code, known.Abbr}, func(c string) bool { return c == "" })}
		}
		if n == 0 {
			q.Teams = match
		} else {
			q.Others = append(q.Others, match)
		}
	}
	return nil
}

// knownOf decides about p by what is known of a post of the same footage: what was read in its frames, or its running clock. ok is
// false where a model has to be asked.
func (a *Activities) knownOf(ctx context.Context, o footy.Verdict, readings []footy.Reading, f footy.Fixture, e footy.Event, p footy.Post) (v footy.Verdict, ok bool, err error) {
	running, q := p.Media.Clock, question(f, e)
	if len(sights(f)) > 0 && slices.ContainsFunc(readings, func(r footy.Reading) bool { return r.Shows == "" }) {
		readings = nil // nobody asked what they show
	}
	if !running.Sure() {
		running = o.Running
	}
	v, ruling, err := a.byClock(ctx, running, f, e)
	read := len(readings) > 0 && o.Proof != footy.ProofClock // else nobody read a clock in those frames
	switch {
	case err != nil:
		return v, false, err
	case read && (a.modelFirst() || ruling == clock.AskAll):
		v, err = a.byFrames(readings, o.Model, v, ruling, f, e)
		return v, true, err
	case ruling == clock.Decided:
		return v, true, nil
	case ruling == clock.AskPicture && len(readings) > 0:
		return clock.WithPicture(q, v, readings, o.Model), true, nil
	case ruling == clock.AskPicture && a.Reader == nil:
		v, err = a.withoutModel(ctx, v, f, e, p.Candidate)
		return v, true, err
	}
	return v, false, nil
}

// withoutModel is what a running clock proves where there is no model to look at the picture.
func (a *Activities) withoutModel(ctx context.Context, v footy.Verdict, f footy.Fixture, e footy.Event, c footy.Candidate) (footy.Verdict, error) {
	named, err := a.named(ctx, f, e, c)
	return clock.WithoutModel(question(f, e), v, named), err
}

// named reports whether a post names the match: a word of one of its teams, or of the player.
func (a *Activities) named(ctx context.Context, f footy.Fixture, e footy.Event, c footy.Candidate) (bool, error) {
	words := names.PlayerTokens(e.Player.Name)
	for _, t := range []footy.Team{f.Teams.Home, f.Teams.Away} {
		known, err := a.Store.Aliases(ctx, t.ID)
		if err != nil && !footy.IsNotFound(err) {
			return false, err
		}
		words = append(words, names.TeamTokens(t.Name, known.Aliases)...)
	}
	return slices.ContainsFunc(names.Tokens(c.Text), func(w string) bool { return slices.Contains(words, w) }), nil
}
