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

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/espn"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

type teamsCmd struct {
	Search teamsSearchCmd `cmd:"" help:"List the teams that the feed finds by a name, with their ids; takes a call of the plan, two if nothing matches."`
}

type leaguesCmd struct {
	Search leaguesSearchCmd `cmd:"" help:"List the leagues that the feed finds by a name or a country, with their ids; takes a call of the plan, two if nothing matches."`
}

type teamsSearchCmd struct {
	Name []string `arg:"" help:"Name or a part of it, three letters at least."`
}

// Run ends with 1 if nothing matches.
func (t teamsSearchCmd) Run(ctx context.Context) error {
	return find(ctx, feed.Team, t.Name)
}

type leaguesSearchCmd struct {
	Name []string `arg:"" help:"Name of the league or its country, or a part of it, three letters at least; Country/Name for those of one country."`
}

// Run ends with 1 if nothing matches.
func (l leaguesSearchCmd) Run(ctx context.Context) error {
	return find(ctx, feed.League, l.Name)
}

func find(ctx context.Context, what feed.What, words []string) error {
	name := strings.TrimSpace(strings.Join(words, " "))
	if name == "" {
		return footy.Errorf(footy.CodeInvalid, "", "no name to search for: write three letters of it at least, like footy %ss search %s", what, follow.Example[what])
	}
	c, err := settings()
	if err = withoutTrack(err); err != nil {
		return err
	}
	f, err := app.Finder(c)
	if err != nil {
		return err
	}
	found, err := follow.Search(ctx, f, what, name)
	if err != nil {
		return withRemedy(err, c.Feed)
	}
	err = printFound(os.Stdout, found, what, name)
	if footy.IsNotFound(err) && what == feed.Team && c.Feed.InCharge() == config.ESPN {
		return footy.Errorf(footy.CodeNotFound, "", "%s. Teams are found that play %s; the id of another is %s", footy.UserMessage(err), espn.Reach, espn.IDAt)
	}
	return err
}

// withRemedy adds what to do about a call that the feed refused, or did not answer.
func withRemedy(err error, f config.Feed) error {
	switch code := footy.CodeOf(err); {
	case errors.Is(err, feed.ErrDaySpent) || code == footy.CodeInvalid || code == footy.CodeNotFound: // says it itself
		return err
	default:
		remedy := strings.TrimSuffix(check.FeedRemedy(err, f), ".")
		return footy.Errorf(code, "", "%s; %s", footy.UserMessage(err), explain.LowerFirst(remedy))
	}
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

func printFound(w io.Writer, found follow.Found, what feed.What, name string) error {
	list, missing := found.List, footy.Errorf(footy.CodeNotFound, "", "the feed knows no %s by %q; try a part of the name", what, name)
	if len(list) == 0 {
		return missing
	}
	if found.Near {
		list = list[:min(len(list), listedNear)]
		missing = footy.Errorf(footy.CodeNotFound, "", "the feed knows no %s by %q; names near to it are listed above", what, name)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range list {
		fmt.Fprintf(table, "%d\t%s\t%s\n", f.ID, f.Name, f.Country)
	}
	if err := table.Flush(); err != nil || !found.Near {
		return err
	}
	return missing
}

// listedNear is how many names near to it are listed.
const listedNear = 10
