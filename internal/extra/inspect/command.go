// Package inspect runs one rule on a person's own input. Each question is a function that reads the input, asks the rule
// and returns its answer: one JSON value for programs, which says itself in plain lines for people (String).
package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/config/rules"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/state"
)

// Cmd is footy inspect.
type Cmd struct {
	Feed    feedCmd    `cmd:"" help:"Read a saved scoreboard of ESPN."`
	Replay  replayCmd  `cmd:"" help:"Run the match rules over recorded answers of the feed and report every decision."`
	Answers answersCmd `cmd:"" help:"Print what the feed said of a match, each answer that changed something: a file for replay."`
	Query   queryCmd   `cmd:"" help:"Show the searches a goal would get."`
	Clip    clipCmd    `cmd:"" help:"Rules about video files: facts, compare, dedup, clock, find."`
	Clock   clockCmd   `cmd:"" help:"Judge broadcast clocks read from frames (JSON on standard input)."`

	Timeline timelineCmd `cmd:"" help:"Read a saved search answer of X."`
	Title    titleCmd    `cmd:"" help:"Read the titles under which people post goals."`
	Host     hostCmd     `cmd:"" help:"Show where a host of clips keeps the file of a page, step by step."`
	Post     postCmd     `cmd:"" help:"Show what would happen to the posts of a goal now, and why."`
}

type feedCmd struct {
	ESPN string `name:"espn" required:"" help:"A saved scoreboard of ESPN." placeholder:"FILE"`
	command.Output
}

func (c feedCmd) Run() error { return c.Print(Scoreboard(c.ESPN)) }

type replayCmd struct {
	Paths []string      `arg:"" name:"file" help:"Recorded answers of the feed: files (one poll each, or .jsonl with one a line) or directories."`
	Trace int64         `help:"Only this fixture." placeholder:"FIXTURE"`
	Track []string      `help:"Kinds of events to follow: ${enum}." enum:"goal,red_card,yellow_card,var,penalty,missed_penalty" default:"goal"`
	Every time.Duration `help:"Time between two polls." default:"30s"`
	command.Output
}

// Run prints one decision a line.
func (r replayCmd) Run() error {
	if r.Every <= 0 {
		return footy.Errorf(footy.CodeInvalid, "", "--every=%s is no time between two polls; give a duration like 30s", r.Every)
	}
	votes, windows := rules.Match(config.Track{Kinds: r.Track, TimeScale: 1})
	return Replay(r.Paths, ReplayOptions{Trace: r.Trace, Every: r.Every, Rules: cycle.Rules{Votes: votes, Windows: windows}}, func(a fmt.Stringer) error { return r.Line(a) })
}

type answersCmd struct {
	Fixture int64 `arg:"" help:"The match's id."`
}

// Run reads the state beside what else uses it, and writes nothing.
func (c answersCmd) Run(ctx context.Context, settings config.Config) error {
	docs, err := state.OpenExistingStore(ctx, settings, "inspect")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // nothing was written
	return Answers(ctx, docs, c.Fixture, os.Stdout)
}

type queryCmd struct {
	Player string   `required:"" help:"Scorer."`
	Team   string   `required:"" help:"Team that profits."`
	Alias  []string `help:"Words people use for the team, in place of what is known." placeholder:"WORD"`
	Kind   string   `help:"What happened: ${enum}." enum:"goal,red_card,yellow_card,var,missed_penalty" default:"goal"`
	command.Output
}

func (q queryCmd) Run() error {
	kind, _ := footy.KindNamed(q.Kind)
	return q.Print(Query(q.Player, q.Team, q.Alias, kind))
}

type clockCmd struct {
	Elapsed   int      `help:"The feed's minute; without it, or with -1, the feed gave none." default:"-1"`
	Extra     int      `help:"The feed's minute of stoppage time."`
	Tolerance int      `help:"Minutes a clock may differ." default:"3"`
	Sibling   []string `help:"The feed's minute of another goal of the match (67 or 45+2)." placeholder:"MINUTE"`
	More      []string `arg:"" optional:"" name:"minute" help:"Further minutes for --sibling."`
	command.Output
}

