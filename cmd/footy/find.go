package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/footy"
)

type teamsCmd struct {
	Search teamsSearchCmd `cmd:"" help:"List the teams that the feed finds by a name, with their ids; takes one call of the plan."`
}

type leaguesCmd struct {
	Search leaguesSearchCmd `cmd:"" help:"List the leagues that the feed finds by a name or a country, with their ids; takes one call of the plan."`
}

type teamsSearchCmd struct {
	Name []string `arg:"" help:"Name or a part of it, three letters at least."`
}

// Run ends with 1 where nobody is called so.
func (t teamsSearchCmd) Run(ctx context.Context) error {
	return find(func(f feed.Finder, name string) (rows [][]any, err error) {
		found, err := f.Teams(ctx, name)
		for _, t := range found {
			rows = append(rows, []any{t.ID, t.Name, t.Country})
		}
		return rows, err
	}, "team", t.Name)
}

type leaguesSearchCmd struct {
	Name []string `arg:"" help:"Name of the league or its country, or a part of it, three letters at least."`
}

// Run ends with 1 where no league is called so.
func (l leaguesSearchCmd) Run(ctx context.Context) error {
	return find(func(f feed.Finder, name string) (rows [][]any, err error) {
		found, err := f.Leagues(ctx, name)
		for _, l := range found {
			rows = append(rows, []any{l.ID, l.Name, l.Country})
		}
		return rows, err
	}, "league", l.Name)
}

func find(search func(feed.Finder, string) ([][]any, error), what string, words []string) error {
	c, err := config.Load()
	if err = withoutTrack(err); err != nil {
		return err
	}
	f, err := app.Finder(c)
	if err != nil {
		return err
	}
	name := strings.Join(words, " ")
	rows, err := search(f, name)
	if err != nil {
		return err
	}
	return printFound(os.Stdout, rows, what, name)
}

// withoutTrack leaves out what is wrong with what is followed: who searches may be about to correct just that.
func withoutTrack(err error) error {
	var problems config.Problems
	if !errors.As(err, &problems) {
		return err
	}
	problems = slices.DeleteFunc(slices.Clone(problems), func(p config.Problem) bool { return strings.HasPrefix(p.Setting, "TRACK_") })
	if len(problems) == 0 {
		return nil
	}
	return problems
}

func printFound(w io.Writer, rows [][]any, what, name string) error {
	if len(rows) == 0 {
		return footy.Errorf(footy.CodeNotFound, "search", "the feed knows no %s by %q; try a part of the name", what, name)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(table, "%d\t%s\t%s\n", r...)
	}
	return table.Flush()
}
