package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/inspect"
	"github.com/found-footy/found-footy/internal/media"
	"github.com/found-footy/found-footy/internal/rule/clock"
	"github.com/found-footy/found-footy/internal/state"
	"github.com/found-footy/found-footy/internal/validate/gate"
)

type inspectClipCmd struct {
	Facts   clipFactsCmd   `cmd:"" default:"withargs" help:"Probe files, run the gate, fingerprint them."`
	Compare clipCompareCmd `cmd:"" help:"Tell whether two files show the same footage."`
	Dedup   clipDedupCmd   `cmd:"" help:"Group the files of a directory as if all were clips of one goal."`
	Clock   clipClockCmd   `cmd:"" help:"Read the running clock of the broadcast, without a model."`
	Find    clipFindCmd    `cmd:"" help:"Look for the footage of a file in directories or among the clips kept so far."`
}

type clipFactsCmd struct {
	Files []string `arg:"" name:"file" help:"Video files."`
	Text  bool     `help:"Print each fingerprint in its dense: form."`
	JSON  bool     `help:"Print JSON."`
}

func (c clipFactsCmd) Run(ctx context.Context) error {
	clips, err := clipRules()
	if err != nil {
		return err
	}
	all := make([]inspect.ClipFacts, 0, len(c.Files))
	var problems []string // one bad file does not keep the others from being told
	for _, f := range c.Files {
		facts, err := clips.Facts(ctx, f, c.Text)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			problems = append(problems, footy.UserMessage(err))
		}
		if facts.Gate == "" {
			continue // could not even be read
		}
		all = append(all, facts)
		if !c.JSON {
			fmt.Print(facts)
		}
	}
	var written error
	switch {
	case !c.JSON:
	case len(all) == 1:
		written = printAnswer(true, all[0])
	default:
		written = printAnswer(true, all)
	}
	if written == nil && len(problems) > 0 {
		written = errors.New(strings.Join(problems, "\nfooty: "))
	}
	return written
}

type clipCompareCmd struct {
	A    string `arg:"" help:"One video file."`
	B    string `arg:"" help:"Another."`
	JSON bool   `help:"Print JSON."`
}

func (c clipCompareCmd) Run(ctx context.Context) error {
	clips, err := clipRules()
	if err != nil {
		return err
	}
	answer, err := clips.Compare(ctx, c.A, c.B)
	if err != nil {
		return err
	}
	return printAnswer(c.JSON, answer)
}

type clipDedupCmd struct {
	Dir  string `arg:"" help:"Directory of video files."`
	JSON bool   `help:"Print JSON."`
}

func (c clipDedupCmd) Run(ctx context.Context) error {
	clips, err := clipRules()
	if err != nil {
		return err
	}
	answer, err := clips.Dedup(ctx, c.Dir)
	if err != nil {
		return err
	}
	return printAnswer(c.JSON, answer)
}

type clipClockCmd struct {
	Files   []string `arg:"" name:"file" help:"Video files."`
	JSON    bool     `help:"Print JSON, one clip a line."`
	Explain string   `help:"Write pictures of what was looked at into this directory." placeholder:"DIR"`
}

func (c clipClockCmd) Run(ctx context.Context) error {
	clips, err := clipRules()
	if err != nil {
		return err
	}
	failed := false // one bad file does not keep the others from being read
	for _, f := range c.Files {
		answer, err := clips.Clock(ctx, f, c.Explain)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		failed = failed || answer.Error != ""
		if !c.JSON {
			fmt.Print(answer)
			continue
		}
		line, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		fmt.Println(string(line))
	}
	if failed {
		return exit(1)
	}
	return nil
}

type clipFindCmd struct {
	File    string   `arg:"" help:"A video file, or a file with a fingerprint in its dense: form."`
	In      []string `help:"Directory of video files." placeholder:"DIR"`
	More    []string `arg:"" optional:"" name:"dir" help:"More directories."`
	Archive bool     `help:"Also among the clips in STATE_DIR (or the database that is set)."`
	JSON    bool     `help:"Print JSON."`
}

func (c clipFindCmd) Run(ctx context.Context) error {
	if len(c.In)+len(c.More) == 0 && !c.Archive {
		return errors.New("say where to look: --in DIR, --archive, or both")
	}
	clips, err := clipRules()
	if err != nil {
		return err
	}
	var kept []inspect.Kept
	if c.Archive {
		settings, err := loadSettings()
		if err != nil {
			return err
		}
		docs, err := state.OpenStore(ctx, settings)
		if err != nil {
			return err
		}
		defer docs.Close() //nolint:errcheck // nothing was written
		if kept, err = inspect.Archive(ctx, docs); err != nil {
			return err
		}
	}
	answer, err := clips.Find(ctx, c.File, append(c.In, c.More...), kept)
	if err != nil {
		return err
	}
	return printAnswer(c.JSON, answer)
}

type inspectClockCmd struct {
	Elapsed   int      `help:"The feed's minute; without it, or with -1, the feed gave none." default:"-1"`
	Extra     int      `help:"The feed's minute of stoppage time."`
	Tolerance int      `help:"Minutes a clock may differ." default:"3"`
	Sibling   []string `help:"The feed's minute of another goal of the match (67 or 45+2)." placeholder:"MINUTE"`
	More      []string `arg:"" optional:"" name:"minute" help:"Further minutes for --sibling."`
	JSON      bool     `help:"Print JSON."`
}

// Run reads frames as JSON from standard input.
func (c inspectClockCmd) Run() error {
	q := clock.Question{Tolerance: c.Tolerance, Minute: footy.Minute{Elapsed: c.Elapsed, Extra: c.Extra}}
	for _, s := range append(c.Sibling, c.More...) {
		m, err := inspect.ParseMinute(s)
		if err != nil {
			return err
		}
		q.Siblings = append(q.Siblings, clock.Sibling{UID: s, Minute: m})
	}
	answer, err := inspect.Clock(os.Stdin, q)
	if err != nil {
		return err
	}
	for _, field := range answer.Ignored {
		fmt.Fprintf(os.Stderr, "note: %s is not read, only frames is; the minute of the goal, its siblings and the tolerance are flags, see footy inspect clock --help\n", field)
	}
	return printAnswer(c.JSON, answer)
}

// clipRules applies the settings a pipeline would.
func clipRules() (inspect.Clips, error) {
	c, err := loadSettings()
	if err != nil {
		return inspect.Clips{}, err
	}
	gates := gate.Defaults()
	gates.MinDuration, gates.MaxDuration, gates.MinAspect = c.Media.MinDuration.Seconds(), c.Media.MaxDuration.Seconds(), c.Media.MinAspect
	return inspect.Clips{Media: media.New(media.Options{FFmpeg: c.Program.FFmpeg, FFprobe: c.Program.FFprobe}), Gate: gates}, nil
}

// printAnswer prints an answer for people or for programs.
func printAnswer(asJSON bool, answer any) error {
	if !asJSON {
		_, err := fmt.Print(answer)
		return err
	}
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(answer)
}
