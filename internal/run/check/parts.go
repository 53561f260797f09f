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
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
)

// awaitDatabase is what to do about a database that does not answer.
const awaitDatabase = "Bring the database back; goals wait for it."

func (c *Checker) engine(ctx context.Context) health.Part {
	p := health.Part{Name: health.Engine, State: health.StateOK, Facts: map[string]any{}}
	if c.opt.Temporal == nil {
		p.State, p.Reason, p.Remedy = health.StateMissing, "this process is not connected to Temporal", "Set TEMPORAL_ADDRESS to show schedules and queues here."
		return p
	}
	d, err := c.opt.Temporal.ScheduleClient().GetHandle(ctx, policy.ScheduleMonitor).Describe(ctx)
	var none *serviceerror.NotFound
	if errors.As(err, &none) {
		p.State, p.Reason, p.Remedy = health.StateDegraded, "nobody has set up the monitor's schedule yet", "Start a worker: footy worker or footy up."
		return p
	}
	if err != nil {
		p.State, p.Reason, p.Remedy = health.StateDown, "Temporal does not answer: "+network.Unreached(err), "Start Temporal again; everything goes on where it was."
		return p
	}
	n, alone := c.queues(ctx)
	if n >= 0 {
		p.Facts["tasks_waiting"] = n
	}
	if n := len(d.Info.RecentActions); n > 0 {
		last := d.Info.RecentActions[n-1]
		lag := time.Since(last.ActualTime)
		p.Facts["last_cycle_seconds_ago"] = int(lag.Seconds())
		if lag > 2*time.Minute+2*c.opt.Config.Track.MonitorInterval {
			p.State, p.Reason, p.Remedy = health.StateDegraded, "no monitor cycle for "+lag.Round(time.Second).String(), "Is a worker running? Start one with footy worker or footy up."
			return p
		}
	}
	if len(alone) > 0 {
		p.State, p.Reason = health.StateDegraded, "tasks wait and no worker takes them: "+strings.Join(alone, ", ")
		p.Remedy = "Start a worker that has what they need: LLAMA_URL for vision, an X account or its search service for search."
	}
	return p
}

// queues asks Temporal what waits in each of our task queues, and returns how many tasks that are, -1 if it cannot say, and the
// queues in which they wait for nobody.
func (c *Checker) queues(ctx context.Context) (total int, alone []string) {
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
		c.opt.SeenQueue(name, float64(n), oldest.Seconds())
		total += n
	}
	return total, alone
}

func (c *Checker) database(ctx context.Context) health.Part {
	p := health.Part{Name: health.Database, State: health.StateOK}
	if err := c.opt.Store.Ping(ctx); err != nil {
		p.State, p.Reason, p.Remedy = health.StateDown, footy.UserMessage(err), awaitDatabase
		return p
	}
	free, ok := scratch.Free(c.opt.Config.State.Dir)
	if ok {
		p.Facts = map[string]any{"bytes_free": int64(free >> 20 << 20)} //nolint:gosec // no disk is that large; whole megabytes, so that looking changes little
	}
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

const (
	// roomToRun is where the embedded databases begin to fail; roomToStart is what a first start writes.
	roomToRun   = 4 << 20
	roomToStart = 16 << 20
)

// fullDisk says that the disk of dir has less than need bytes left; "" when it has enough or cannot tell.
func fullDisk(dir string, need uint64) string {
	free, known := scratch.Free(dir)
	if !known || free >= need { // what cannot be told, the write that fails will tell
		return ""
	}
	return fmt.Sprintf("the disk of %s is full: %d KB left, %d MB needed", dir, free>>10, need>>20)
}

func (c *Checker) clips(ctx context.Context) health.Part {
	p := health.Part{Name: health.Clips, State: health.StateOK}
	err := c.opt.Blob.Ping(ctx)
	if err == nil {
		return p
	}
	at := c.opt.Config.S3.Endpoint
	switch p.State = health.StateDown; {
	case at == "": // a directory says itself what is wrong with it
		p.Reason, p.Remedy = footy.UserMessage(err), "Make room on the disk, or let this user write there; goals wait for it."
		return p
	case footy.CodeOf(err) == footy.CodeAuthRequired:
		p.Reason, p.Remedy = "the object store at "+at+" refuses us", "Correct S3_ACCESS_KEY, S3_SECRET_KEY and S3_REGION, and what the key may do. Clips wait for it."
	case network.NoAnswer(err):
		p.Reason, p.Remedy = "the object store at "+at+" does not answer", "Start it again, or correct S3_ENDPOINT and S3_SECURE. Clips wait for it; nothing is lost."
	default:
		p.Reason, p.Remedy = "the object store at "+at+" takes no file", "Look into its log and at the room on its disk. Clips wait for it; nothing is lost."
	}
	c.logCause(p, err)
	return p
}

// programs starts the programs now and then only: that costs more than all other looks together.
func (c *Checker) programs(ctx context.Context) health.Part {
	p := health.Part{Name: health.Programs, State: health.StateOK}
	c.mu.Lock()
	started := time.Since(c.programsStarted) < programsEvery
	c.mu.Unlock()
	tool := c.opt.Media
	if started {
		tool = nil
	}
	if why := MissingProgram(ctx, c.opt.Config.Program, tool); why != "" {
		p.State, p.Reason, p.Remedy = health.StateDown, why, explain.UpperFirst(InstallFFmpeg)+"."
	} else if !started {
		c.mu.Lock()
		c.programsStarted = time.Now()
		c.mu.Unlock()
	}
	return p
}

// programsEvery is how long programs that started are believed to start, as long as they are there.
const programsEvery = 10 * time.Minute

// InstallFFmpeg is what to do where the programs for clips are missing.
const InstallFFmpeg = "install ffmpeg (Debian: apt-get install ffmpeg, macOS: brew install ffmpeg), or set FFMPEG and FFPROBE"

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
