package trial

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

const glanceTime = 40 * time.Second

// Glance shows the model one drawn picture, for somebody who has just set its address: does it see, and read a large clock? An error
// is the caller's end, or ours.
func Glance(ctx context.Context, r validate.Reader) (health.Part, error) {
	part := health.Part{Name: health.Model, State: health.StateDown}
	one := scenes(0)[0]
	q, err := newQuestion([]scene{one}, scene.drawn)
	if err != nil {
		return part, err
	}
	limited, cancel := context.WithTimeout(ctx, glanceTime)
	defer cancel()
	read, err := r.Read(limited, q.frames, nil)
	switch {
	case ctx.Err() != nil:
		return part, ctx.Err()
	case err != nil && limited.Err() != nil:
		part.State, part.Reason = health.StateDegraded, fmt.Sprintf("It was shown a drawn picture and has not answered within %s.", explain.Span(glanceTime))
		part.Remedy = "It may still be loading. footy doctor --model waits for that, and says how fast it is."
	case err != nil:
		t := health.ModelTest{Trouble: footy.ReasonOf(err), Detail: footy.RootCause(err)}
		part.Reason, part.Remedy = t.Verdict(), t.Remedy()
	case !read[0].Soccer:
		part.State, part.Reason = health.StateDegraded, "It was shown a drawn picture of a match and says that this is no football."
		part.Remedy = "footy doctor --model shows it twenty and says whether it sees pictures at all."
	case read[0].Clock != one.clock():
		part.State = health.StateDegraded
		part.Reason = fmt.Sprintf("It was shown a drawn clock at %s and read %q.", one.clock(), read[0].Clock)
		part.Remedy = "footy doctor --model shows it twenty pictures and says how well it reads them."
	default:
		part.State, part.Reason = health.StateOK, fmt.Sprintf("It was shown a drawn picture of a match and read its clock: %s.", one.clock())
	}
	return part, nil
}
