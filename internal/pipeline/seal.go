package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/found-footy/found-footy/internal/footy"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// A schedule's note has a seal: a hash over what the engine says it is. Who changes it otherwise (in Temporal's UI, with its command line)
// leaves the seal of the former, or none, so that the change is seen and undone. Workers with other settings seal anew, and do not undo
// each other's.
const sealNote = "made by footy, which undoes changes of others; seal "

func seal(s client.Schedule) string {
	if s.State != nil {
		state := *s.State
		state.Note = ""
		s.State = &state
	}
	b, err := json.Marshal(s)
	if err != nil {
		return "" // which no schedule has as its note
	}
	return sealNote + fmt.Sprintf("%x", sha256.Sum256(b))[:16]
}

func sealed(s client.Schedule) bool { return s.State != nil && s.State.Note == seal(s) }

// sealIt seals a schedule as it was made just now. A change by another program between the two is sealed with it; the next start of a
// worker undoes that.
func sealIt(ctx context.Context, c client.Client, id string) error {
	err := c.ScheduleClient().GetHandle(ctx, id).Update(ctx, client.ScheduleUpdateOptions{
		DoUpdate: func(in client.ScheduleUpdateInput) (*client.ScheduleUpdate, error) {
			s := in.Description.Schedule
			if s.State.Paused { // by an operator, whose note it is
				return nil, temporal.ErrSkipScheduleUpdate
			}
			s.State.Note = seal(s)
			return &client.ScheduleUpdate{Schedule: &s}, nil
		},
	})
	return footy.Wrap(footy.CodeUnavailable, "seal schedule "+id, err)
}

// Paused reports whether a schedule begins nothing, since someone paused it or let it act a number of times only.
func Paused(d *client.ScheduleDescription) bool {
	s := d.Schedule.State
	return s != nil && (s.Paused || s.LimitedActions && s.RemainingActions == 0)
}
