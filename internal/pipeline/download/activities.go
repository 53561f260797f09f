package download

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/footage"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
)

// Decoder is what we need of ffmpeg and ffprobe.
type Decoder interface {
	Probe(ctx context.Context, path string) (footy.Probe, error)
	Decode(ctx context.Context, path string, probe footy.Probe, wants media.Wants) (media.Decoded, error)
	Glimpse(ctx context.Context, path string, probe footy.Probe) ([]byte, error)
	Film(ctx context.Context, path string, probe footy.Probe, worth func() (bool, error)) (media.Film, error)
}

// Activities of a Download.
type Activities struct {
	Store      store.Store
	Blob       blob.Store
	Fetcher    source.Fetcher
	Decoder    Decoder
	Reader     validate.Reader // nil: no model is set up
	Temporal   client.Client
	Footage    footage.Known   // of earlier matches; nil: old footage is not recognised
	Prints     *footage.Memory // nil: none are kept
	Clock      bool            // read the running clock of each clip
	ModelFirst bool            // ask the model first, and go by the running clock only where it leaves the minute open
	ClockOnly  bool            // never ask a model, and refuse what the running clock does not prove
	TempDir    string
	Room       func() error  // why nothing may be fetched for now, by what is left of the disk; nil: nobody looks
	Delays     ledger.Delays // scaled
	Now        func() time.Time

	decoded atomic.Pointer[time.Time] // when a file came through here last
}

// RegisterDownload is Register, as workflows call it.
var RegisterDownload = policy.Define[Input, RegisterResult]("register_download_workflow", policy.Row{Queue: policy.QueueMain, Local: true, Timeout: 30 * time.Second,
	Why: "claims the posts"})

// mostPosts is how many posts one Download takes; the next one takes the others when they are due.
const mostPosts = 200

// Register takes the posts that the Download was begun for, and every other one of the event that is free and not left to a rest.
func (a *Activities) Register(ctx context.Context, in Input) (RegisterResult, error) {
	var out RegisterResult
	_, e, err := in.Event(ctx, a.Store)
	if err != nil || e == nil {
		return out, err
	}
	crashpoint.Here(crashpoint.DownloadStarted)
	posts, err := a.Store.Posts(ctx, store.PostQuery{EventUID: in.EventUID, Open: true})
	if err != nil {
		return out, err
	}
	for _, p := range posts {
		if len(out.Posts) == mostPosts {
			break
		}
		if p.Download != in.Download && !ledger.Near(p, a.Now(), a.Delays) {
			continue
		}
		if rests, err := a.rests(ctx, p); err != nil {
			return out, err
		} else if rests {
			continue
		}
		p, err := a.Store.Advance(ctx, p.EventUID, p.PostID, ledger.Moved(ledger.Claim(in.Download), a.Now(), a.Delays))
		if errors.Is(err, ledger.ErrIllegal) {
			continue // another one took it
		}
		if err != nil {
			return out, err
		}
		if p, err = a.suspend(ctx, p); err != nil {
			return out, err
		}
		if p.State != footy.PostWaiting {
			out.Posts = append(out.Posts, OpenPost{PostID: p.PostID, Step: ledger.NextStep(p)})
		}
	}
	fetched := slices.ContainsFunc(out.Posts, func(p OpenPost) bool { return p.Step == ledger.StepJudge })
	out.First = round.Unshown(e) && (fetched || len(out.Posts) == len(posts))
	out.Ahead = !e.Certain()
	out.Old = e.CaughtUp && in.Timing.Priority(a.Now().Sub(e.ScoredAt())) == policy.Lowest
	crashpoint.Here(crashpoint.Registered)
	return out, nil
}

// advance moves a post that this Download has. Where that is no longer so, or the move was made before, what stands is answered; also where
// it is in another state than it was read in: a process that was frozen goes on beside the try that replaced its own.
func (a *Activities) advance(ctx context.Context, p footy.Post, what ledger.Move) (footy.Post, error) {
	moved, err := a.Store.Advance(ctx, p.EventUID, p.PostID, func(is footy.Post) (footy.Post, []footy.Entry, error) {
		if is.State != p.State {
			return is, nil, fmt.Errorf("%w: it was %s and is %s", ledger.ErrIllegal, p.State, is.State)
		}
		return ledger.Advance(is, what, a.Now(), a.Delays)
	})
	if errors.Is(err, ledger.ErrIllegal) {
		activity.GetLogger(ctx).Info("another was quicker with a post", "module", "download", "action", "advance", "event_uid", p.EventUID, "post_id", p.PostID, "move", err)
		return a.Store.Post(ctx, p.EventUID, p.PostID)
	}
	return moved, err
}

// suspend makes a post wait, where it must wait for its goal.
func (a *Activities) suspend(ctx context.Context, p footy.Post) (footy.Post, error) {
	what, waits, err := a.mustWait(ctx, p)
	if err != nil || !waits {
		return p, err
	}
	if p, err = a.advance(ctx, p, what); err != nil {
		return p, err
	}
	crashpoint.Here(crashpoint.HeldBack)
	// Who begins the search of a certain goal looks for posts that wait. This one may have come just behind.
	if _, waits, err := a.mustWait(ctx, p); err != nil || waits {
		return p, err
	}
	return a.advance(ctx, p, ledger.Claim(p.Download))
}

func (a *Activities) mustWait(ctx context.Context, p footy.Post) (what ledger.Move, waits bool, err error) {
	f, err := a.Store.Fixture(ctx, p.FixtureID)
	if err != nil {
		return what, false, err
	}
	what, waits = ledger.Suspend(p, f.Event(p.EventUID))
	return what, waits, nil
}

// QueueUpload is Queue, as workflows call it.
var QueueUpload = policy.Define[Input, policy.Nothing]("queue_videos_for_upload", policy.Row{Queue: policy.QueueMain, Timeout: time.Minute,
	Why: "signal-with-start"})

// Queue signals the event's Upload, starting it if it does not run. Also with nothing accepted: the event may be complete; but not before it
// is certain.
func (a *Activities) Queue(ctx context.Context, in Input) error {
	_, e, err := in.Event(ctx, a.Store)
	if err != nil || e == nil || !e.Certain() { // nothing was judged
		return err
	}
	o := client.StartWorkflowOptions{ID: e.UploadWorkflow, WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE, StaticSummary: footy.Label(*e)}
	err = upload.Workflow.Signal(ctx, a.Temporal, o, policy.SignalAddVideos, upload.Handover{Download: in.Download}, in.EventInput)
	crashpoint.Here(crashpoint.HandedOver)
	return footy.Wrap(footy.CodeUnavailable, "queue videos for "+e.UploadWorkflow, err)
}
