package inspect

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// ReelAnswer is what a reel would be made of now.
type ReelAnswer struct {
	Key     string        `json:"key"`   // names what is shown: the same key is the same film
	Title   [2]string     `json:"title"` // what it is of, and when
	Seconds float64       `json:"seconds"`
	Pieces  []ReelPiece   `json:"pieces"`
	LeftOut []ReelLeftOut `json:"left_out"`
}

// ReelPiece is one goal of it.
type ReelPiece struct {
	At      float64 `json:"at"` // seconds into the film
	Seconds float64 `json:"seconds"`
	Event   string  `json:"event_uid"`
	Clip    string  `json:"clip"`
	Who     string  `json:"who"`
	Score   string  `json:"score"`
}

// ReelLeftOut is a goal that is not in it.
type ReelLeftOut struct {
	reel.LeftOut
	Says string `json:"says"`
}

// Reel puts a plan into an answer.
func Reel(p reel.Plan) ReelAnswer {
	out := ReelAnswer{Key: p.Key, Title: p.Title, Seconds: seconds(p.Frames()), Pieces: []ReelPiece{}, LeftOut: []ReelLeftOut{}}
	at := p.Card
	for _, piece := range p.Pieces {
		out.Pieces = append(out.Pieces, ReelPiece{At: seconds(at), Seconds: seconds(piece.Frames), Event: piece.EventUID, Clip: piece.ClipID, Who: piece.Lines[0], Score: piece.Lines[1]})
		at += piece.Frames
	}
	for _, l := range p.LeftOut {
		out.LeftOut = append(out.LeftOut, ReelLeftOut{l, explain.LeftOut(l.Why)})
	}
	return out
}

func seconds(frames int) float64 { return rounded(reel.Length(frames).Seconds()) }

// String tells people, a goal a line.
func (a ReelAnswer) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", a.Title[0], a.Title[1])
	if len(a.Pieces) == 0 {
		b.WriteString("no reel: no goal has a verified clip\n")
	} else {
		fmt.Fprintf(&b, "%s, %s\n", explain.Plural(len(a.Pieces), "goal", "goals"), explain.Spoken(time.Duration(a.Seconds*float64(time.Second))))
	}
	for _, p := range a.Pieces {
		fmt.Fprintf(&b, "  at %.1f s for %.1f s: %s, %s (clip %s)\n", p.At, p.Seconds, p.Who, p.Score, p.Clip)
	}
	for _, l := range a.LeftOut {
		fmt.Fprintf(&b, "  left out: %s (%s)\n", l.Goal, l.Says)
	}
	return b.String()
}
