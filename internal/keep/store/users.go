package store

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// What processes that share a database server say there, since no lock of theirs holds through every pooler: which of them have the
// database open, and that a restore replaces it. A restore leaves both alone until its end.
const (
	usersKey     = "users"
	restoringKey = "restoring"
)

// UserEvery is how often a process says that it has the database open.
const UserEvery = 10 * time.Second

// forgetAfter is when one that was killed is forgotten. It is for tidiness alone: a clock that is wrong may forget one for UserEvery.
const forgetAfter = 24 * time.Hour

// user is a process. Clocks are not compared: one whose beat moves lives.
type user struct {
	Who  string    `json:"who"`
	Beat int64     `json:"beat"`
	At   time.Time `json:"at"`
}

// restoring is a restore that is under way, or was interrupted.
type restoring struct {
	By string `json:"by"`
}

// Join says that this process has the database open, until leave is called. Where a restore is at it or was interrupted, it is refused.
func Join(ctx context.Context, s State, who string, every time.Duration) (leave func(), err error) {
	_, leave, err = join(ctx, s, who, every)
	if err != nil {
		return nil, err
	}
	var by restoring
	switch err := s.State(ctx, restoringKey, &by); {
	case footy.IsNotFound(err):
		return leave, nil
	case err != nil:
		leave()
		return nil, err
	}
	leave()
	return nil, footy.Errorf(footy.CodeConflict, "open database", "a restore by %s is under way or was interrupted; wait until it has ended, or do it again: footy restore DIR --force", by.By)
}

func join(ctx context.Context, s State, who string, every time.Duration) (id string, leave func(), err error) {
	id = rand.Text()
	tell := func(ctx context.Context) error {
		_, err := ChangeState(ctx, s, usersKey, func(all *map[string]user) error {
			if *all == nil {
				*all = map[string]user{}
			}
			now := time.Now().UTC()
			maps.DeleteFunc(*all, func(_ string, u user) bool { return now.Sub(u.At) > forgetAfter })
			(*all)[id] = user{Who: who, Beat: (*all)[id].Beat + 1, At: now}
			return nil
		})
		return err
	}
	if err := tell(ctx); err != nil {
		return "", nil, err
	}
	beating, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-beating.Done():
				return
			case <-tick.C:
				_ = tell(beating) // a database that does not answer is told of by all else that asks it
			}
		}
	}()
	return id, sync.OnceFunc(func() {
		cancel()
		<-ended
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_, _ = ChangeState(last, s, usersKey, func(all *map[string]user) error { // else its beat stands still
			delete(*all, id)
			return nil
		})
	}), nil
}

// Reservation keeps a database for a restore: until Done no process opens it, also where the restore dies.
type Reservation struct {
	Done func(context.Context) error // all was replaced
	Undo func(context.Context) error // nothing was
}

// Reserve reserves a database, or names the processes that have it open. watch waits for as long as the beats of those that live take to
// move.
func Reserve(ctx context.Context, b Backend, who string, watch func(context.Context) error) (r Reservation, err error) {
	s := New(b)
	var before restoring
	err = s.State(ctx, restoringKey, &before)
	again := !footy.IsNotFound(err)
	if err != nil && !footy.IsNotFound(err) && !errors.Is(err, ErrDamaged) {
		return r, err
	}
	id, leave, err := join(ctx, s, who, UserEvery)
	if err != nil {
		return r, err
	}
	r.Done = func(ctx context.Context) error {
		defer leave()
		return b.Delete(ctx, ServiceState, Filter{IDs: []string{restoringKey}})
	}
	r.Undo = r.Done
	if again { // a restore that was interrupted goes on to keep others away
		r.Undo = func(context.Context) error { leave(); return nil }
	}
	if err := s.PutState(ctx, restoringKey, restoring{By: who}); err != nil { // from now on none joins
		return r, errors.Join(err, r.Undo(ctx))
	}
	living, err := living(ctx, s, id, watch)
	if err == nil && len(living) > 0 {
		err = footy.Errorf(footy.CodeConflict, "restore", "the database is in use by %s; stop it first, then try again; nothing was changed", strings.Join(living, ", "))
	}
	if err != nil {
		return r, errors.Join(err, r.Undo(ctx))
	}
	return r, nil
}

// living names the processes, but for own, whose beats move.
func living(ctx context.Context, s State, own string, watch func(context.Context) error) (out []string, err error) {
	users := map[string]user{}
	if err := s.State(ctx, usersKey, &users); err != nil && !footy.IsNotFound(err) {
		return nil, err
	}
	if delete(users, own); len(users) == 0 {
		return nil, nil
	}
	if err := watch(ctx); err != nil {
		return nil, err
	}
	now := map[string]user{}
	if err := s.State(ctx, usersKey, &now); err != nil && !footy.IsNotFound(err) {
		return nil, err
	}
	for id, was := range users {
		if is, there := now[id]; there && is.Beat != was.Beat {
			out = append(out, is.Who)
		}
	}
	slices.Sort(out)
	return out, nil
}

// Reserved are what a restore leaves alone in ServiceState while it replaces all else.
func Reserved(id string) bool { return id == usersKey || id == restoringKey }
