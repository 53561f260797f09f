package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const asked = 1500 // times each, by turns

// compare measures the first byte of the day page against a handler that does nothing but write the same bytes.
func compare(ctx context.Context, url, dir string, d *day, p *page) error {
	size, file, err := record(ctx, url, dir)
	if err != nil {
		return err
	}
	bare, stop, err := startBare(ctx, file)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Printf("the day page of %d matches has %.0f KB on the wire; first byte, %d requests each, one after another:\n", d.fixtures, float64(size)/1024, asked)
	for _, beat := range []time.Duration{0, time.Second} {
		changing, done := context.WithCancel(ctx)
		ended := make(chan error, 1)
		what := "nothing changes"
		if beat > 0 {
			what = "one match changes each second"
			go func() { ended <- d.change(changing, p, beat, nil) }()
		} else {
			ended <- nil
		}
		var ours, theirs []time.Duration
		for range asked {
			for target, into := range map[string]*[]time.Duration{url: &ours, bare: &theirs} {
				took, err := firstByte(ctx, target)
				if err != nil {
					done()
					return err
				}
				*into = append(*into, took)
			}
		}
		done()
		if err := <-ended; err != nil {
			return err
		}
		slices.Sort(ours)
		slices.Sort(theirs)
		at := func(s []time.Duration, q int) time.Duration { return s[len(s)*q/100] }
		fmt.Printf("  %-30s p50 %s against %s (ratio %.2f), p99 %s against %s (ratio %.2f)\n", what+":", ms(at(ours, 50)), ms(at(theirs, 50)),
			ratio(at(ours, 50), at(theirs, 50)), ms(at(ours, 99)), ms(at(theirs, 99)), ratio(at(ours, 99), at(theirs, 99)))
	}
	return nil
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

func get(ctx context.Context, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token) // what one address may ask is another measurement: -abuse
	req.Header.Set("Accept-Encoding", "gzip")        // set by hand: the transport leaves it packed
	return http.DefaultClient.Do(req)
}

func firstByte(ctx context.Context, url string) (time.Duration, error) {
	var wrote, first time.Time
	res, err := get(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest:         func(httptrace.WroteRequestInfo) { wrote = time.Now() },
		GotFirstResponseByte: func() { first = time.Now() },
	}), url)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return first.Sub(wrote), err
}

// record keeps the page's answer as it came, headers included.
func record(ctx context.Context, url, dir string) (size int64, file string, err error) {
	res, err := get(ctx, url)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Encoding") != "gzip" {
		return 0, "", errors.New("the day page did not come compressed: " + res.Status)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, "", err
	}
	dir = filepath.Join(dir, "bare")
	var head strings.Builder
	if err := res.Header.Write(&head); err != nil {
		return 0, "", err
	}
	if err := os.WriteFile(dir, []byte(head.String()+"\r\n"+string(body)), 0o600); err != nil {
		return 0, "", err
	}
	return int64(len(body)), dir, nil
}

// startBare starts this program again, to serve the recorded answer from a process of its own.
func startBare(ctx context.Context, file string) (url string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-bare", file) //nolint:gosec // ourselves
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	stop = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	if err != nil {
		stop()
		return "", nil, err
	}
	return strings.TrimSpace(line), stop, nil
}

func serveBare(ctx context.Context, file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, body, _ := strings.Cut(string(raw), "\r\n\r\n")
	header := http.Header{}
	for line := range strings.SplitSeq(head, "\r\n") {
		if k, v, ok := strings.Cut(line, ": "); ok && k != "Date" {
			header.Set(k, v)
		}
	}
	bytes := []byte(body)
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/\n", l.Addr())
	srv := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), header)
		_, _ = w.Write(bytes)
	})}
	return srv.Serve(l)
}
