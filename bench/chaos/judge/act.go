package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// actWithin is how long an operator tries: the page may die under the first attempts.
const actWithin = time.Minute

// Act does what an operator does at the page, again and again until it is accepted, or refused because it is so already.
func (s Site) Act(ctx context.Context, token, event, action, clip string) error {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for until := time.Now().Add(actWithin); ; {
		status, text, err := s.act(ctx, token, event, action, clip)
		if err == nil && (status == http.StatusAccepted || status == http.StatusConflict) {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("%s of %s %s: the page answers %d %s (%w)", action, event, clip, status, text, err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}

func (s Site) act(ctx context.Context, token, event, action, clip string) (status int, text string, err error) {
	in := map[string]string{}
	if clip != "" {
		in = map[string]string{"clip_id": clip, "reason": "asked by who holds the rights"}
	}
	body, err := json.Marshal(in)
	if err != nil {
		return 0, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Page+"/api/v1/events/"+url.PathEscape(event)+"/actions/"+action, bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, 500))
	return res.StatusCode, strings.TrimSpace(string(b)), err
}
