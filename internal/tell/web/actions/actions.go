// Package actions carries out an operator's actions, asked for by a form or by a program, and announces what changed.
package actions

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strconv"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// Commands are what an operator can do.
type Commands interface {
	// SearchAgain opens a new search round for an event.
	SearchAgain(ctx context.Context, eventUID string) error
	// Hide hides a clip, or without clipID the whole event; bytes stay.
	Hide(ctx context.Context, eventUID, clipID string) error
	// Restore undoes Hide and, without clipID, the removal of the goal; it answers whether it brought the goal back.
	Restore(ctx context.Context, eventUID, clipID string) (goal bool, err error)
	// TakeDown deletes a clip and keeps its content from coming back.
	TakeDown(ctx context.Context, eventUID, clipID, reason string) error
	// Pin makes a clip rank 1; an empty clipID removes the pin.
	Pin(ctx context.Context, eventUID, clipID string) error
	// Retry makes posts that wait due at once, GiveUp ends them; both answer how many there were. An event goes by any id of its page.
	Retry(ctx context.Context, which ledger.Selection) (int, error)
	GiveUp(ctx context.Context, which ledger.Selection) (int, error)
}

// OnEvent is what an operator asks for about an event.
type OnEvent struct {
	Action string
	Clip   string // "": the event itself
	Reason string
}

// Actions check what is asked for, run the command and announce the change.
type Actions struct {
	Commands Commands // nil: read only
	NoEngine bool     // Commands cannot start a search
	Reader   *lookup.Reader
	Hub      *stream.Hub
	Log      *slog.Logger
}

// Enabled reports whether there are commands.
func (a *Actions) Enabled() bool { return a.Commands != nil }

// OnEvent runs an action on an event, one of its clips or posts. effect is what it did: the action, or for a restore what became of it.
func (a *Actions) OnEvent(ctx context.Context, id string, do OnEvent) (e *footy.Event, effect string, err error) {
	action, clip := do.Action, do.Clip
	if !a.Enabled() {
		return nil, "", errReadOnly(action)
	}
	f, e, err := a.Reader.Event(ctx, id)
	if err != nil {
		return nil, "", err
	}
	if clip != "" && e.Clip(clip) == nil {
		return nil, "", footy.Errorf(footy.CodeNotFound, action, "This %s has no clip %q.", e.Kind.Info().One, clip)
	}
	if err := a.check(e, action, clip); err != nil {
		return nil, "", err
	}
	effect = action
	switch action {
	case "search-again":
		err = a.Commands.SearchAgain(ctx, e.UID)
	case "hide":
		err = a.Commands.Hide(ctx, e.UID, clip)
	case "restore":
		effect, err = a.restore(ctx, e, clip)
	case "take-down":
		err = a.Commands.TakeDown(ctx, e.UID, clip, do.Reason)
	case "pin":
		err = a.Commands.Pin(ctx, e.UID, clip)
	case "unpin":
		err = a.Commands.Pin(ctx, e.UID, "")
	default:
		err = errUnknown(action)
	}
	if err != nil {
		return nil, "", err
	}
	a.Log.InfoContext(ctx, "operator acted", "action", action, "event_id", e.ID, "clip_id", clip)
	a.Hub.Publish(stream.EntityFixture, strconv.FormatInt(f.ID, 10))
	a.Hub.Publish(stream.EntityEvent, e.UID)
	return e, effect, nil
}

// restore says what it did by what people can see now: a goal that stands again may have no clip, and a clip that is not hidden
// any more may be a copy of a better one.
func (a *Actions) restore(ctx context.Context, was *footy.Event, clip string) (effect string, err error) {
	goal, err := a.Commands.Restore(ctx, was.UID, clip)
	if err != nil {
		return "", err
	}
	_, now, err := a.Reader.Event(ctx, was.UID)
	switch {
	case err != nil:
		return "", err
	case goal && len(now.VisibleClips()) > 0:
		return "restore-goal", nil
	case goal && !now.DownloadComplete:
		return "restore-goal-searching", nil
	case goal:
		return "restore-goal-bare", nil
	case len(now.VisibleClips()) > len(was.VisibleClips()):
		return "restore", nil
	}
	return "restore-copy", nil
}

func errReadOnly(action string) error {
	return footy.Errorf(footy.CodeInvalid, action, "Read-only: no worker connected.")
}

func errUnknown(action string) error {
	return footy.Errorf(footy.CodeNotFound, action, "There is no action %q.", action)
}

// check refuses what cannot be done, before anything is changed.
func (a *Actions) check(e *footy.Event, action, clip string) error {
	switch {
	case action == "search-again" && a.NoEngine:
		return &answer.Error{Status: http.StatusServiceUnavailable, Code: footy.CodeUnavailable, Message: "The workflow engine is not connected, so no search can begin; set TEMPORAL_ADDRESS."}
	case action == "search-again" && e.Removed:
		return footy.Errorf(footy.CodeConflict, action, "This %s no longer stands: only one that stands can be searched for.", e.Kind.Info().One)
	case action == "restore" && clip == "" && e.Removed && e.Swept:
		return footy.Errorf(footy.CodeConflict, action, "This %s was removed too long ago: its clips are deleted and cannot come back.", e.Kind.Info().One)
	case clip == "" && action == "take-down":
		return footy.Errorf(footy.CodeInvalid, action, "Say which clip to take down (clip_id).")
	case clip == "" && action == "pin":
		return footy.Errorf(footy.CodeInvalid, action, "Say which clip to pin (clip_id); unpin removes a pin.")
	case clip != "" && (action == "pin" || action == "restore") && e.Clip(clip).Swept:
		return footy.Errorf(footy.CodeConflict, action, "Clip %q was taken down or has expired: its bytes are deleted and cannot come back.", clip)
	case action == "restore" && clip != "" && !e.Clip(clip).Hidden:
		return footy.Errorf(footy.CodeConflict, action, "Clip %q is not hidden: there is nothing to restore.", clip)
	case action == "restore" && clip == "" && !e.Removed && !slices.ContainsFunc(e.Clips, func(c footy.Clip) bool { return c.Hidden && !c.Swept }):
		return footy.Errorf(footy.CodeConflict, action, "This %s stands and none of its clips is hidden: there is nothing to restore.", e.Kind.Info().One)
	}
	return nil
}

// OnWaiting runs an action on posts that wait and answers how many there were.
func (a *Actions) OnWaiting(ctx context.Context, action string, c ledger.Selection) (n int, err error) {
	if !a.Enabled() {
		return 0, errReadOnly(action)
	}
	if err := c.Check(); err != nil {
		return 0, err
	}
	switch action {
	case "retry":
		n, err = a.Commands.Retry(ctx, c)
	case "give-up":
		n, err = a.Commands.GiveUp(ctx, c)
	default:
		return 0, errUnknown(action)
	}
	if n > 0 {
		a.Log.InfoContext(ctx, "operator acted on posts that wait", "action", action, "event_id", c.EventUID, "post_id", c.PostID, "cause", string(c.Cause), "posts", n)
		a.Hub.Publish(stream.EntityHealth)
	}
	return n, err
}
