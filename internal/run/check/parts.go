package check

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
)

// awaitDatabase is what to do about a database that does not answer.
const awaitDatabase = "Bring the database back; goals wait for it."

// restoreDatabase is what to do about one whose files are damaged.
const restoreDatabase = "Stop footy, restore a backup (footy restore DIR --force) or repair the database, and start again. Nothing is deleted meanwhile; the log has the file."

// innermost is what the driver said, without the file that the log has.
func innermost(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err.Error()
}

func (c *Checker) engine(ctx context.Context) health.Part {
	p := health.Part{Name: health.Engine, State: health.StateOK, Facts: map[string]any{}}
	if c.opt.Temporal == nil {
		p.State, p.Reason, p.Remedy = health.StateMissing, "this process is not connected to Temporal", "Set TEMPORAL_ADDRESS to show schedules and queues here."
		return p
	}
	d, err := c.schedule(ctx, policy.ScheduleMonitor)
	if err != nil {
		return c.unreached(ctx, p, err)
	}
	if c.stands(d, &p) {
		return p
	}
	cycle := pipeline.Interval(d, c.opt.Config.Track.MonitorInterval)
	c.mu.Lock()
	c.cycle = cycle
	c.mu.Unlock()
	n, alone := c.queues(ctx, &p)
	if n >= 0 {
		p.Facts["tasks_waiting"] = n
	}
	if began := d.Info.RecentActions; len(began) > 0 {
		last, why, err := c.cycles(ctx, began)
		if err != nil {
			return c.unreached(ctx, p, err)
		}
		lag := time.Since(began[0].ActualTime) // at least, where none of these decided
		if !last.IsZero() {
			p.Figures = append(p.Figures, health.Figure{Metric: "last_cycle_timestamp_seconds", Value: float64(last.Unix())})
			lag = time.Since(last)
			p.Facts["last_cycle_seconds_ago"] = int(lag.Seconds())
		}
		switch {
		case why != "":
			p.State, p.Reason = health.StateDown, why
			p.Remedy = "No match is polled until a cycle succeeds. Mend what it says; footy doctor and the worker's log tell more."
			return p
		case lag < -2*time.Minute:
			p.State, p.Reason = health.StateDegraded, "the monitor ran last "+(-lag).Round(time.Second).String()+" ahead of this machine's clock"
			p.Remedy = "Set the clocks of this machine and of the engine. Where the engine was ahead and is right now, polls go on after that time."
			return p
		case min(lag, time.Since(d.Info.LastUpdateAt)) > 2*time.Minute+2*cycle: // its interval may just have moved
			p.State, p.Reason = health.StateDown, "no monitor cycle has decided for "+lag.Round(time.Second).String()
			p.Remedy = "Is a worker running? Start one with footy worker or footy up. If one runs, its log says what it waits for."
			return p
		}
	}
	if len(alone) > 0 {
		p.State, p.Reason = health.StateDegraded, "tasks wait and no worker takes them: "+strings.Join(alone, ", ")
		p.Remedy = "Start a worker that has what they need: LLAMA_URL for vision, an X account or its search service for search."
	}
	if p.State == health.StateOK {
		c.beside(ctx, &p)
	}
	return p
}

func (c *Checker) unreached(ctx context.Context, p health.Part, err error) health.Part {
	p.State, p.Reason = health.StateDown, "Temporal does not answer: "+network.Shorten(err)
	_, noNamespace := errors.AsType[*serviceerror.NamespaceNotFound](err)
	_, refused := errors.AsType[*serviceerror.PermissionDenied](err)
	switch {
	case noNamespace:
		p.Reason, p.Remedy = "Temporal has no namespace "+c.opt.Config.Engine.Namespace, "Create it with a retention of 168h or more, or correct TEMPORAL_NAMESPACE; an engine of footy's own makes it when footy is started again."
	case refused:
		p.Reason, p.Remedy = "Temporal refuses us: "+err.Error(), "Correct TEMPORAL_TOKEN_FILE or TEMPORAL_API_KEY; with an engine of footy's own, start footy again."
	case c.opt.Config.Engine.Address != "":
		p.Remedy = "Start Temporal again; everything goes on where it was. " +
			"If it runs, its clock may have been ahead: " +
			"it stands still until that time. Restart it with a new database; nothing is lost."
	case engine.Running(context.WithoutCancel(ctx), engine.Dir(c.opt.Config)) == nil:
		p.Remedy = "The footy up or footy worker that runs here starts it again by itself; start one if none runs. Everything goes on where it was. If it stays so, its log says why the engine cannot be started."
	default:
		p.Remedy = "Its clock may have been ahead: it stands still until that time. " + c.beginsAnew()
	}
	return p
}

// beginsAnew is how a person gives an engine of ours a new database, where the engine did not begin one itself.
func (c *Checker) beginsAnew() string {
	return "If it stays so, stop footy, move " + engine.Dir(c.opt.Config) + " away and start footy again; nothing is lost."
}

