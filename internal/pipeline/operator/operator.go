// Package operator carries out what an operator asks for: search again, hide, restore, take down, pin. Each act is one
// atomic write with its row in the log.
package operator

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/decide/clip/rank"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// Operator acts on events and clips.
type Operator struct {
	Store    store.Store
	Blob     blob.Store
	Temporal client.Client // nil: this process cannot start a search
	Timing   policy.Timing
	Page     footy.Publisher
	Now      func() time.Time
}

// SearchAgain opens a new round and starts its search at once.
func (o *Operator) SearchAgain(ctx context.Context, uid string) error {
	if o.Temporal == nil {
		return footy.Errorf(footy.CodeUnavailable, "search again", "this process is not connected to Temporal; set TEMPORAL_ADDRESS")
	}
	f, err := o.change(ctx, uid, "", "search again", "", func(e *footy.Event, now time.Time) error {
		if !e.Certain() || e.Removed {
			return footy.Errorf(footy.CodeInvalid, "search again", "%s is %s: only a goal that stands can be searched for", e.ID, e.Status())
		}
		if !e.DownloadComplete {
			return footy.Errorf(footy.CodeConflict, "search again", "%s is being searched for already", e.ID)
		}
		round.Begin(e, now)
		return nil
	})
	if err != nil {
		return err
	}
	crashpoint.Here(crashpoint.RoundCommitted)
	e := f.Event(uid)
	_, err = search.Workflow.Start(ctx, o.Temporal, client.StartWorkflowOptions{ID: e.Round.Workflow, StaticSummary: footy.Label(*e)},
		search.Input{FixtureID: f.ID, EventUID: e.UID, Timing: o.Timing})
	return footy.Wrap(footy.CodeUnavailable, "start search "+e.Round.Workflow, err)
}

// Hide takes a clip, or without one all clips of the event, out of sight; bytes stay.
func (o *Operator) Hide(ctx context.Context, uid, clip string) error {
	_, err := o.change(ctx, uid, clip, "hide", "", func(e *footy.Event, _ time.Time) error {
		for i := range e.Clips {
			e.Clips[i].Hidden = e.Clips[i].Hidden || clip == "" || e.Clips[i].ID == clip
		}
		return nil
	})
	return err
}

// Restore undoes Hide; what was taken down stays down. Without a clip it also brings back a goal that was removed: it stands
// until the feed has listed it again and then takes it back. It answers whether it did that.
func (o *Operator) Restore(ctx context.Context, uid, clip string) (goal bool, err error) {
	_, err = o.change(ctx, uid, clip, "restore", "", func(e *footy.Event, now time.Time) error {
		if goal = clip == "" && e.Removed; goal {
			if e.Swept {
				return footy.Errorf(footy.CodeConflict, "restore", "%s was removed more than a day ago: its clips are deleted and cannot come back", e.ID)
			}
			e.Removed, e.RemovedReason, e.RemovedAt, e.SameAs = false, "", time.Time{}, ""
			e.AbsentPolls, e.Withheld, e.Kept = nil, "", true
			if e.Certain() && !e.DownloadComplete {
				round.Begin(e, now)
			}
		}
		for i := range e.Clips {
			if c := &e.Clips[i]; clip == "" || c.ID == clip {
				c.Hidden = c.Hidden && c.Swept
			}
		}
		return nil
	})
	return goal && err == nil, err
}

// Pin makes a clip rank 1; without one the pin is removed.
func (o *Operator) Pin(ctx context.Context, uid, clip string) error {
	_, err := o.change(ctx, uid, clip, "pin", "", func(e *footy.Event, _ time.Time) error {
		for i := range e.Clips {
			e.Clips[i].Pinned = e.Clips[i].ID == clip
		}
		return nil
	})
	return err
}

// change applies one act with its log row and recomputes what depends on the clips.
func (o *Operator) change(ctx context.Context, uid, clip, act, reason string, do func(*footy.Event, time.Time) error) (footy.Fixture, error) {
	f, err := o.Store.FixtureOfEvent(ctx, uid)
	if err != nil {
		return f, err
	}
	prints, err := policy.Prints(ctx, o.Store, f.Event(uid).UID)
	if err != nil {
		return f, err
	}
	now := o.Now().UTC()
	f, err = o.Store.Update(ctx, f.ID, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(uid)
		if e == nil {
			return nil, footy.Errorf(footy.CodeNotFound, act, "no event %s", uid)
		}
		if clip != "" && e.Clip(clip) == nil {
			return nil, missing(act, clip)
		}
		removed := e.Removed
		if err := do(e, now); err != nil {
			return nil, err
		}
		dedup.Apply(e, prints, phash.Unkept)
		rank.Apply(e)
		return []footy.Entry{{
			Key: fmt.Sprintf("%s/%s/%s/%s/%d", e.UID, footy.EntryOperator, act, clip, now.UnixMilli()), FixtureID: f.ID, EventUID: e.UID,
			At: now, Kind: footy.EntryOperator, ClipID: clip, Data: footy.Evidence{Act: act, Reason: reason, RestoredGoal: removed && !e.Removed},
		}}, nil
	})
	if err == nil {
		o.Page.Publish(ctx, "event", uid)
	}
	return f, err
}

func missing(act, clip string) error {
	return footy.Errorf(footy.CodeNotFound, act, "no clip %s", clip)
}
