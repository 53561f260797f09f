package inspect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/rank"
	"github.com/found-footy/found-footy/internal/footy"
)

// RankAnswer is the order in which people see the clips of a goal, and why.
type RankAnswer struct {
	OfGoal
	Clips []RankedClip `json:"clips"`
}

// RankedClip is one clip with what its place depends on, in the order of the rule.
type RankedClip struct {
	ID         string         `json:"id"`
	Rank       int            `json:"rank"` // 0: nobody sees it
	Stored     int            `json:"stored_rank"`
	Visible    bool           `json:"visible"`
	Pinned     bool           `json:"pinned"`
	Verified   bool           `json:"verified"`
	Popularity int            `json:"popularity"`
	Size       int64          `json:"size"`
	Digest     string         `json:"digest"`
	ReplacedBy string         `json:"replaced_by,omitempty"`
	Before     rank.Criterion `json:"before_next_by,omitempty"` // what puts it before the next one; "" where people see no other
}

// Rank orders the clips of a goal anew.
func Rank(g Goal, now time.Time) RankAnswer {
	out := RankAnswer{OfGoal: g.of(now), Clips: []RankedClip{}}
	e := footy.Event{Clips: slices.Clone(g.Event.Clips)}
	rank.Apply(&e)
	for i, c := range e.Clips {
		r := RankedClip{ID: c.ID, Rank: c.Rank, Stored: g.Event.Clip(c.ID).Rank, Visible: c.Visible(), Pinned: c.Pinned, Verified: c.Verified, Popularity: c.Popularity,
			Size: c.Size, Digest: c.Digest, ReplacedBy: c.ReplacedBy}
		if i+1 < len(e.Clips) && e.Clips[i+1].Visible() {
			_, r.Before = rank.Decides(c, e.Clips[i+1])
		}
		out.Clips = append(out.Clips, r)
	}
	return out
}

// String tells people, a clip a line.
func (a RankAnswer) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", a.Goal)
	if len(a.Clips) == 0 {
		b.WriteString("it has no clip\n")
	}
	for _, c := range a.Clips {
		place := fmt.Sprintf("%d.", c.Rank)
		switch {
		case c.ReplacedBy != "":
			place = "- (" + c.ReplacedBy + " stands for it)"
		case !c.Visible:
			place = "- (hidden)"
		}
		fmt.Fprintf(&b, "%s %s: %s, popularity %d, %d bytes", place, c.ID, verified(c.Verified), c.Popularity, c.Size)
		if c.Pinned {
			b.WriteString(", pinned")
		}
		if c.Before != "" {
			fmt.Fprintf(&b, "; before the next by %s", c.Before)
		}
		if c.Stored != c.Rank {
			fmt.Fprintf(&b, "; stored as %d, which footy audit --repair puts right", c.Stored)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func verified(is bool) string {
	if is {
		return "verified"
	}
	return "unverified"
}
