package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// row is a row of the product's own log.
type row struct {
	At     time.Time       `json:"at"`
	Kind   string          `json:"kind"`
	Reason string          `json:"reason"`
	Text   string          `json:"text"`
	PostID string          `json:"post_id"`
	Data   json.RawMessage `json:"data"`
}

func (s Site) timeline(ctx context.Context, eventID string) ([]row, error) {
	var body struct {
		Timeline []row `json:"timeline"`
	}
	err := s.get(ctx, "/api/v1/events/"+url.PathEscape(eventID), &body)
	return body.Timeline, err
}

// Story is what the product's log says of a goal: every row about one of its posts or about its searches, a line each.
func (s Site) Story(ctx context.Context, eventID string, since time.Time, name func(post string) string) ([]string, error) {
	rows, err := s.timeline(ctx, eventID)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range rows {
		if r.PostID == "" && (r.Kind == "sighting" || strings.HasPrefix(r.Kind, "poll_")) {
			continue
		}
		post := ""
		if r.PostID != "" {
			post = "[" + name(r.PostID) + "] "
		}
		reason := ""
		if r.Reason != "" {
			reason = " (" + r.Reason + ")"
		}
		out = append(out, fmt.Sprintf("%6.1f s  %-10s %s%s%s", r.At.Sub(since).Seconds(), r.Kind, post, r.Text, reason))
	}
	return out, nil
}
