package inspect

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/footy"
)

// TimelineAnswer is what a saved search answer says. Its JSON is an agreed shape; the rest is for people.
type TimelineAnswer struct {
	State      source.State      `json:"state"`
	Candidates []searchapi.Video `json:"candidates"`
	Detail     string            `json:"-"`
	Posts      int               `json:"-"`
	Promoted   int               `json:"-"`
	Drift      []string          `json:"-"` // departures from the known shape
}

// Timeline reads a saved SearchTimeline or API v2 answer.
func Timeline(file string) (TimelineAnswer, error) {
	raw, err := readFile(file)
	if err != nil {
		return TimelineAnswer{}, err
	}
	p, err := timeline.Decode(raw)
	if err != nil {
		return TimelineAnswer{}, footy.Errorf(footy.CodeInvalid, "read "+file, "%w", err)
	}
	a := TimelineAnswer{State: p.State, Detail: p.Detail, Candidates: []searchapi.Video{}, Posts: p.Seen.Posts,
		Promoted: p.Seen.Promoted}
	for _, c := range p.Candidates {
		a.Candidates = append(a.Candidates, searchapi.NewVideo(c))
	}
	if p.Seen.Posts > 0 {
		a.Drift = timeline.Drift(p)
	}
	return a, nil
}

// String explains the answer to people.
func (a TimelineAnswer) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d posts, %d with a video", a.State, a.Posts, len(a.Candidates))
	if a.Promoted > 0 {
		fmt.Fprintf(&b, ", %d promoted posts left out", a.Promoted)
	}
	if a.Detail != "" {
		fmt.Fprintf(&b, " (%s)", a.Detail)
	}
	b.WriteString("\n")
	for _, v := range a.Candidates {
		length := "unknown length"
		if v.DurationMS != nil {
			length = (time.Duration(*v.DurationMS) * time.Millisecond).String()
		}
		quoted := ""
		if v.Quoted {
			quoted = ", found in a post that quotes it"
		}
		fmt.Fprintf(&b, "  %s @%s %s, %s, %dx%d%s: %.60q\n", v.ID, v.Author, v.PostedAt.Format(time.RFC3339), length, v.Width, v.Height, quoted, v.Text)
	}
	for _, d := range a.Drift {
		fmt.Fprintf(&b, "  unlike a search for videos as known: %s\n", d)
	}
	return b.String()
}
