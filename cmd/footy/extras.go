package main

import (
	"github.com/alecthomas/kong"

	"github.com/found-footy/found-footy/internal/extra/alert"
	"github.com/found-footy/found-footy/internal/extra/archive"
	"github.com/found-footy/found-footy/internal/extra/audit"
	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/extra/demo"
	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/internal/extra/posting"
	"github.com/found-footy/found-footy/internal/extra/push"
	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/extra/scaler"
	"github.com/found-footy/found-footy/internal/extra/setup"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
)

// extras are the parts that the product does without. Each is a folder in internal/extra and two lines here.
var extras = []port.Extra{
	alert.Extra(),
	archive.Extra(),
	audit.Extra(),
	backup.Extra(),
	demo.Extra(),
	inspect.Extra(),
	posting.Extra(),
	push.Extra(),
	reels.Extra(),
	scaler.Extra(),
	setup.Extra(),
}

// groups are their settings.
func groups() (out []config.Group) {
	for _, e := range extras {
		if e.Settings != nil {
			out = append(out, *e.Settings)
		}
	}
	return out
}

// commands adds those of the extras.
func commands() kong.Option {
	return kong.OptionFunc(func(k *kong.Kong) error {
		for _, e := range extras {
			for _, c := range e.Commands {
				var tags []string
				if c.Hidden {
					tags = []string{`hidden:""`}
				}
				if err := kong.DynamicCommand(c.Name, c.Help, "", c.Run, tags...).Apply(k); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
