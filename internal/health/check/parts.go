package check

import (
	"context"
	"errors"
	"os/exec"
	"time"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/media"
	"github.com/found-footy/found-footy/internal/network"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/api/serviceerror"
)

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
	if n := c.queues(ctx); n >= 0 {
		p.Facts["tasks_waiting"] = int(n)
	}
	if n := len(d.Info.RecentActions); n > 0 {
		last := d.Info.RecentActions[n-1]
		lag := time.Since(last.ActualTime)
		p.Facts["last_cycle_seconds_ago"] = int(lag.Seconds())
		if lag > 2*time.Minute+2*c.opt.Config.Track.MonitorInterval {
			p.State, p.Reason, p.Remedy = health.StateDegraded, "no monitor cycle for "+lag.Round(time.Second).String(), "Is a worker running? Start one with footy worker or footy up."
		}
	}
	return p
}

func (c *Checker) database(ctx context.Context) health.Part {
	p := health.Part{Name: health.Database, State: health.StateOK}
	if err := c.opt.Store.Ping(ctx); err != nil {
		p.State, p.Reason, p.Remedy = health.StateDown, footy.UserMessage(err), "Bring the database back; goals wait for it."
		return p
	}
	if free, ok := freeBytes(c.opt.Config.State.Dir); ok {
		p.Facts = map[string]any{"bytes_free": int64(free >> 20 << 20)} //nolint:gosec // no disk is that large; whole megabytes, so that looking changes little
	}
	if bad := c.opt.Store.Damaged(); len(bad) > 0 {
		p.State, p.Reason, p.Remedy = health.StateDegraded, damageText(bad), damageRemedy(bad)
	}
	if full := fullDisk(c.opt.Config.State.Dir, roomToRun); full != "" {
		p.State, p.Reason, p.Remedy = health.StateDown, full, "Free some space; nothing written before is lost, and everything goes on when there is room."
	}
	return p
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

func (c *Checker) programs(ctx context.Context) health.Part {
	p := health.Part{Name: health.Programs, State: health.StateOK}
	if why := MissingProgram(ctx, c.opt.Config.Program, c.opt.Media); why != "" {
		p.State, p.Reason, p.Remedy = health.StateDown, why, explain.UpperFirst(InstallFFmpeg)+"."
	}
	return p
}

// InstallFFmpeg is what to do where the programs for clips are missing.
const InstallFFmpeg = "install ffmpeg (Debian: apt-get install ffmpeg, macOS: brew install ffmpeg), or set FFMPEG and FFPROBE"

// MissingProgram says which program is not there or does not start; "" if all do.
func MissingProgram(ctx context.Context, p config.Program, tool *media.Tool) string {
	for _, set := range [][2]string{{"FFMPEG", p.FFmpeg}, {"FFPROBE", p.FFprobe}} {
		if _, err := exec.LookPath(set[1]); err != nil {
			return set[0] + "=" + set[1] + " is not installed"
		}
	}
	if err := tool.Check(ctx); err != nil {
		return footy.UserMessage(err)
	}
	return ""
}
