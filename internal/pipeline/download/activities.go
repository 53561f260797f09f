package download

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/media"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/validate"
	"github.com/found-footy/found-footy/internal/validate/gate"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
)

// Decoder is what we need of ffmpeg and ffprobe.
type Decoder interface {
	Probe(ctx context.Context, path string) (footy.Probe, error)
	Decode(ctx context.Context, path string, probe footy.Probe, wants media.Wants, progress func()) (media.Decoded, error)
	Glimpse(ctx context.Context, path string, probe footy.Probe) ([]byte, error)
}

// Activities of a batch.
type Activities struct {
	Store      store.Store
	Blob       blob.Store
	Fetcher    source.Fetcher
	Decoder    Decoder
	Reader     validate.Reader // nil: no model is set up
	Temporal   client.Client
	Gate       gate.Options
	Clock      bool // read the running clock of each clip
	ModelFirst bool // ask the model first, and go by the running clock only where it leaves the minute open
	ClockOnly  bool // never ask a model, and refuse what the running clock does not prove
	Tolerance  int  // minutes between broadcast clock and API minute
	TempDir    string
	Room       func() error  // why nothing may be fetched for now, by what is left of the disk; nil: nobody looks
	Delays     ledger.Delays // scaled
	Turn       time.Duration // how long one batch keeps the model before others have their turn
	Now        func() time.Time

	health sync.Mutex // fetches end side by side: what they say of fetching is counted one by one
	asking questions
}

// Register counts the search, takes the batch's posts and every other one of the event that is due and that nobody has. Where
// there are none the batch goes straight on to the event's Upload: most searches of a goal that nobody posts find nothing,
// and each would cost a step more.
func (a *Activities) Register(ctx context.Context, in Input) (RegisterResult, error) {
	var done, old, shown bool
	var open []footy.Batch
	_, err := a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(in.EventUID)
		if done = e == nil || round.BatchClosed(e, in.Batch); done {
			return nil, store.ErrUnchanged
		}
		open, shown, old = e.Batches, len(e.VisibleClips()) > 0, e.CaughtUp && in.Timing.Priority(a.Now().Sub(e.ScoredAt())) == policy.Lowest
		before := len(e.RegisteredBatches)
		if round.Register(e, in.Batch); len(e.RegisteredBatches) == before {
			return nil, store.ErrUnchanged
		}
		return nil, nil
	})
	if footy.IsNotFound(err) {
		return RegisterResult{Done: true}, nil
	}
	if err != nil || done {
		return RegisterResult{Done: done}, err
	}
	crashpoint.Here(crashpoint.DownloadStarted)
	out, err := a.claim(ctx, in, open)
	out.Old, out.First = old, out.First && !shown
	crashpoint.Here(crashpoint.Registered)
	if err != nil || len(out.Posts) > 0 {
		return out, err
	}
	return RegisterResult{Done: true}, a.Queue(ctx, in)
}

// claim marks the posts that this batch drives.
func (a *Activities) claim(ctx context.Context, in Input, open []footy.Batch) (RegisterResult, error) {
	var out RegisterResult
	posts, err := a.Store.Posts(ctx, store.PostQuery{EventUID: in.EventUID, Open: true})
	if err != nil {
		return out, err
	}
	for _, p := range posts {
		taken := false
		p, err := a.Store.UpdatePost(ctx, in.EventUID, p.PostID, func(p *footy.Post) ([]footy.Entry, error) {
			if taken = ledger.Take(p, in.Batch, open, a.Now(), a.Delays); !taken {
				return nil, store.ErrUnchanged
			}
			return nil, nil
		})
		if err != nil {
			return out, err
		}
		if taken {
			out.Posts = append(out.Posts, OpenPost{PostID: p.PostID, Step: ledger.NextStep(p)})
		}
	}
	out.First = len(out.Posts) == len(posts)
	return out, nil
}

// Queue signals the event's Upload, starting it if it does not run. Always, also with nothing accepted: the batch
// must be settled.
func (a *Activities) Queue(ctx context.Context, in Input) error {
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if footy.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	e := f.Event(in.EventUID)
	if e == nil {
		return nil
	}
	opts := client.StartWorkflowOptions{
		ID: e.UploadWorkflow, TaskQueue: policy.QueueMain, WorkflowRunTimeout: policy.RunTimeout(policy.UploadWorkflow),
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		StaticSummary:         footy.Label(*e),
	}
	start := UploadInput{FixtureID: in.FixtureID, EventUID: in.EventUID, Timing: in.Timing}
	_, err = a.Temporal.SignalWithStartWorkflow(ctx, e.UploadWorkflow, policy.SignalAddVideos, Handover{Batch: in.Batch}, opts, policy.UploadWorkflow, start)
	crashpoint.Here(crashpoint.HandedOver)
	return footy.Wrap(footy.CodeUnavailable, "queue videos for "+e.UploadWorkflow, err)
}

// row begins a log row about a post under a key that a repeat writes again.
func (a *Activities) row(p footy.Post, kind footy.EntryKind, id string, why footy.Reason) footy.Entry {
	return footy.Entry{Key: fmt.Sprintf("%s/%s/%s/%s", p.EventUID, kind, p.PostID, id), FixtureID: p.FixtureID, EventUID: p.EventUID,
		At: a.Now(), Kind: kind, Reason: why, PostID: p.PostID, Data: footy.Evidence{URL: p.Candidate.URL, Download: p.Batch}}
}

// waitRow tells that a post waits. One row tells one trouble: what only goes on is in the ledger.
func (a *Activities) waitRow(p footy.Post, before footy.Reason) []footy.Entry {
	if p.Reason == before {
		return nil
	}
	r := a.row(p, footy.EntryWaiting, fmt.Sprintf("%s/%d", p.Reason, p.WaitingSince.UnixMilli()), p.Reason)
	r.Data.Detail = p.Detail
	if p.Media != nil {
		r.Data.PosterKey = p.Media.StillKey
	}
	return []footy.Entry{r}
}

func beat(ctx context.Context) { activity.RecordHeartbeat(ctx) }
