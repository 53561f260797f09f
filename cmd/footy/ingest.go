package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/engine"
	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
)

type ingestCmd struct {
	IDs []int64 `arg:"" optional:"" name:"fixture" help:"Fixture ids, of any competition and date; none: the lists of today and the days after."`
}

// ingestPatience is how long to wait for what comes of it: a minute of the vendor's own limit and some looks at Wikidata.
const ingestPatience = 3 * time.Minute

// Run ends with 1 where a list or a fixture that was asked for could not be had.
func (i ingestCmd) Run(ctx context.Context) error {
	for _, id := range i.IDs {
		if id < 1 {
			return footy.Errorf(footy.CodeInvalid, "ingest", "fixture %d: ids are 1 or more; the address of a match at api-football.com ends with its id", id)
		}
	}
	c, log, err := settings()
	if err != nil {
		return err
	}
	address, err := engine.AddressOf(ctx, c)
	if err != nil {
		return err
	}
	t, err := engine.Dial(ctx, address, c.Engine, log, nil)
	if err != nil {
		return err
	}
	defer t.Close()
	in := ingest.Defaults()
	slices.Sort(i.IDs)
	in.FixtureIDs = slices.Compact(i.IDs)
	waiting, cancel := context.WithTimeout(ctx, ingestPatience)
	defer cancel()
	out, err := ingest.Run(waiting, t, in)
	if errors.Is(err, context.DeadlineExceeded) {
		return footy.Errorf(footy.CodeUnavailable, "ingest", "not done after %s; it goes on by itself. Is a worker running (footy up, footy worker)?", ingestPatience)
	}
	if err != nil {
		return err
	}
	if len(in.FixtureIDs) == 0 {
		return printLists(os.Stdout, out)
	}
	return printNamed(os.Stdout, out.Named, c.Track.RetentionDays)
}

// printLists tells what the lists of the coming days held.
func printLists(w io.Writer, out ingest.Output) error {
	fmt.Fprintf(w, "%s listed: %s followed, %s new\n", explain.Plural(out.Days, "day", "days"), explain.Plural(out.Fixtures, "match is", "matches are"),
		explain.Plural(out.Fixtures-out.Known, "of them is", "of them are"))
	if len(out.Beyond) > 0 {
		fmt.Fprintf(w, "not listed by your plan: %s; each is listed when its day comes near\n", strings.Join(out.Beyond, ", "))
	}
	for _, f := range out.Failed {
		fmt.Fprintln(w, "not listed:", f)
	}
	if len(out.Failed) > 0 {
		return exit(1)
	}
	return nil
}

// printNamed tells what became of each fixture that was named.
func printNamed(w io.Writer, named []ingest.Named, kept int) error {
	var absent, failed []string
	for _, n := range named {
		switch {
		case n.Absent:
			absent = append(absent, strconv.FormatInt(n.ID, 10))
			continue
		case n.Failed != "":
			failed = append(failed, fmt.Sprintf("%d (%s)", n.ID, n.Failed))
			continue
		}
		line := fmt.Sprintf("%d  %s: ", n.ID, n.Match)
		switch n.Stage {
		case footy.StageStaging:
			line += "waits for its kickoff, " + n.Kickoff.UTC().Format("2 January 15:04 UTC")
		case footy.StageActive:
			line += "is followed now"
		case footy.StageCompleted:
			line += "is over, and nothing of it is left to find"
		}
		if n.Expired {
			line += fmt.Sprintf("; it is older than RETENTION_DAYS=%d and is deleted with the next daily ingest", kept)
		}
		fmt.Fprintln(w, line)
	}
	var problems []string
	if len(absent) > 0 {
		problems = append(problems, "the feed has no fixture "+strings.Join(absent, ", "))
	}
	if len(failed) > 0 {
		problems = append(problems, "the feed's answer cannot be used for fixture "+strings.Join(failed, ", ")+": try again in a minute")
	}
	if len(problems) > 0 {
		return footy.Errorf(footy.CodeNotFound, "ingest", "%s", strings.Join(problems, "; "))
	}
	return nil
}