// Run reads frames as JSON from standard input.
func (c clockCmd) Run() error {
	q := clock.Question{Tolerance: c.Tolerance, Minute: footy.Minute{Elapsed: c.Elapsed, Extra: c.Extra}}
	for _, s := range append(c.Sibling, c.More...) {
		m, err := ParseMinute(s)
		if err != nil {
			return err
		}
		q.Siblings = append(q.Siblings, clock.Sibling{UID: s, Minute: m})
	}
	answer, err := Clock(os.Stdin, q)
	for _, field := range answer.Ignored {
		fmt.Fprintf(os.Stderr, "note: %s is not read, only frames is; the minute of the goal, its siblings and the tolerance are flags, see footy inspect clock --help\n", field)
	}
	return c.Print(answer, err)
}

type timelineCmd struct {
	File string `arg:"" help:"A saved answer: SearchTimeline of the web page, or recent search of API v2."`
	command.Output
}

func (c timelineCmd) Run() error {
	a, err := Timeline(c.File)
	if err == nil {
		err = c.Line(a.Remark)
	}
	return c.Print(a, err)
}

type hostCmd struct {
	URL  string `arg:"" name:"url" help:"Address of the page."`
	Page string `help:"A file with the host's answer; without it the host is asked." placeholder:"FILE"`
	command.Output
}

// Run reads the built-in table and hosts.json in STATE_DIR, as far as the settings can be read.
func (c hostCmd) Run(ctx context.Context) error {
	settings, _ := config.Load()
	table, err := hosts.Load(settings.State.Dir)
	if err != nil {
		return err
	}
	return c.Print(Host(table, c.URL, c.Page, hosts.Asker(ctx, httpx.Options{DenyPrivate: !settings.Media.AllowPrivate, Instead: settings.Reddit.HostsURL, Referer: hosts.Site(c.URL)})))
}

type titleCmd struct {
	Titles []string `arg:"" optional:"" name:"title" help:"Titles of posts, each in quotes."`
	Day    string   `help:"A file of a day's matches and posts: show which goal each post names, and why." placeholder:"FILE"`
	command.Output
}

// Run prints one title a line, or the answer for a day.
func (c titleCmd) Run() error {
	if (c.Day == "") == (len(c.Titles) == 0) {
		return footy.Errorf(footy.CodeInvalid, "", "give titles, each in quotes, or --day FILE")
	}
	if c.Day != "" {
		return c.Print(Day(c.Day))
	}
	for _, text := range c.Titles {
		a := Title(text)
		if err := errors.Join(c.Line(a), c.Line(a.Because)); err != nil {
			return err
		}
	}
	return nil
}

type clipCmd struct {
	Facts   clipFactsCmd   `cmd:"" default:"withargs" help:"Probe files, run the gate, fingerprint them."`
	Compare clipCompareCmd `cmd:"" help:"Tell whether two files show the same footage."`
	Dedup   clipDedupCmd   `cmd:"" help:"Group the files of a directory as if all were clips of one goal."`
	Clock   clipClockCmd   `cmd:"" help:"Read the running clock of the broadcast, without a model."`
	Find    clipFindCmd    `cmd:"" help:"Look for the footage of a file in directories."`
}

// clipRules goes by what can be read of the settings: where the programs are. Broken ones are no reason not to look at a file.
func clipRules() Clips {
	c, _ := config.Load()
	return Clips{Media: media.New(media.Options{FFmpeg: c.Program.FFmpeg, FFprobe: c.Program.FFprobe})}
}

type clipFactsCmd struct {
	Files []string `arg:"" name:"file" help:"Video files."`
	Text  bool     `help:"Print each fingerprint in its dense: form."`
	command.Output
}

