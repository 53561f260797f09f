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

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

type ingestCmd struct {
	IDs []string `arg:"" optional:"" name:"fixture" help:"Fixture ids, of any competition and date, with spaces or commas between them; none: the lists of today and the days after. The address of a match at api-football.com ends with its id."`
}

// Help says what else must run.
func (ingestCmd) Help() string {
	return "The fetching is done by a worker: footy up (or footy worker) must run. It goes on by itself when this command is ended. " +
		"On a plan that answers about one match in a call, ids are fetched as fast as it allows: a free key ten a minute."
}

// ingestPatience is how long to wait for it: some looks at Wikidata, or a worker that starts. tenIDs is what as many ids may take on top.
const (
	ingestPatience = 3 * time.Minute
	tenIDs         = time.Minute
)

// Run ends with 1 where a list or a fixture that was asked for could not be had.
func (i ingestCmd) Run(ctx context.Context, p command.Process) error {
	ids, err := fixtureIDs(i.IDs)
	if err != nil {
		return err
	}
	at, err := engine.Find(ctx, p.Config)
	if err != nil {
		return err
	}
	t, err := engine.Dial(ctx, at, p.Log)
	if err != nil {
		return err
	}
	defer t.Close()
	in := ingest.Defaults()
	in.FixtureIDs = ids
	patience := ingestPatience + tenIDs*time.Duration(len(ids)/10)
	if len(ids) > 10 {
		fmt.Fprintf(os.Stderr, "%d matches: a plan that answers about one in a call may take %s\n", len(ids), explain.Spoken(patience))
	}
	out, err := ingest.Run(ctx, t, in, patience)
	if errors.Is(err, context.DeadlineExceeded) {
		return footy.Errorf(footy.CodeUnavailable, "ingest", "not done within %s; it goes on by itself. Is a worker running (footy up, footy worker)?", explain.Spoken(patience))
	}
	if err != nil {
		return orDoctor(err, p.Feed)
	}
	if len(in.FixtureIDs) == 0 {
		return printLists(os.Stdout, out)
	}
	return printNamed(os.Stdout, out.Named, p.Track.RetentionDays)
}

// fixtureIDs reads ids as people write them, each once.
func fixtureIDs(words []string) ([]int64, error) {
	var ids []int64
	for _, w := range words {
		for word := range strings.FieldsFuncSeq(w, func(r rune) bool { return r == ',' || r == ' ' }) {
			id, err := strconv.ParseInt(word, 10, 64)
			if err != nil || id < 1 {
				return nil, footy.Errorf(footy.CodeInvalid, "", "%q is no fixture id: that is a whole number like 1208021, with which the address of a match at api-football.com ends; nothing was fetched", word)
			}
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// printLists prints what the lists of the coming days held.
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
		fmt.Fprintln(w, "→ footy doctor says what is wrong with the feed and what to do; footy ingest asks again, and today's list is asked for every hour")
		return command.Exit(1)
	}
	return nil
}

// orDoctor adds what to do about a call that failed in a worker, which reports its code and its words only.
func orDoctor(err error, f config.Feed) error {
	switch code := footy.CodeOf(err); code {
	case footy.CodeAuthRequired, footy.CodeNotInPlan:
		return withRemedy(err, f)
	case footy.CodeUnavailable, footy.CodeRateLimited:
		return footy.Errorf(code, "", "%s; footy doctor says what is wrong and what to do", footy.UserMessage(err))
	}
	return err
}

// became says what became of a fixture that was named; kept is for how many days matches are.
func became(f ingest.Named, kept int) string {
	line := fmt.Sprintf("%d  %s: ", f.ID, f.Match)
	switch f.Stage {
	case footy.StageStaging:
		line += "waits for its kickoff, " + f.Kickoff.UTC().Format("2 January 15:04 UTC")
	case footy.StageActive:
		line += "is followed now"
	case footy.StageCompleted:
		line += "is over, and nothing of it is left to find"
	}
	if f.Expired {
		line += fmt.Sprintf("; it is older than RETENTION_DAYS=%d and is deleted with the next daily ingest", kept)
	}
	return line
}

// printNamed prints what became of fixtures that were named, and is an error that names what could not be had.
func printNamed(w io.Writer, all []ingest.Named, kept int) error {
	var absent, problems []string
	failed, reasons := map[string][]string{}, []string{}
	for _, f := range all {
		id := strconv.FormatInt(f.ID, 10)
		switch {
		case f.Absent:
			absent = append(absent, id)
		case f.Failed != "":
			if failed[f.Failed] == nil {
				reasons = append(reasons, f.Failed)
			}
			failed[f.Failed] = append(failed[f.Failed], id)
		default:
			fmt.Fprintln(w, became(f, kept))
		}
	}
	if len(absent) > 0 {
		problems = append(problems, "the feed has no fixture "+strings.Join(absent, ", "))
	}
	for _, why := range reasons {
		problems = append(problems, fmt.Sprintf("could not be had: %s (%s); name them again later", strings.Join(failed[why], ", "), why))
	}
	if len(problems) > 0 {
		return footy.Errorf(footy.CodeNotFound, "", "%s", strings.Join(problems, "; "))
	}
	return nil
}
