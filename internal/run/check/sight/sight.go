// Package sight shows a vision model four stored pictures: whether it reads them right, and how long that took.
package sight

import (
	"context"
	_ "embed" // of the pictures
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

var (
	//go:embed stand.jpg
	dark []byte
	//go:embed light.jpg
	light []byte
	//go:embed phone.jpg
	phone []byte
	//go:embed studio.jpg
	studio []byte
)

// picture is one that was drawn, with what is right about it.
type picture struct {
	jpeg           []byte
	clock          string // "" = what it shows tells football from the rest
	screen, soccer bool
}

func pictures() []picture {
	return []picture{
		{jpeg: dark, clock: "67:42", soccer: true}, {jpeg: light, clock: "8:05", soccer: true},
		{jpeg: phone, screen: true, soccer: true}, {jpeg: studio},
	}
}

// Look shows the pictures in one question, and waits for a model that is loading, both within the limit. An error is the caller's end.
func Look(ctx context.Context, r validate.Reader, limit time.Duration) (health.Part, error) {
	part := health.Part{Name: health.Model, State: health.StateDown}
	var frames []validate.Frame
	for i, p := range pictures() {
		frames = append(frames, validate.Frame{At: float64(2*i + 1), JPEG: p.jpeg})
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	read, err := r.Read(limited, frames)
	took := time.Since(began).Seconds()
	switch what, remedy, known := health.ModelTrouble(footy.ReasonOf(err)); {
	case ctx.Err() != nil:
		return part, ctx.Err()
	case err != nil && limited.Err() != nil:
		part.State, part.Reason = health.StateDegraded, fmt.Sprintf("it was shown four pictures and has not answered within %s", explain.Span(limit))
		part.Remedy = "It may still be loading, or be slow: footy doctor --model waits longer."
		return part, nil
	case known:
		part.Reason, part.Remedy = strings.TrimRight(what+": "+footy.RootCause(err), ". "), remedy
		return part, nil
	case err != nil:
		part.Reason = footy.UserMessage(err)
		return part, nil
	}
	right, clocks, misses := 0, 0, []string(nil)
	for i, p := range pictures() {
		if miss := p.miss(read[i]); miss != "" {
			misses = append(misses, miss)
			continue
		}
		if right++; p.clock != "" {
			clocks++
		}
	}
	part.State, part.Reason = health.StateOK, fmt.Sprintf("it reads %d of four pictures right, in %.1f s", right, took)
	part.Facts = map[string]any{"model": r.Name(), "pictures": len(read), "pictures_right": right, "took_seconds": took}
	if len(misses) > 0 {
		part.State, part.Reason = health.StateDegraded, part.Reason+": "+strings.Join(misses, "; ")
		part.Remedy = "Take a larger model. MODEL_FRAME_LINES says how large it sees clocks."
	}
	switch {
	case clocks > 0:
	case read[3].Soccer || !read[0].Soccer: // as a model answers that is given no pictures
		part.State = health.StateDown
		_, part.Remedy, _ = health.ModelTrouble(footy.ReasonModelBlind)
	default:
		part.State = health.StateDown
	}
	return part, nil
}

// miss says what is wrong with a reading; "" if nothing is.
func (p picture) miss(r footy.Reading) string {
	read := strings.TrimLeft(strings.ReplaceAll(r.Clock, " ", ""), "0")
	switch {
	case p.clock != "" && read == "":
		return "no clock read where it shows " + p.clock
	case p.clock != "" && read != p.clock:
		return p.clock + " read as " + r.Clock
	case p.screen && !r.Screen:
		return "a phone filming a screen was taken for a broadcast"
	case !p.soccer && r.Soccer:
		return "a studio was taken for football"
	}
	return ""
}