// queues asks Temporal what waits in each of our task queues, and returns how many tasks that are, -1 if it cannot say, and the
// queues in which they wait and no worker polls.
func (c *Checker) queues(ctx context.Context, p *health.Part) (total int, alone []string) {
	for _, name := range policy.Queues() {
		n, oldest := 0, time.Duration(0)
		for _, kind := range []enums.TaskQueueType{pipeline.WorkflowTasks, pipeline.ActivityTasks} {
			q, err := pipeline.Ask(ctx, c.opt.Temporal, c.opt.Config.Engine.Namespace, name, kind)
			if err != nil || !q.Counted {
				return -1, nil
			}
			if q.Abandoned() && !slices.Contains(alone, name) {
				alone = append(alone, name)
			}
			n, oldest = n+q.Waiting, max(oldest, q.Oldest)
		}
		p.Figures = append(p.Figures, health.Figure{Metric: "queue_depth", Labels: []string{name}, Value: float64(n)},
			health.Figure{Metric: "queue_age_seconds", Labels: []string{name}, Value: oldest.Seconds()})
		total += n
	}
	return total, alone
}

func (c *Checker) database(ctx context.Context) health.Part {
	p := health.Part{Name: health.Database, State: health.StateOK}
	err := c.opt.Store.Ping(ctx)
	if err == nil {
		err = c.opt.Store.Look(ctx)
	}
	if footy.CodeOf(err) == footy.CodeCorrupt {
		p.State, p.Reason, p.Remedy = health.StateDown, "the database is corrupt: "+innermost(err), restoreDatabase
		c.logCause(p, err)
		return p
	}
	if err != nil {
		p.State, p.Reason, p.Remedy = health.StateDown, footy.UserMessage(err), awaitDatabase
		return p
	}
	free, ok := scratch.Free(c.opt.Config.State.Dir)
	if ok {
		p.Facts = map[string]any{"bytes_free": int64(free >> 20 << 20)} //nolint:gosec // no disk is that large; whole megabytes, so that looking changes little
	}
	c.retention(ctx, &p)
	if bad := c.opt.Store.Damaged(); len(bad) > 0 {
		p.State, p.Reason, p.Remedy = health.StateDegraded, damageText(bad), damageRemedy(bad)
	}
	if mark := c.opt.Config.Media.MinFree; ok && free>>20 < uint64(mark) { //nolint:gosec // config refuses what is negative
		p.State, p.Reason = health.StateDegraded, fmt.Sprintf("no clips are fetched: the disk of %s has %d MB left, and MIN_FREE_MB keeps %d", c.opt.Config.State.Dir, free>>20, mark)
		p.Remedy = "Free some space, or lower MIN_FREE_MB; posts wait and lose nothing."
	}
	if full := fullDisk(c.opt.Config.State.Dir, roomToRun); full != "" {
		p.State, p.Reason, p.Remedy = health.StateDown, full, "Free some space; nothing written before is lost, and everything goes on when there is room."
	}
	return p
}

// retention reports that nothing old is deleted because the clock is not believed.
func (c *Checker) retention(ctx context.Context, p *health.Part) {
	var clock cleanup.Clock
	if c.opt.Store.State(ctx, cleanup.ClockKey, &clock) != nil || clock.Doubted.IsZero() {
		return // before the first look; a database that does not answer is reported above
	}
	before := ", and was at " + minute(clock.At) + " before"
	if clock.At.IsZero() {
		before = ", and what it said before cannot be read"
	}
	p.State, p.Reason = health.StateDegraded, "nothing old is deleted: the clock says "+minute(clock.Doubted)+before
	p.Remedy = "Correct this machine's date. If it is right, the next live match confirms it. To confirm it now, run footy ingest ID for a match of the last three days."
}

const (
	// roomToRun is where the embedded databases begin to fail; roomToStart is what a first start writes.
	roomToRun   = 4 << 20
	roomToStart = 16 << 20
)

// fullDisk says that the disk of dir has less than need bytes left; "" when it has enough or cannot tell.
func fullDisk(dir string, need uint64) string {
	free, known := scratch.Free(dir)
	if !known || free >= need { // what is unknown shows in the write that fails
		return ""
	}
	return fmt.Sprintf("the disk of %s is full: %d KB left, %d MB needed", dir, free>>10, need>>20)
}

// programs starts the programs.
func (c *Checker) programs(ctx context.Context) health.Part {
	p := health.Part{Name: health.Programs, State: health.StateOK}
	if why := MissingProgram(ctx, c.opt.Config.Program, c.opt.Media); why != "" {
		p.State, p.Reason, p.Remedy = health.StateDown, why, explain.UpperFirst(InstallFFmpeg)+"."
	}
	return p
}

// programsEvery is how long programs that started are believed to start: a start costs more than all other looks together.
const programsEvery = 10 * time.Minute

// InstallFFmpeg is what to do where the programs for clips are missing.
const InstallFFmpeg = "install ffmpeg 4.3 or later (Debian: apt-get install ffmpeg, macOS: brew install ffmpeg), or set FFMPEG and FFPROBE"

// MissingProgram says which program is not there or, unless tool is nil, does not start; "" if all do.
func MissingProgram(ctx context.Context, p config.Program, tool *media.Tool) string {
	for _, set := range [][2]string{{"FFMPEG", p.FFmpeg}, {"FFPROBE", p.FFprobe}} {
		if _, err := exec.LookPath(set[1]); err != nil {
			return set[0] + "=" + set[1] + " is not installed"
		}
	}
	if tool == nil {
		return ""
	}
	if err := tool.Check(ctx); err != nil {
		return footy.UserMessage(err)
	}
	return ""
}
