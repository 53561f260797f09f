// Package record keeps workflow histories of a release, which later releases must replay.
package record

import (
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/found-footy/found-footy/internal/footy"
)

// perType is how many histories of each workflow type are kept at most.
const perType = 6

// Record writes histories for the replay tests to dir: of each workflow type the longest, and then those that show what the
// ones before do not: other activities, retries, time-outs, signals, children, ends. goal/ gets every workflow of the dearest
// goal. Where types are named it writes those alone. A history that is there is never written over: ErrExist.
func Record(ctx context.Context, c client.Client, dir string, types ...string) error {
	runs, err := Runs(ctx, c)
	if err != nil {
		return err
	}
	byType := map[string][]recorded{}
	for _, r := range runs {
		if len(types) > 0 && !slices.Contains(types, r.Type) {
			continue
		}
		h, err := fetch(ctx, c, r)
		if err != nil {
			return err
		}
		byType[r.Type] = append(byType[r.Type], recorded{h, traits(h)})
	}
	for name, list := range byType {
		for i, h := range distinct(list) {
			if err := write(filepath.Join(dir, fmt.Sprintf("%s-%c.json.gz", name, 'a'+i)), h); err != nil {
				return err
			}
		}
	}
	if len(types) > 0 {
		return nil
	}
	return dearest(ctx, c, runs, filepath.Join(dir, "goal"))
}

type recorded struct {
	history *history.History
	traits  []string
}

// distinct picks the longest history, then again and again the one with most that was not seen yet.
func distinct(list []recorded) []*history.History {
	slices.SortStableFunc(list, func(a, b recorded) int { return cmp.Compare(len(b.history.Events), len(a.history.Events)) })
	seen := map[string]bool{}
	var out []*history.History
	for len(out) < perType && len(list) > 0 {
		best, most := 0, -1
		for i, r := range list {
			news := 0
			for _, t := range r.traits {
				if !seen[t] {
					news++
				}
			}
			if news > most {
				best, most = i, news
			}
		}
		if most == 0 {
			break
		}
		for _, t := range list[best].traits {
			seen[t] = true
		}
		out = append(out, list[best].history)
		list = slices.Delete(list, best, best+1)
	}
	return out
}

// traits are what a history shows: kinds of events, names of activities, signals and children, and whether it ended.
func traits(h *history.History) []string {
	var out []string
	closed := false
	for _, e := range h.Events {
		t := e.GetEventType().String()
		closed = closed || e.GetEventType() >= enums.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED && e.GetEventType() <= enums.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT
		switch {
		case e.GetActivityTaskScheduledEventAttributes() != nil:
			t += " " + e.GetActivityTaskScheduledEventAttributes().GetActivityType().GetName()
		case e.GetActivityTaskStartedEventAttributes().GetAttempt() > 1:
			t += " again"
		case e.GetWorkflowExecutionSignaledEventAttributes() != nil:
			t += " " + e.GetWorkflowExecutionSignaledEventAttributes().GetSignalName()
		case e.GetStartChildWorkflowExecutionInitiatedEventAttributes() != nil:
			t += " " + e.GetStartChildWorkflowExecutionInitiatedEventAttributes().GetWorkflowType().GetName()
		}
		out = append(out, t)
	}
	if !closed {
		out = append(out, "open")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// dearest keeps every workflow of the day's dearest goal, for the bench to tell what a whole goal costs.
func dearest(ctx context.Context, c client.Client, runs []Run, dir string) error {
	_, of := Dearest(runs)
	for i, r := range of {
		h, err := fetch(ctx, c, r)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, fmt.Sprintf("%02d-%s.json.gz", i, r.Type)), h); err != nil {
			return err
		}
	}
	return nil
}

func fetch(ctx context.Context, c client.Client, r Run) (*history.History, error) {
	h := &history.History{}
	it := c.GetWorkflowHistory(ctx, r.ID, r.RunID, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for it.HasNext() {
		e, err := it.Next()
		if err != nil {
			return nil, footy.Wrap(footy.CodeUnavailable, "read history of "+r.ID, err)
		}
		h.Events = append(h.Events, e)
	}
	return h, nil
}

func write(path string, h *history.History) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	b, err := protojson.Marshal(h)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	if _, err := z.Write(b); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}
