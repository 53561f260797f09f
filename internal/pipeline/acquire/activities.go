package acquire

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/media"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
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
	Store     store.Store
	Blob      blob.Store
	Fetcher   source.Fetcher
	Decoder   Decoder
	Reader    validate.Reader // nil: no model is set up
	Temporal  client.Client
	Gate      gate.Options
	Tolerance int // minutes between broadcast clock and API minute
	TempDir   string
	Now       func() time.Time
}

// Register counts the attempt and returns its candidates. Where there are none the batch goes straight on to the
// event's Upload: most searches of a goal that nobody posts find nothing, and each would cost a step more.
func (a *Activities) Register(ctx context.Context, in Input) (Registered, error) {
	var out Registered
	_, err := a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) error {
		out = Registered{Gone: true}
		e := f.Event(in.EventUID)
		if e == nil || round.Settled(e, in.Download) {
			return store.ErrUnchanged
		}
		if e.Removed {
			round.Settle(e, in.Download, nil)
			return nil
		}
		round.Register(e, in.Download)
		for _, at := range e.Attempts {
			if at.Download == in.Download {
				out = Registered{Candidates: at.Candidates, Media: at.Media}
			}
		}
		return nil
	})
	if footy.IsNotFound(err) {
		return Registered{Gone: true}, nil
	}
	if err != nil || out.Gone || len(out.Candidates)+len(out.Media) > 0 {
		return out, err
	}
	out.HandedOver = true
	return out, a.Queue(ctx, Handover{FixtureID: in.FixtureID, EventUID: in.EventUID, Download: in.Download, Timing: in.Timing})
}

// Queue signals the event's Upload, starting it if it does not run. Always, also with nothing accepted: the batch
// must be settled.
func (a *Activities) Queue(ctx context.Context, in Handover) error {
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if err != nil {
		return err
	}
	e := f.Event(in.EventUID)
	if e == nil {
		return nil
	}
	opts := client.StartWorkflowOptions{
		ID: e.UploadWorkflow, TaskQueue: policy.QueueMain,
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		StaticSummary:         footy.Label(*e),
	}
	start := UploadInput{FixtureID: in.FixtureID, EventUID: in.EventUID, Timing: in.Timing}
	_, err = a.Temporal.SignalWithStartWorkflow(ctx, e.UploadWorkflow, policy.SignalAddVideos, in, opts, policy.UploadWorkflow, start)
	return footy.Wrap(footy.CodeUnavailable, "queue videos for "+e.UploadWorkflow, err)
}

// UploadInput starts UploadWorkflow; batches come as signals.
type UploadInput struct {
	FixtureID int64         `json:"fixture_id"`
	EventUID  string        `json:"event_uid"`
	Timing    policy.Timing `json:"timing"`
}

func beat(ctx context.Context) { activity.RecordHeartbeat(ctx) }
