package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/alecthomas/kong"
	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/pipeline/reels"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// reelScope is what a reel is of.
type reelScope struct {
	Match  int64         `help:"Id of a match: the number behind #f- in the day page's addresses." placeholder:"ID"`
	Team   string        `help:"The goals that a team scored on a day: its id, or its name." placeholder:"TEAM"`
	League string        `help:"The goals of a competition on a day: its id, its name, or Country/Name." placeholder:"LEAGUE"`
	Day    string        `help:"The day, like 2026-11-14 (default: today). Alone: all goals of the day." placeholder:"DATE"`
	TZ     string        `help:"The time zone that the day is in." default:"UTC" name:"tz"`
	Length time.Duration `help:"How long it may be, like 90s: 10s to 20m (default: up to 20 s of each goal)."`
}

func (r reelScope) request() app.ReelRequest {
	return app.ReelRequest{Match: r.Match, Team: r.Team, League: r.League, Day: r.Day, Zone: r.TZ, Length: r.Length}
}

type reelCmd struct {
	reelScope
	Out string `help:"Where to write the MP4 file; one that is there is replaced." short:"o" name:"out" required:"" placeholder:"FILE"`
}

// Help says what it needs.
func (reelCmd) Help() string {
	return "Makes one film of the best verified clip of each goal that stands: one size and frame rate, loudness levelled (EBU R 128, -16 LUFS), a title, the scorer and the " +
		"score written under each goal, chapters. It needs the state (STATE_DIR) and ffmpeg, no engine; what was made is kept there as the page's reels are. " +
		"Ends with 1 where there is no goal to show."
}

// Run makes it in this process.
func (r reelCmd) Run(ctx context.Context, cfg config.Config) error {
	out := kong.ExpandPath(r.Out)
	made, err := app.MakeReel(ctx, cfg, r.request(), out,
		func(p reels.Progress) { fmt.Fprintf(os.Stderr, "%d of %d clips\n", p.Done, p.Of) })
	if err != nil {
		return err
	}
	fmt.Printf("%s: %s, %s, %s, %s\n", out, made.Plan.Title[0], explain.Plural(len(made.Plan.Pieces), "goal", "goals"), explain.Spoken(reel.Length(made.Plan.Frames()).Round(time.Second)), explain.Size(made.Size))
	for _, l := range made.Plan.LeftOut {
		fmt.Printf("left out: %s (%s)\n", l.Goal, explain.LeftOut(l.Why))
	}
	return nil
}
