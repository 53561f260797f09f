package engine

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc/codes"
)

// How long an engine has for serving what is stored in its database. One that is well takes a second, some on a machine that is busy.
const (
	serveTries  = 3
	serveWithin = 9 * time.Second
	looksAt     = 20 // open workflows, and schedules
)

var errGone = errors.New("the engine ended")

// serves says why an engine that answers is of no use: SQLite can read its database, and Temporal not what is in it.
func (o Options) serves(ctx context.Context, run *devstack) error {
	namespace := cmp.Or(o.Namespace, client.DefaultNamespace)
	c, err := Connect(config.Engine{Address: run.Address, TokenFile: run.TokenFile, Namespace: namespace}, o.Log)
	if err != nil {
		return err
	}
	defer c.Close()
	for range serveTries {
		if err = unserved(look(ctx, c, namespace, cmp.Or(o.serveWithin, serveWithin))); err == nil {
			return nil
		}
		if network.Pause(ctx, time.Second) != nil {
			return ctx.Err()
		}
		if !run.alive() {
			return errGone
		}
	}
	return footy.Errorf(footy.CodeUnavailable, "look into the workflow engine", "%w: %w", errUnusable, err)
}

// look reads what is stored in all ways that the product does: the namespace, open workflows with their histories, and the schedules, which
// Temporal's own worker answers for.
func look(ctx context.Context, c client.Client, namespace string, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if _, err := c.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: namespace}); err != nil {
		return err
	}
	if err := unserved(lookAt(ctx, c, "none")); err != nil {
		return err
	}
	open, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Namespace: namespace, Query: "ExecutionStatus = 'Running'", PageSize: looksAt})
	if err != nil {
		return err
	}
	for _, w := range open.GetExecutions() {
		if err := unserved(lookAt(ctx, c, w.GetExecution().GetWorkflowId())); err != nil {
			return err
		}
	}
	schedules, err := c.WorkflowService().ListSchedules(ctx, &workflowservice.ListSchedulesRequest{Namespace: namespace, MaximumPageSize: looksAt})
	if err != nil {
		return err
	}
	for _, s := range schedules.GetSchedules() {
		if _, err := c.ScheduleClient().GetHandle(ctx, s.GetScheduleId()).Describe(ctx); unserved(err) != nil {
			return err
		}
	}
	return nil
}

func lookAt(ctx context.Context, c client.Client, id string) error {
	if _, err := c.DescribeWorkflowExecution(ctx, id, ""); err != nil {
		return err
	}
	events := c.GetWorkflowHistory(ctx, id, "", false, 0)
	if !events.HasNext() {
		return nil
	}
	_, err := events.Next()
	return err
}

// unserved is err unless it is an answer.
func unserved(err error) error {
	if err == nil {
		return nil
	}
	switch serviceerror.ToStatus(err).Code() {
	case codes.NotFound, codes.PermissionDenied, codes.Unauthenticated, codes.ResourceExhausted, codes.Canceled:
		return nil
	}
	if elsewhere(err.Error()) {
		return nil
	}
	return err
}

// elsewhere reports whether words say that the disk, a port or a limit is at fault, and no database.
func elsewhere(words string) bool {
	for _, w := range []string{"address already in use", "no space left", "disk is full", "readonly database", "unable to open database",
		"ermission denied", "too many open files", "cannot allocate memory", "disk I/O error", "database is locked"} {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// Unserved reports whether err, of a call, is that of an engine that does not serve.
func Unserved(err error) bool {
	var e *footy.Error
	for errors.As(err, &e) && e.Err != nil {
		err = e.Err
	}
	return unserved(err) != nil
}

// Restart ends an engine of ours that does not serve. It is started again, and looked into then; one that is not ours is let alone.
func (e *Engine) Restart() {
	if e.cancel == nil {
		return
	}
	e.opts.Log.Warn("workflow engine answers and does not serve; ending it", "module", "engine", "action", "restart")
	e.mu.Lock()
	defer e.mu.Unlock()
	e.run.signal(syscall.SIGKILL)
}

func failureNote(dir string) string { return filepath.Join(dir, "failed") }

// noteFailure keeps why the last start failed, for who looks while none runs; nil forgets it.
func noteFailure(dir string, err error) {
	if err == nil {
		_ = os.Remove(failureNote(dir))
		return
	}
	_ = os.WriteFile(failureNote(dir), []byte(footy.UserMessage(err)+"\n"), 0o600) // the caller has err
}

// LastFailure is why the engine of dir did not start when it was tried last; "" if it did.
func LastFailure(dir string) (string, error) {
	b, err := os.ReadFile(failureNote(dir))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return strings.TrimSpace(string(b)), err
}
