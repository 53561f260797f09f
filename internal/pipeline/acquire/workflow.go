// Package acquire is DownloadWorkflow: it takes the candidates of one search through metadata gate, download, digest,
// decode and validation, and hands what is left, also when that is nothing, to the event's Upload.
package acquire

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/fault"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Input names the batch; its candidates lie with the event.
type Input struct {
	FixtureID int64         `json:"fixture_id"`
	EventUID  string        `json:"event_uid"`
	Download  string        `json:"download"`
	Timing    policy.Timing `json:"timing"`
}

// Output counts for operators.
type Output struct {
	Candidates int `json:"candidates"`
	Accepted   int `json:"accepted"`
	Rejected   int `json:"rejected"`
	Owed       int `json:"owed,omitempty"`
}

// batch is the state of one DownloadWorkflow.
type batch struct {
	in    Input
	open  Registered
	media []footy.Media // downloaded, one per digest
	out   Handover
	count Output
}

// Workflow is DownloadWorkflow.
func Workflow(ctx workflow.Context, in Input) (Output, error) {
	b := &batch{in: in, out: Handover{FixtureID: in.FixtureID, EventUID: in.EventUID, Download: in.Download, Timing: in.Timing}}
	err := b.run(ctx)
	return b.count, err
}

func (b *batch) run(ctx workflow.Context) error {
	if err := policy.Do(ctx, policy.RegisterDownload, "the attempt counts from here", b.in, &b.open); err != nil {
		return err
	}
	if b.open.Gone || b.open.HandedOver {
		return nil
	}
	if err := b.download(ctx); err != nil {
		return err
	}
	if err := b.validate(ctx); err != nil {
		return err
	}
	b.count.Accepted, b.count.Owed = len(b.out.Items), len(b.out.Owed)
	return policy.Do(ctx, policy.QueueUpload, fmt.Sprintf("%d accepted", len(b.out.Items)), b.out, nil)
}

// download fetches all candidates side by side. One that cannot be had after all retries is lost with its reason, the
// others are not.
func (b *batch) download(ctx workflow.Context) error {
	b.count.Candidates = len(b.open.Candidates) + len(b.open.Media)
	b.media = append(b.media, b.open.Media...)
	futures := make([]workflow.Future, len(b.open.Candidates))
	for i, c := range b.open.Candidates {
		futures[i] = policy.Start(ctx, policy.DownloadVideo, "post "+c.PostID, Fetch{Input: b.in, Candidate: c})
	}
	for i, f := range futures {
		var got Got
		err := f.Get(ctx, &got)
		switch {
		case temporal.IsCanceledError(err):
			return err
		case err != nil:
			b.out.Lost = append(b.out.Lost, Lost{Candidate: b.open.Candidates[i], Reason: footy.ReasonUnavailable, Detail: fault.Words(err)})
		case got.Rejected != "":
			b.count.Rejected++
		case got.Known != "":
			b.out.Support = append(b.out.Support, Support{Candidate: b.open.Candidates[i], ClipID: got.Known})
		default:
			b.add(*got.Media)
		}
	}
	return nil
}

// add keeps one media per digest; further posts with the same bytes support it.
func (b *batch) add(m footy.Media) {
	for i := range b.media {
		if b.media[i].Digest == m.Digest {
			b.media[i].SamePosts = append(b.media[i].SamePosts, m.Candidate)
			return
		}
	}
	b.media = append(b.media, m)
}

// validate asks for verdicts. Without one nothing is shown: the media stay owed until a model is healthy again.
func (b *batch) validate(ctx workflow.Context) error {
	if len(b.media) == 0 {
		return nil
	}
	var judged []Judged
	err := policy.Do(ctx, policy.Validate, fmt.Sprintf("%d clips", len(b.media)), Judge{Input: b.in, Media: b.media}, &judged)
	if temporal.IsCanceledError(err) {
		return err
	}
	if err != nil {
		b.out.Owed = b.media
		return nil //nolint:nilerr // the failure is carried on as media whose verdict is owed
	}
	for i, j := range judged {
		switch j.Verdict.Outcome {
		case footy.OutcomeVerified, footy.OutcomeUnverified:
			b.out.Items = append(b.out.Items, Item{Media: b.media[i], Verdict: j.Verdict})
		case footy.OutcomeUnvalidated:
			b.out.Owed = append(b.out.Owed, b.media[i])
		default:
			b.count.Rejected++
		}
	}
	return nil
}
