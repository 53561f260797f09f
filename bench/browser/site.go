package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
)

const session = "bench"

// serveSite is the simulated X in a process of its own: a search finds as many full pages as its first word says.
func serveSite() error {
	x := xsite.New(xsite.Options{Prefix: "/x", Sessions: []string{session}, Calls: 1 << 30, Search: func(q string) []xsite.Post {
		pages := 1
		_, _ = fmt.Sscanf(q, "pages%d", &pages)
		return posts(20 * pages)
	}})
	mux := http.NewServeMux()
	mux.Handle("/x/", x)
	mux.HandleFunc("GET /calls", func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(len(x.Calls())) })
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String())
	return (&http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}).Serve(l)
}

func posts(n int) []xsite.Post {
	now := time.Now()
	var out []xsite.Post
	for i := range n {
		at := now.Add(-time.Duration(i) * time.Second)
		out = append(out, xsite.Post{ID: snowflake.At(at, i), Author: "fan", Text: fmt.Sprintf("what a goal, number %d", i), At: at, DurationMS: 9000,
			Width: 1280, Height: 720, VideoURL: "https://video.twimg.com/ext_tw_video/1/pu/vid/1280x720/a.mp4"})
	}
	return out
}

// site is that process as the measuring one sees it.
type site struct {
	url  string
	base string
	pid  int
	stop func()
}

func startSite(ctx context.Context) (*site, error) {
	cmd := exec.CommandContext(ctx, os.Args[0], "-site")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed: nothing to learn
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return nil, fmt.Errorf("start the simulated X: %w", err)
	}
	base := strings.TrimSpace(line)
	return &site{url: base + "/x", base: base, pid: cmd.Process.Pid, stop: stop}, nil
}

// calls is how many SearchTimeline calls the site has answered.
func (s *site) calls(ctx context.Context) (n int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/calls", nil)
	if err != nil {
		return 0, err
	}
	resp, err := httpx.New(httpx.Options{Timeout: 10 * time.Second}).Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return n, json.NewDecoder(resp.Body).Decode(&n)
}
