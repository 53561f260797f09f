// Package download is DownloadWorkflow: it drives the posts of one search, or posts that are tried again, through metadata gate, download, digest, decode and
// validation, each as far as it gets, and then tells the event's Upload. What happened to a post stands in the ledger; what
// could not be done waits there.
package download

import (
	"time"

	"fmt"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/sdk/workflow"
)

// Input names the Download; its posts lie in the ledger.
type Input struct {
	FixtureID int64         `json:"fixture_id"`
	EventUID  string        `json:"event_uid"`
	Download  string        `json:"download"`        // this workflow's id: what the ledger knows it by
	Retry     bool          `json:"retry,omitempty"` // posts that are tried again: others go first
	Timing    policy.Timing `json:"timing"`
}

// Output counts for operators.
type Output struct {
	Posts    int `json:"posts"`
	Fetched  int `json:"fetched"`
	Accepted int `json:"accepted"`
	Waiting  int `json:"waiting,omitempty"`
}

// download is the state of one DownloadWorkflow.
type download struct {
	in    Input
	open  RegisterResult
	judge []string // post ids whose verdict is missing
	count Output
}

// Workflow is DownloadWorkflow.
var Workflow = policy.DefineWorkflow("DownloadWorkflow", 3*time.Hour, start) // five clips at a slow model

func start(ctx workflow.Context, in Input) (Output, error) {
	d := &download{in: in}
	err := d.run(ctx)
	return d.count, err
}

func (d *download) run(ctx workflow.Context) error {
	var err error
	if d.open, err = RegisterDownload.Do(ctx, d.in, "take the posts"); err != nil {
		return err
	}
	if len(d.open.Posts) == 0 {
		return nil
	}
	if err := d.fetch(ctx); err != nil {
		return err
	}
	if err := d.validate(ctx); err != nil {
		return err
	}
	return QueueUpload.Run(ctx, d.in, fmt.Sprintf("%d accepted, %d waiting", d.count.Accepted, d.count.Waiting))
}

// fetch gets all posts side by side. What cannot be had now waits in the ledger and holds the others up no longer.
func (d *download) fetch(ctx workflow.Context) error {
	d.count.Posts = len(d.open.Posts)
	futures := map[string]policy.Future[DownloadResult]{}
	fetch := DownloadVideo.At(d.priority())
	for _, p := range d.open.Posts {
		if p.Step == ledger.StepFetch {
			futures[p.PostID] = fetch.Start(ctx, DownloadInput{Input: d.in, PostID: p.PostID}, "post "+p.PostID)
		}
	}
	for _, p := range d.open.Posts {
		step := p.Step
		if f, fetching := futures[p.PostID]; fetching {
			got, err := f.Get(ctx)
			if err != nil {
				return err
			}
			step = got.Step
			if got.Waiting {
				d.count.Waiting++
				continue
			}
			d.count.Fetched++
		}
		switch step {
		case ledger.StepJudge:
			d.judge = append(d.judge, p.PostID)
		case ledger.StepPublish:
			d.count.Accepted++
		case ledger.StepFetch, ledger.StepNone:
		}
	}
	return nil
}

// validate asks for verdicts, some at a time: between two turns the model's slot is free for other goals.
func (d *download) validate(ctx workflow.Context) error {
	for len(d.judge) > 0 {
		got, err := Validate.At(d.priority()).Do(ctx, ValidateInput{Input: d.in, Posts: d.judge}, "look at "+policy.Counted(len(d.judge), "clip", "clips"))
		if err != nil {
			return err
		}
		d.count.Accepted += got.Accepted
		d.count.Waiting += got.Waiting
		if len(got.Left) >= len(d.judge) {
			return nil // no step forward: reconcile tries them again
		}
		d.judge = got.Left
	}
	return nil
}

// priority is the turn of what goals share. Each goal's first find goes before further ones of others: where the model is slow,
// a goal that falls now does not wait behind the fourth copy of one before. New finds go before those of old goals, and these
// before posts that are tried again. What was fetched and judged is shown before all of them.
func (d *download) priority() int {
	switch {
	case d.in.Retry:
		return 5
	case d.open.Old:
		return 4
	case d.open.First:
		return 2
	}
	return 3
}
