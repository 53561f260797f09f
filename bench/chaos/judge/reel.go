package judge

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Reel asks for the reel of a match, as a viewer does, until it is made and plays, or ctx ends. It returns what it shows.
func (s Site) Reel(ctx context.Context, match int) (shows string, err error) {
	where := fmt.Sprintf("/reel/match/%d", match)
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for {
		var r struct {
			State    string `json:"state"`
			Film     string `json:"film_url"`
			Size     int64  `json:"size"`
			Chapters []struct {
				Start  float64 `json:"start"`
				Title  string  `json:"title"`
				ClipID string  `json:"clip_id"`
			} `json:"chapters"`
		}
		err := s.get(ctx, strings.Replace(where, "/reel/", "/api/v1/reels/", 1), &r)
		switch {
		case err != nil:
		case r.State == "made":
			if err = s.plays(ctx, Clip{URL: r.Film, Size: r.Size}); err == nil {
				return fmt.Sprint(r.Chapters), nil
			}
		case r.State == "none" || r.State == "failed":
			err = s.order(ctx, where)
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("the reel of match %d is %q: %w", match, r.State, cmp.Or(err, ctx.Err()))
		case <-tick.C:
		}
	}
}

func (s Site) order(ctx context.Context, where string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Page+where, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the page answers %s to who orders a reel", res.Status)
	}
	return nil
}
