package budgets_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"os"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
)

// Cost is what running workflows took of Temporal.
type Cost struct {
	Workflows  int
	Activities int // local ones counted
	Events     int // of history
	ByName     map[string]int
	History    map[string]int // events by workflow type
}

// Add sums.
func (c *Cost) Add(o Cost) {
	c.Workflows += o.Workflows
	c.Activities += o.Activities
	c.Events += o.Events
	if c.ByName == nil {
		c.ByName, c.History = map[string]int{}, map[string]int{}
	}
	for k, n := range o.ByName {
		c.ByName[k] += n
	}
	for k, n := range o.History {
		c.History[k] += n
	}
}

// CostOf reads the cost of one run off its history.
func CostOf(h *history.History) Cost {
	c := Cost{Workflows: 1, Events: len(h.GetEvents()), ByName: map[string]int{}, History: map[string]int{}}
	kind := ""
	for _, e := range h.GetEvents() {
		switch e.GetEventType() {
		case enums.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
			kind = e.GetWorkflowExecutionStartedEventAttributes().GetWorkflowType().GetName()
		case enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
			c.Activities++
			c.ByName[e.GetActivityTaskScheduledEventAttributes().GetActivityType().GetName()]++
		case enums.EVENT_TYPE_MARKER_RECORDED:
			if name := localName(e.GetMarkerRecordedEventAttributes()); name != "" {
				c.Activities++
				c.ByName[name]++
			}
		}
	}
	c.History[kind] = c.Events
	return c
}

// localName is that of the local activity that a marker is about; else "".
func localName(m *history.MarkerRecordedEventAttributes) string {
	var data struct{ ActivityType string }
	for _, p := range m.GetDetails()["data"].GetPayloads() {
		if m.GetMarkerName() == "LocalActivity" && converter.GetDefaultDataConverter().FromPayload(p, &data) == nil {
			return data.ActivityType
		}
	}
	return ""
}

// Polled says how many fixtures the plan of a recorded cycle asked about; false if the history is no cycle's.
func Polled(h *history.History) (fixtures int, ok bool) {
	var plan struct {
		Calls []struct {
			IDs, Watch []int64
		} `json:"calls"`
	}
	for _, e := range h.GetEvents() {
		done := e.GetMarkerRecordedEventAttributes()
		if done == nil { // the plan is the first activity to complete
			continue
		}
		for _, p := range done.GetDetails()["result"].GetPayloads() {
			if json.Unmarshal(p.GetData(), &plan) != nil {
				return 0, false
			}
		}
		break
	}
	for _, c := range plan.Calls {
		fixtures += len(c.IDs) + len(c.Watch)
	}
	return fixtures, true
}

// Read opens a history as `make record` keeps it.
func Read(file string) (*history.History, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return client.HistoryFromJSON(z, client.HistoryJSONOptions{})
}

// Fetch reads the history of one run; runID "" is the latest.
func Fetch(ctx context.Context, c client.Client, id, runID string) (*history.History, error) {
	h := &history.History{}
	it := c.GetWorkflowHistory(ctx, id, runID, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for it.HasNext() {
		e, err := it.Next()
		if err != nil {
			return nil, err
		}
		h.Events = append(h.Events, e)
	}
	return h, nil
}
