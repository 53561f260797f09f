// Package download is DownloadWorkflow: it drives the posts of one search, or posts that are tried again, through metadata gate, download, digest, decode and
// validation, each as far as it gets, and tells the event's Upload. What happened to a post stands in the ledger; what
// could not be done waits there.
package download

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Input names the Download; its posts lie in the ledger.
type Input struct {
	policy.EventInput
	Download string `json:"download"`        // this workflow's id: what the ledger knows it by
	Retry    bool   `json:"retry,omitempty"` // posts that are tried again: others go first
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
	in       Input
	open     RegisterResult
	fetched  workflow.Selector
	fetching int      // posts, or rows of posts, that are not there yet
	judge    []string // post ids whose verdict is missing
	blocked  bool     // the model could not be asked
	told     bool     // Upload knows how things are
	count    Output
	failure  error
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
	d.fetch(ctx)
	for d.fetching > 0 || len(d.judge) > 0 {
		if err := d.step(ctx); err != nil {
			return err
		}
	}
	if d.told {
		return nil
	}
	return QueueUpload.Run(ctx, d.in, fmt.Sprintf("%d accepted, %d waiting", d.count.Accepted, d.count.Waiting))
}

// fetch begins to get all posts. While the goal has no clip they come side by side, so that none waits for another; later as many as one search
// chooses come in a row. What cannot be had now waits in the ledger.
func (d *download) fetch(ctx workflow.Context) {
	d.count.Posts, d.fetched = len(d.open.Posts), workflow.NewSelector(ctx)
	var away []string
	for _, p := range d.open.Posts {
		if p.Step == ledger.StepFetch {
			away = append(away, p.PostID)
		} else {
			d.take(p)
		}
	}
	row := 1
	if !d.open.First {
		row = max(d.in.Timing.BatchSize, 1)
	}
	nearest := len(away) == len(d.open.Posts)
	for posts := range slices.Chunk(away, row) {
		turn := d.turn(nearest)
		if d.in.Retry { // it could not be fetched, and may not be now
			turn = turnLast
		}
		d.get(ctx, turn, posts)
		nearest = false
	}
}

// get begins to get posts, one after the other.
func (d *download) get(ctx workflow.Context, turn int, posts []string) {
	d.fetching++
	f := DownloadVideo.At(turn).For(d.in.EventUID).Start(ctx, DownloadInput{Input: d.in, Posts: posts}, "post "+strings.Join(posts, ", "))
	d.fetched.AddFuture(f.Future, func(workflow.Future) {
		d.fetching--
		d.told = false
		got, err := f.Get(ctx)
		if err != nil {
			d.failure = err
			return
		}
		for _, p := range got.Posts {
			if p.Waiting {
				d.count.Waiting++
				continue
			}
			d.count.Fetched++
			d.take(OpenPost{PostID: p.PostID, Step: p.Step})
		}
		if left := posts[len(got.Posts):]; len(left) > 0 {
			d.get(ctx, turn, left)
		}
	})
}

// take has a post that is there judged, unless it was before.
func (d *download) take(p OpenPost) {
	switch p.Step {
	case ledger.StepJudge:
		d.judge = append(d.judge, p.PostID)
	case ledger.StepPublish:
		d.count.Accepted++
	case ledger.StepFetch, ledger.StepNone:
	}
}

// step judges what is there.
func (d *download) step(ctx workflow.Context) error {
	if d.fetching > 0 && (len(d.judge) == 0 || !d.early()) {
		d.fetched.Select(ctx)
	}
	for d.fetched.HasPending() {
		d.fetched.Select(ctx)
	}
	if d.failure != nil || len(d.judge) == 0 || d.fetching > 0 && !d.early() {
		return d.failure
	}
	return d.validate(ctx)
}

// early reports whether a post is judged before all are there: until the goal has a clip none waits for a slow host. Later on the order in which
// the model is asked saves most of the questions.
func (d *download) early() bool { return d.open.First && d.count.Accepted == 0 && !d.blocked }

// validate asks for verdicts, some at a time: between two turns the model's slot is free for other goals.
func (d *download) validate(ctx workflow.Context) error {
	first := d.open.First && d.count.Accepted == 0
	got, err := Validate.At(d.turn(first)).For(d.in.EventUID).Do(ctx, ValidateInput{Input: d.in, Posts: d.judge, First: first, Last: d.fetching == 0}, "look at "+policy.Counted(len(d.judge), "clip", "clips"))
	if err != nil {
		return err
	}
	d.count.Accepted += got.Accepted
	d.count.Waiting += got.Waiting
	d.blocked = d.blocked || got.Waiting > 0
	if len(got.Left) >= len(d.judge) {
		got.Left = nil // no step forward: reconcile tries them again
	}
	d.judge, d.told = got.Left, got.Queued
	return nil
}

// The turns of posts at what goals share. The first post of each goal goes before the second of any; of one turn each goal has one post after
// the other. What was accepted is shown before all of them (upload).
const (
	turnFirst = 2 // the post of a goal without a clip that is nearest to being one
	turnAhead = 3 // the same of a goal that is not certain
	turnNext  = 4 // any other, and those of a goal that is caught up
	turnLast  = 5 // a further one of a goal that is not certain, one that could not be had before
)

// turn is that of a post at what goals share: slots and the model. nearest tells that no other post of the Download is further.
func (d *download) turn(nearest bool) int {
	first := nearest && d.open.First && !d.open.Old
	switch {
	case first && d.open.Ahead:
		return turnAhead
	case first:
		return turnFirst
	case d.in.Retry || d.open.Ahead:
		return turnLast
	}
	return turnNext
}
