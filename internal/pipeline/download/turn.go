package download

import (
	"context"
	"slices"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"go.temporal.io/api/activity/v1"
	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdk "go.temporal.io/sdk/activity"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

// The turns of posts at what goals share. The first clip of each goal goes before the second of any; of one turn each goal has one post after
// the other. What was accepted is shown before all of them (upload).
const (
	turnFirst = 2 // the post of a goal without a clip that is nearest to being one
	turnNew   = 3
	turnOld   = 4 // of a goal that is caught up, and a further one of a goal that is not certain
	turnAgain = 5
)

// promote gives a further post the turn of a first one, where all that went before it came to nothing. It changes the order of what waits,
// and no more: what it cannot do is told and forgotten.
func (a *Activities) promote(ctx context.Context, in Input) {
	workflow, id, err := a.next(ctx, in)
	if err == nil && id != "" {
		_, err = a.Temporal.WorkflowService().UpdateActivityOptions(ctx, &workflowservice.UpdateActivityOptionsRequest{
			Namespace: sdk.GetInfo(ctx).Namespace, Execution: &common.WorkflowExecution{WorkflowId: workflow},
			Activity:        &workflowservice.UpdateActivityOptionsRequest_Id{Id: id},
			ActivityOptions: &activity.ActivityOptions{Priority: &common.Priority{PriorityKey: turnFirst}},
			UpdateMask:      &fieldmaskpb.FieldMask{Paths: []string{"priority.priority_key"}},
		})
	}
	if err != nil {
		sdk.GetLogger(ctx).Info("the goal's next post keeps its place among others", "module", "download", "action", "promote", "event_uid", in.EventUID, "error", err)
	}
}

// next finds the fetch to promote: none if the goal has a clip, or a post of it is further on its way.
func (a *Activities) next(ctx context.Context, in Input) (workflow, id string, err error) {
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if err != nil {
		return "", "", err
	}
	if e := f.Event(in.EventUID); e == nil || !round.Unshown(e) {
		return "", "", nil
	}
	posts, err := a.Store.Posts(ctx, store.PostQuery{EventUID: in.EventUID, Open: true})
	if err != nil {
		return "", "", err
	}
	var asked []string
	for _, p := range posts {
		switch {
		case p.State == footy.PostWaiting && !p.Reason.AwaitsGoal(), p.State == footy.PostFetching && slices.Contains(asked, p.Download):
			continue
		case p.State != footy.PostFetching:
			return "", "", nil // it is fetched
		}
		asked = append(asked, p.Download)
		d, err := a.Temporal.DescribeWorkflowExecution(ctx, p.Download, "")
		if err != nil {
			return "", "", err
		}
		for _, t := range d.GetPendingActivities() {
			own := p.Download == sdk.GetInfo(ctx).WorkflowExecution.ID && t.GetActivityId() == sdk.GetInfo(ctx).ActivityID
			switch turn := t.GetPriority().GetPriorityKey(); {
			case own || t.GetActivityType().GetName() != DownloadVideo.Name():
			case t.GetState() != enums.PENDING_ACTIVITY_STATE_SCHEDULED || turn == turnFirst:
				return "", "", nil
			case turn == turnNew && id == "":
				workflow, id = p.Download, t.GetActivityId()
			}
		}
	}
	return workflow, id, nil
}
