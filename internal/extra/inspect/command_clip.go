package inspect

import (
	"context"
	"errors"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/validate/gate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port/command"
)

type clipCmd struct {
	Facts   clipFactsCmd   `cmd:"" default:"withargs" help:"Probe files, run the gate, fingerprint them."`
	Compare clipCompareCmd `cmd:"" help:"Tell whether two files show the same footage."`
	Dedup   clipDedupCmd   `cmd:"" help:"Group the files of a directory as if all were clips of one goal."`
	Clock   clipClockCmd   `cmd:"" help:"Read the running clock of the broadcast, without a model."`
	Find    clipFindCmd    `cmd:"" help:"Look for the footage of a file in directories or among the clips kept so far."`
}

// clipRules applies the settings that a pipeline would.
func clipRules(c config.Config) Clips {
	return Clips{Media: media.New(media.Options{FFmpeg: c.Program.FFmpeg, FFprobe: c.Program.FFprobe}), Gate: gate.Defaults()}
}

type clipFactsCmd struct {
	Files []string `arg:"" name:"file" help:"Video files."`
	Text  bool     `help:"Print each fingerprint in its dense: form."`
	command.Output
}

// Run prints one object for one file, a list for several.
func (c clipFactsCmd) Run(ctx context.Context, settings config.Config) error {
	all := []ClipFacts{}
	var problems []string // one bad file does not keep the others from being reported
	for _, f := range c.Files {
		facts, err := clipRules(settings).Facts(ctx, f, c.Text)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			problems = append(problems, footy.UserMessage(err))
		}
		if facts.Gate == "" {
			continue // could not even be read
		}
		if all = append(all, facts); !c.JSON {
			if err := c.Line(facts); err != nil {
				return err
			}
		}
	}
	var err error
	switch {
	case !c.JSON:
	case len(all) == 1:
		err = c.Print(all[0], nil)
	default:
		err = c.Print(all, nil)
	}
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

func (c clipCompareCmd) Run(ctx context.Context, settings config.Config) error {
	return c.Print(clipRules(settings).Compare(ctx, c.A, c.B))
}

type clipDedupCmd struct {
	Dir string `arg:"" help:"Directory of video files."`
	command.Output
}

func (c clipDedupCmd) Run(ctx context.Context, settings config.Config) error {
	return c.Print(clipRules(settings).Dedup(ctx, c.Dir))
}

type clipClockCmd struct {
	Files   []string `arg:"" name:"file" help:"Video files."`
	Explain string   `help:"Write pictures of what was looked at into this directory." placeholder:"DIR"`
	command.Output
}

// Run prints one clip a line, and ends with 1 where one of them could not be looked at.
func (c clipClockCmd) Run(ctx context.Context, settings config.Config) error {
	failed := false
	for _, f := range c.Files {
		answer, err := clipRules(settings).Clock(ctx, f, c.Explain)
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

func (c clipFindCmd) Run(ctx context.Context, settings config.Config) error {
	if len(c.In)+len(c.More) == 0 {
		return errors.New("say where to look: --in DIR")
	}
	return c.Print(clipRules(settings).Find(ctx, c.File, append(c.In, c.More...)))
}
