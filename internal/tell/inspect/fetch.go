package inspect

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// FetchAnswer is whether the files of posts are fetched now, at each place where posts lie.
type FetchAnswer struct {
	At     time.Time  `json:"at"`
	Places []FetchNow `json:"places"`
}

// FetchNow is one place.
type FetchNow struct {
	Place    source.Place `json:"place"`
	Rests    bool         `json:"rests"` // posts wait there, but for one at a time
	Since    time.Time    `json:"since,omitzero"`
	NextTurn time.Time    `json:"next_turn,omitzero"` // when a post is let through
	Failed   int          `json:"failed"`             // different posts in a row that failed alike
	Of       int          `json:"of"`                 // with so many it rests
	Reason   footy.Reason `json:"reason,omitempty"`   // theirs
	LastOK   time.Time    `json:"last_ok,omitzero"`
}

// Fetch reads how the last fetches went. A place at which none was made yet is left out.
func Fetch(ctx context.Context, st Stored, r PostRules) (FetchAnswer, error) {
	out := FetchAnswer{At: r.Now.UTC(), Places: []FetchNow{}}
	for _, at := range source.Places {
		var h source.FetchHealth
		if err := st.State(ctx, at.FetchHealthKey(), &h); footy.IsNotFound(err) {
			continue
		} else if err != nil {
			return out, err
		}
		n := FetchNow{Place: at, Rests: fetchhealth.Resting(h), Since: h.RestingSince, Failed: len(h.Failed), Of: fetchhealth.Enough, Reason: h.Reason, LastOK: h.LastOK}
		if n.Rests {
			n.NextTurn = fetchhealth.NextTurn(h, r.Delays.TurnEvery(), r.Now)
		}
		out.Places = append(out.Places, n)
	}
	return out, nil
}

// String tells people, a place in one or two lines.
func (a FetchAnswer) String() string {
	if len(a.Places) == 0 {
		return "no post was fetched yet\n"
	}
	var b strings.Builder
	for _, p := range a.Places {
		switch {
		case p.Rests:
			fmt.Fprintf(&b, "%s: fetching rests since %s: %d different posts in a row failed alike (%s)\n  one post is let through at %s; the first that comes ends the rest\n",
				p.Place, clockText(p.Since), p.Of, explain.Reason(p.Reason), clockText(p.NextTurn))
		case p.Failed > 0:
			fmt.Fprintf(&b, "%s: posts are fetched; the last %d failed alike (%s), with %d it rests\n", p.Place, p.Failed, explain.Reason(p.Reason), p.Of)
		default:
			fmt.Fprintf(&b, "%s: posts are fetched\n", p.Place)
		}
		if !p.LastOK.IsZero() {
			fmt.Fprintf(&b, "  last fetched: %s\n", clockText(p.LastOK))
		}
	}
	return b.String()
}
