// Command browser measures the search service in a real Chromium against a simulated X: what a search costs in calls,
// processor time and memory, with one tab and with four, and what it costs to do nothing; then it plays a busy evening.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/bench/browser/evening"
	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
)

func main() {
	site := flag.Bool("site", false, "be the simulated X (started by the command itself)")
	n := flag.Int("n", 12, "searches of each row")
	idle := flag.Duration("idle", 15*time.Second, "how long to watch an idle service")
	chromium := flag.String("chromium", "chromium", "the browser")
	flag.Parse()
	run := func() error { return measure(*n, *idle, *chromium) }
	if *site {
		run = serveSite
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench/browser:", err)
		os.Exit(1)
	}
}

func measure(n int, idle time.Duration, chromium string) error {
	if _, err := exec.LookPath(chromium); err != nil {
		return fmt.Errorf("%w; install it (make chromium)", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	x, err := startSite(ctx)
	if err != nil {
		return err
	}
	defer x.stop()
	fmt.Printf("A search in Chromium against a simulated X; the site is a process of its own and not counted.\n"+
		"%4s %5s %9s %8s %8s %8s %9s %9s %9s %9s\n", "tabs", "pages", "searches", "calls", "wall s", "cpu s", "service s", "chrome s", "peak MB", "service")
	for _, tabs := range []int{1, 4} {
		if err := rows(ctx, x, tabs, n, idle, chromium); err != nil {
			return err
		}
	}
	fmt.Println("\ncalls, seconds: of one search; cpu = service + Chromium. MB: of service and Chromium together, what processes share\n" +
		"counted once; service: of it alone. A search of three pages needs a fourth call to learn that it is at its end.")
	fmt.Println("\nForty goals in fourteen matches, simulated time (go test -v ./bench/browser/evening shows each goal):")
	if err := evenings(); err != nil {
		return err
	}
	fmt.Println("\nThe same with other searches, twenty draws each:")
	return times()
}

// rows measures one service: searches of one page, of three pages, and nothing at all.
func rows(ctx context.Context, x *site, tabs, n int, idle time.Duration, chromium string) error {
	dir, err := os.MkdirTemp("", "footy-bench-browser-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o := browser.Options{BaseURL: x.url, Dir: filepath.Join(dir, "x"), Chromium: chromium, Tabs: tabs, Budget: quota.Options{Limit: 1 << 20}}
	raw, err := json.Marshal([]map[string]any{
		{"name": "auth_token", "value": session, "domain": "127.0.0.1"}, {"name": "ct0", "value": xsite.CSRF(session), "domain": "127.0.0.1"}})
	if err != nil {
		return err
	}
	if _, err := browser.ImportCookies(raw, "", o); err != nil {
		return err
	}
	s := browser.New(o)
	defer s.Close()
	if login, why := s.Authenticate(ctx); login != "ok" {
		return fmt.Errorf("not logged in to the simulated X: %s %s", login, why)
	}
	for _, pages := range []int{1, 3} {
		b, err := busy(ctx, s, x, tabs, n, pages)
		if err != nil {
			return err
		}
		per := float64(n)
		fmt.Printf("%4d %5d %9d %8.1f %8.2f %8.2f %9.3f %9.2f %9.0f %9.0f\n", tabs, pages, n, float64(b.calls)/per, b.wall.Seconds()/per,
			(b.self+b.chrome).Seconds()/per, b.self.Seconds()/per, b.chrome.Seconds()/per, b.peak, b.service)
	}
	before, err := look(x.pid)
	if err != nil {
		return err
	}
	<-time.After(idle)
	after, err := look(x.pid)
	if err != nil {
		return err
	}
	share := func(d time.Duration) float64 { return 100 * d.Seconds() / idle.Seconds() }
	fmt.Printf("%4d  idle: service %.2f %% and Chromium %.2f %% of one core, %.0f MB\n", tabs, share(after.self-before.self), share(after.chrome-before.chrome), after.mb)
	return nil
}

// times compares when searches are made.
func times() error {
	for _, e := range []struct {
		name   string
		spread time.Duration
	}{{"three waves of kickoffs", 4 * time.Hour}, {"all at once", 0}} {
		for _, at := range []struct {
			name string
			at   []time.Duration
		}{{"one a minute", evening.EveryMinute()}, {"dense, then sparser", nil}} {
			o := evening.Defaults()
			o.Spread, o.At = e.spread, at.at
			r, err := evening.Draws(o, 20)
			if err != nil {
				return err
			}
			got, of, median, upper := r.Clips()
			fmt.Printf("%-24s %-20s clips of %d of %d goals, after %s (median) and %s (upper quartile), %.2f calls a goal\n", e.name, at.name, got, of,
				median.Round(time.Second), upper.Round(time.Second), r.CallsEach())
		}
	}
	return nil
}

func evenings() error {
	for _, e := range []struct {
		name string
		set  func(*evening.Options)
	}{
		{"three waves of kickoffs", func(o *evening.Options) { o.Spread = 4 * time.Hour }},
		{"all at once", func(*evening.Options) {}},
		{"all at once, no sharing", func(o *evening.Options) { o.Alone = true }},
		{"all at once, X down for 15 min", func(o *evening.Options) { o.Outage = 15 * time.Minute }},
	} {
		o := evening.Defaults()
		e.set(&o)
		r, err := evening.Play(o)
		if err != nil {
			return err
		}
		fmt.Printf("%-31s %s\n", e.name, r)
		for i, g := range r.Goals {
			if g.Lost != "" && !o.Alone && o.Outage == 0 {
				fmt.Printf("%31s goal %d (match %d, minute %.0f): %d searches, %s\n", "", i+1, g.Match, g.After.Minutes(), g.Usable, g.Lost)
			}
		}
	}
	return nil
}