// Run prints one answer for one file, a list for several.
func (c clipFactsCmd) Run(ctx context.Context) error {
	all := []ClipFacts{}
	var problems []string // one bad file does not keep the others from being reported
	for _, f := range c.Files {
		facts, err := clipRules().Facts(ctx, f, c.Text)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			problems = append(problems, footy.UserMessage(err))
		}
		if facts.Gate != "" { // else it could not even be read
			all = append(all, facts)
		}
	}
	var answer any = all
	if len(all) == 1 {
		answer = all[0]
	}
	err := c.Print(answer, nil)
	if err == nil && len(problems) > 0 {
		err = errors.New(strings.Join(problems, "\nfooty: "))
	}
	return err
}

type clipCompareCmd struct {
	A string `arg:"" help:"One video file."`
	B string `arg:"" help:"Another."`
	command.Output
}

func (c clipCompareCmd) Run(ctx context.Context) error {
	return c.Print(clipRules().Compare(ctx, c.A, c.B))
}

type clipDedupCmd struct {
	Dir string `arg:"" help:"Directory of video files."`
	command.Output
}

func (c clipDedupCmd) Run(ctx context.Context) error { return c.Print(clipRules().Dedup(ctx, c.Dir)) }

type clipClockCmd struct {
	Files   []string `arg:"" name:"file" help:"Video files."`
	Explain string   `help:"Write pictures of what was looked at into this directory." placeholder:"DIR"`
	command.Output
}

// Run prints one clip a line, and ends with 1 where one of them could not be looked at.
func (c clipClockCmd) Run(ctx context.Context) error {
	failed := false
	for _, f := range c.Files {
		answer, err := clipRules().Clock(ctx, f, c.Explain)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			err = c.Line(answer)
		}
		if err != nil {
			return err
		}
		failed = failed || answer.Error != ""
	}
	return command.ExitIf(failed)
}

type clipFindCmd struct {
	File string   `arg:"" help:"A video file, or a file with a fingerprint in its dense: form."`
	In   []string `help:"Directory of video files." placeholder:"DIR"`
	More []string `arg:"" optional:"" name:"dir" help:"More directories."`
	command.Output
}

func (c clipFindCmd) Run(ctx context.Context) error {
	if len(c.In)+len(c.More) == 0 {
		return errors.New("say where to look: --in DIR")
	}
	return c.Print(clipRules().Find(ctx, c.File, append(c.In, c.More...)))
}

type postCmd struct {
	Event string    `arg:"" name:"event" help:"The goal: the address of its page, or its id."`
	Post  string    `arg:"" optional:"" name:"post" help:"One post, with all that can happen to it; none: all posts of the goal."`
	At    time.Time `help:"When it shall hold, like 2026-11-14T16:30:00Z (default: now)." placeholder:"TIME"`
	command.Output
}

// Run goes by the settings: how long pauses are, and whether there is a model. It reads the state beside what else uses it, and writes
// nothing.
func (c postCmd) Run(ctx context.Context, settings config.Config) error {
	docs, err := state.OpenExistingStore(ctx, settings, "inspect")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // nothing was written
	goal, err := FindGoal(ctx, docs, c.Event)
	if err != nil {
		return err
	}
	_, delays := rules.Posts(settings.Track)
	r := PostRules{Delays: delays, Now: cmp.Or(c.At, time.Now()).UTC()}
	if settings.Model.URL == "" || !settings.Media.ByModel() {
		r.NoModel = footy.ReasonNoModel
	}
	return c.Print(Post(ctx, docs, goal, c.Post, r))
}

// Extra is what inspect adds.
func Extra() port.Extra {
	return port.Extra{Name: "inspect", Commands: []port.Command{{Name: "inspect", Help: "Run one rule on your own input and explain the answer.", Run: &Cmd{}}}}
}
