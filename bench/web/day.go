package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

// day is a full match day in a database that the page reads.
type day struct {
	store    store.Store
	date     string
	fixtures int
}

func newDay(ctx context.Context, dir string, fixtures int) (*day, error) {
	back, err := sqlite.Open(filepath.Join(dir, "footy.db"))
	if err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	noon := time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, time.UTC)
	d := &day{store: store.New(back), date: now.Format(time.DateOnly), fixtures: fixtures}
	for i := range fixtures {
		if err := d.store.Add(ctx, match(int64(7000+i), noon.Add(time.Duration(i%9)*15*time.Minute), i)); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func match(id int64, kickoff time.Time, i int) footy.Fixture {
	elapsed := 60
	f := footy.Fixture{ID: id, Stage: footy.StageActive,
		Match: footy.Match{ID: id, Kickoff: kickoff, Status: footy.Status{Code: "2H", Long: "Second Half", Elapsed: &elapsed}},
		Teams: footy.Teams{Home: footy.Team{ID: int64(1000 + i), Name: fmt.Sprintf("Home Town %d", i)}, Away: footy.Team{ID: int64(2000 + i), Name: fmt.Sprintf("Away City %d", i)}},
		Score: footy.ScoreOf(1, 1), League: footy.League{ID: int64(900 + i%12), Name: fmt.Sprintf("League %d", i%12), Country: "Somewhere"}}
	for n, who := range []string{"Some Body", "Any One"} {
		e := footy.Event{UID: fmt.Sprintf("%d-%d", id, n+1), ID: fmt.Sprintf("%d_%d_9_Goal_%d", id, 1000+i, n+1), Kind: footy.KindGoal, Type: "Goal", Detail: "Normal Goal",
			Minute: footy.Minute{Elapsed: 30 + 14*n}, Team: f.Teams.Home, Player: footy.Person{ID: 9, Name: who}, ScoreAfter: footy.ScoreOf(1, n),
			FirstSeen: kickoff.Add(30 * time.Minute), CertainAt: kickoff.Add(32 * time.Minute)}
		for c := range 2 - n {
			sum := sha256.Sum256(fmt.Appendf(nil, "%d/%d/%d", id, n, c))
			e.Clips = append(e.Clips, footy.Clip{ID: hex.EncodeToString(sum[:8]), Digest: hex.EncodeToString(sum[:]), Rank: c + 1, Verified: c == 0,
				Popularity: 3 - c, Duration: 12, Width: 1280, Height: 720, Size: 2 << 20, AddedAt: kickoff.Add(34 * time.Minute), Posts: []string{"1", "2", "3"}[:3-c]})
		}
		f.Events = append(f.Events, e)
	}
	return f
}

// change changes one match per beat and tells the page, until ctx ends; published is told each time just before.
func (d *day) change(ctx context.Context, p *page, beat time.Duration, published func()) error {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		id := int64(7000 + i%d.fixtures)
		if _, err := d.store.Update(context.WithoutCancel(ctx), id, func(f *footy.Fixture) ([]footy.Entry, error) {
			f.Score = footy.ScoreOf(1+i, 1)
			return nil, nil
		}); err != nil {
			return err
		}
		if published != nil {
			published()
		}
		if err := p.tell(context.WithoutCancel(ctx), id); err != nil {
			return err
		}
	}
}
