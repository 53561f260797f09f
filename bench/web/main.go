// Command web measures the page under load: a day of 200 matches that changes every second, 500 readers of the live stream
// and 200 requests a second by fortio, all in one run against bin/footy as its own process.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

type options struct {
	footy, fortio  string
	readers, slow  int
	rate, fixtures int
	length         time.Duration
	abuse          bool
}

func main() {
	var o options
	bare := flag.String("bare", "", "serve this recorded answer and nothing else")
	flag.StringVar(&o.footy, "footy", "bin/footy", "program to measure")
	flag.StringVar(&o.fortio, "fortio", "fortio", "load generator")
	flag.IntVar(&o.readers, "readers", 500, "readers of the live stream")
	flag.IntVar(&o.slow, "slow", 10, "further readers that read nothing, in the second half")
	flag.IntVar(&o.rate, "rate", 200, "requests a second on the day page")
	flag.IntVar(&o.fixtures, "fixtures", 200, "matches of the day")
	flag.DurationVar(&o.length, "for", 15*time.Second, "length of each half")
	flag.BoolVar(&o.abuse, "abuse", false, "attack the page instead, as from many addresses (Linux)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	if *bare != "" {
		err = serveBare(ctx, *bare)
	} else {
		err = run(ctx, o)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "footy-bench-web-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	day, err := newDay(ctx, dir, o.fixtures)
	if err != nil {
		return err
	}
	defer day.store.Close() //nolint:errcheck // thrown away
	page, err := startPage(ctx, o.footy, dir)
	if err != nil {
		return err
	}
	defer page.stop()
	if o.abuse {
		return abuse(ctx, page, "/day/"+day.date)
	}
	url := page.url + "/day/" + day.date
	if err := compare(ctx, url, dir, day, page); err != nil {
		return err
	}
	before, err := page.memory(ctx)
	if err != nil {
		return err
	}
	crowd := newCrowd(page.addr())
	defer crowd.close()
	if err := crowd.join(ctx, o.readers); err != nil {
		return err
	}
	after, err := page.memory(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d readers of the live stream: %.1f KB resident and %.1f KB of Go memory each\n", o.readers,
		(after.resident-before.resident)/float64(o.readers)/1024, (after.inuse-before.inuse)/float64(o.readers)/1024)
	for _, half := range []string{"all readers read", fmt.Sprintf("%d more readers that read nothing", o.slow)} {
		if err := load(ctx, o, half, url, day, page, crowd); err != nil {
			return err
		}
		if err := crowd.ignore(ctx, o.slow); err != nil {
			return err
		}
	}
	return nil
}

// load is one half: requests and changes at once.
func load(ctx context.Context, o options, name, url string, day *day, page *page, crowd *crowd) error {
	crowd.reset()
	changing, done := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- day.change(changing, page, time.Second, crowd.published) }()
	got, err := fortio(ctx, o, url)
	done()
	if changed := <-ended; err == nil {
		err = changed
	}
	if err != nil {
		return err
	}
	fmt.Printf("\n%s, one change a second, %d requests a second wanted:\n", name, o.rate)
	fmt.Printf("  day page: %.1f answers/s, p50 %s, p99 %s, worst %s, %d of %d not 200\n", got.qps, ms(got.p50), ms(got.p99), ms(got.worst), got.failed, got.total)
	p50, p99, worst, heard, of := crowd.heard()
	fmt.Printf("  live stream: a change reaches a reader after p50 %s, p99 %s, worst %s; %d of %d notes heard\n", ms(p50), ms(p99), ms(worst), heard, of)
	m, err := page.memory(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("  page process: %.0f MB resident, %.0f readers dropped\n", m.resident/(1<<20), m.dropped)
	return nil
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }
