package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const token = "a token for this run"

// page is footy web as a process of its own.
type page struct {
	url string
	cmd *exec.Cmd
}

func startPage(ctx context.Context, binary, dir string) (*page, error) {
	cmd := exec.CommandContext(ctx, binary, "web") //nolint:gosec // the program to measure is the caller's choice
	cmd.Env = append(os.Environ(), "STATE_DIR="+dir, "WEB_ADDR=127.0.0.1:0", "NOTIFY_TOKEN="+token, "ADMIN_TOKEN="+adminToken, "LOG_LEVEL=error", "TEMPORAL_ADDRESS=", "MONGODB_URI=")
	said, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &page{cmd: cmd}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, at, ok := strings.Cut(lines.Text(), "page:"); ok {
			p.url = strings.TrimSpace(at)
			go func() { _, _ = io.Copy(os.Stderr, said) }()
			return p, nil
		}
		fmt.Fprintln(os.Stderr, lines.Text())
	}
	return nil, errors.New("the page did not start")
}

func (p *page) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
}

func (p *page) addr() string { return strings.TrimPrefix(p.url, "http://") }

// tell announces a change as a worker of another process does.
func (p *page) tell(ctx context.Context, fixture int64) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/api/v1/internal/notify", strings.NewReader(fmt.Sprintf(`{"entity":"fixture","ids":["%d"]}`, fixture)))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusNoContent {
		return fmt.Errorf("the page answered a note with %s", res.Status)
	}
	return nil
}

type memory struct{ resident, inuse, dropped float64 }

// memory reads the page's own figures; it waits a little, so that what was let go is collected.
func (p *page) memory(ctx context.Context) (memory, error) {
	select {
	case <-ctx.Done():
		return memory{}, ctx.Err()
	case <-time.After(2 * time.Second):
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/metrics", nil)
	if err != nil {
		return memory{}, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return memory{}, err
	}
	defer res.Body.Close()
	values := map[string]float64{}
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), " ")
		if v, err := strconv.ParseFloat(value, 64); ok && err == nil {
			values[name] = v
		}
	}
	return memory{values["process_resident_memory_bytes"], values["go_memstats_heap_inuse_bytes"] + values["go_memstats_stack_inuse_bytes"],
		values["footy_stream_dropped_total"]}, lines.Err()
}
