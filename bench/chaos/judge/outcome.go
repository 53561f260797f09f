// Package judge looks at the product from outside, through its API and its object store, and compares what it made of a day
// with what it made of the calm one.
package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Outcome is what the product shows of a day.
type Outcome struct {
	Fixtures map[int]Fixture `json:"fixtures"`
	Goals    map[string]Goal `json:"goals"`            // by match, scorer and score after it
	Strays   []string        `json:"strays,omitempty"` // posts of ours about no goal that stands
}

// Fixture is where a match ended.
type Fixture struct {
	Stage string `json:"stage"`
	Score string `json:"score"`
}

// Goal is a goal that stands.
type Goal struct {
	EventID  string `json:"event_id"`
	UID      string `json:"uid"` // names its directory in the object store
	Complete bool   `json:"complete"`
	// FirstSeen is when an answer of the feed had it first.
	FirstSeen time.Time `json:"first_seen"`
	Clips     []Clip    `json:"clips"` // in the order shown
	Posts     []Post    `json:"posts,omitempty"`
}

// Clip is a clip that people see. ID is its content's digest, so equal ones are equal files.
type Clip struct {
	ID         string `json:"id"`
	Verified   bool   `json:"verified"`
	Popularity int    `json:"popularity"`
	URL        string `json:"url"`
	Size       int64  `json:"size"`
}

// Site is where to look.
type Site struct {
	Page, S3, Key, Secret, Bucket string
}

type fixturesBody struct {
	Fixtures []struct {
		ID     int    `json:"id"`
		Stage  string `json:"stage"`
		Score  score  `json:"score"`
		Events []struct {
			ID         string `json:"id"`
			UID        string `json:"uid"`
			Kind       string `json:"kind"`
			ScoreAfter score  `json:"score_after"`
			Player     struct {
				Name string `json:"name"`
			} `json:"player"`
			CompletedAt time.Time `json:"completed_at"`
			FirstSeen   time.Time `json:"first_seen"`
			Clips       []Clip    `json:"clips"`
		} `json:"events"`
	} `json:"fixtures"`
}

type score struct {
	Home *int `json:"home"`
	Away *int `json:"away"`
}

func (s score) String() string {
	n := func(p *int) string {
		if p == nil {
			return "?"
		}
		return fmt.Sprint(*p)
	}
	return n(s.Home) + "-" + n(s.Away)
}

// Look asks the page what it shows.
func (s Site) Look(ctx context.Context) (Outcome, error) {
	o := Outcome{Fixtures: map[int]Fixture{}, Goals: map[string]Goal{}}
	var body fixturesBody
	if err := s.get(ctx, "/api/v1/fixtures?limit=500", &body); err != nil {
		return o, err
	}
	for _, f := range body.Fixtures {
		o.Fixtures[f.ID] = Fixture{f.Stage, f.Score.String()}
		for _, e := range f.Events {
			key := fmt.Sprintf("%d %s %s %s", f.ID, e.Kind, e.Player.Name, e.ScoreAfter)
			for n := 2; o.Goals[key].EventID != ""; n++ { // one goal listed twice is a difference, too
				key = fmt.Sprintf("%d %s %s %s, number %d", f.ID, e.Kind, e.Player.Name, e.ScoreAfter, n)
			}
			o.Goals[key] = Goal{e.ID, e.UID, !e.CompletedAt.IsZero(), e.FirstSeen, e.Clips, nil}
		}
	}
	return o, nil
}

// Settled reports whether nothing is under way any more, as far as the page knows.
func (o Outcome) Settled() bool {
	for _, f := range o.Fixtures {
		if f.Stage != "completed" {
			return false
		}
	}
	for _, g := range o.Goals {
		if !g.Complete {
			return false
		}
	}
	return len(o.Fixtures) > 0
}

// Clips counts what is shown.
func (o Outcome) Clips() (n int) {
	for _, g := range o.Goals {
		n += len(g.Clips)
	}
	return n
}

func (s Site) get(ctx context.Context, where string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Page+where, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 300)) // only for people
		return fmt.Errorf("%s answers %s: %s", where, res.Status, strings.TrimSpace(string(text)))
	}
	return json.NewDecoder(res.Body).Decode(into)
}

// Plays fetches the first byte of each clip that is shown and returns those that do not come, or have another length than announced.
func (s Site) Plays(ctx context.Context, o Outcome) []string {
	var out []string
	for key, g := range o.Goals {
		for _, c := range g.Clips {
			if err := s.plays(ctx, c); err != nil {
				out = append(out, fmt.Sprintf("%s: clip %s does not play: %v", key, c.ID, err))
			}
		}
	}
	slices.Sort(out)
	return out
}

func (s Site) plays(ctx context.Context, c Clip) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Page+c.URL, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	n, err := io.Copy(io.Discard, res.Body)
	switch {
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("the page answers %s", res.Status)
	case err != nil:
		return err
	case n != c.Size:
		return fmt.Errorf("%d bytes came, %d were promised", n, c.Size)
	}
	return nil
}
