package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// watch counts containers and what each of them did, from outside, for as long as a day lasts: those that are scaled away take their
// figures with them.
type watch struct {
	*composed
	end   context.CancelFunc
	ended chan struct{}

	least, most map[string]int            // containers that ran at once, by service
	at          map[string]string         // where a container serves its figures, by id
	did         map[string]map[string]int // service -> container -> searches, or posts fetched
}

// works are the figures that say what the containers of a service did.
func works() map[string]string {
	return map[string]string{"worker": "footy_downloads_total", "browser": "footy_searches_total", "browser2": "footy_searches_total"}
}

func (c *composed) watch(ctx context.Context) *watch {
	w := &watch{composed: c, ended: make(chan struct{}), least: map[string]int{}, most: map[string]int{}, at: map[string]string{}, did: map[string]map[string]int{}}
	ctx, w.end = context.WithCancel(ctx)
	go func() {
		defer close(w.ended)
		tick := time.NewTicker(2 * time.Second)
		defer tick.Stop()
		for {
			w.look(ctx)
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return w
}

func (w *watch) stop() {
	w.end()
	<-w.ended
}

func (w *watch) look(ctx context.Context) {
	all, err := w.Containers(ctx)
	if err != nil {
		return // the next look
	}
	now := map[string]int{"worker": 0, "browser": 0}
	var asked sync.WaitGroup
	var mu sync.Mutex
	for _, one := range all {
		figure, ok := works()[one.Service]
		if !ok || !one.Running {
			continue
		}
		now[strings.TrimRight(one.Service, "0123456789")]++
		if w.at[one.ID] == "" {
			if is, err := w.Inspect(ctx, one.ID); err == nil {
				w.at[one.ID] = is.NetworkSettings.Networks[w.Project+"_default"].IPAddress
			}
		}
		at := w.at[one.ID]
		asked.Go(func() {
			n, err := sum(ctx, "http://"+at+":9100/metrics", figure)
			if err != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if w.did[one.Service] == nil {
				w.did[one.Service] = map[string]int{}
			}
			w.did[one.Service][one.ID] = max(n, w.did[one.Service][one.ID]) // less after a restart
		})
	}
	asked.Wait()
	for service, n := range now {
		if least, ok := w.least[service]; !ok || n < least {
			w.least[service] = n
		}
		w.most[service] = max(n, w.most[service])
	}
}

// sum adds a figure up, whatever its labels.
func sum(ctx context.Context, url, figure string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	total, lines := 0.0, bufio.NewScanner(res.Body)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), " "); ok && (name == figure || strings.HasPrefix(name, figure+"{")) {
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return 0, err
			}
			total += n
		}
	}
	return int(total), lines.Err()
}

// tell reports what was seen; each account must have searched, and more than one worker fetched.
func (w *watch) tell(r *report) {
	per := func(service string) []int {
		var out []int
		for _, n := range w.did[service] {
			out = append(out, n)
		}
		slices.SortFunc(out, func(a, b int) int { return b - a })
		return out
	}
	r.note("workers: %d to %d at once, posts fetched by each %v", w.least["worker"], w.most["worker"], per("worker"))
	var searches []int
	for _, b := range browsers() {
		n := 0
		for _, m := range per(b) {
			n += m
		}
		if searches = append(searches, n); n == 0 {
			r.fail("the account of " + b + " made no search")
		}
	}
	r.note("browsers: %d to %d at once, searches by each account %v", w.least["browser"], w.most["browser"], searches)
	if n := slices.DeleteFunc(per("worker"), func(n int) bool { return n == 0 }); len(n) < 2 {
		r.fail(fmt.Sprintf("%d workers fetched posts", len(n)))
	}
}

// scales reports whether containers of a service come and go with the work.
func (c *composed) scales(service string) bool {
	_, ok := works()[service]
	return ok
}

// scaled waits until the scaler is back where the day began, with one of each, and reads from its log what it did on the way.
func (c *composed) scaled(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, containersPatience)
	defer cancel()
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	var left map[string]int
	for done := false; !done; {
		left = map[string]int{}
		all, err := c.Containers(ctx, "worker", "browser", "browser2")
		for _, one := range all {
			if one.Running {
				left[strings.TrimRight(one.Service, "0123456789")]++
			}
		}
		if done = err == nil && left["worker"] == 1 && left["browser"] == 1; done {
			break
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			c.report.fail(fmt.Sprintf("the scaler leaves %d workers and %d browsers when nothing is to be done", left["worker"], left["browser"]))
			done = true
		}
	}
	c.readScaler(context.WithoutCancel(ctx))
}

// readScaler notes each change that the scaler logged. Both services must have grown and shrunk.
func (c *composed) readScaler(ctx context.Context) {
	all, err := c.Containers(ctx, "scaler")
	if err != nil || len(all) != 1 {
		c.report.fail(fmt.Sprintf("%d containers of the scaler: %v", len(all), err))
		return
	}
	text, err := c.Docker(ctx, "logs", all[0].ID)
	if err != nil {
		c.report.fail(err.Error())
		return
	}
	c.report.changes(text, c.began)
}

// changes reads a scaler's log.
func (r *report) changes(text string, began time.Time) {
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		var row struct {
			TS       time.Time `json:"ts"`
			Msg      string    `json:"msg"`
			Service  string    `json:"service"`
			From, To int
		}
		if json.Unmarshal([]byte(line), &row) != nil || !strings.HasPrefix(row.Msg, "scales "+row.Service+":") {
			continue
		}
		r.note("%6.1f s  %s", row.TS.Sub(began).Seconds(), row.Msg)
		seen[row.Service+map[bool]string{true: " grew", false: " shrank"}[row.To > row.From]] = true
	}
	for _, what := range []string{"worker grew", "worker shrank", "browser grew", "browser shrank"} {
		if !seen[what] {
			r.fail("the scaler's log does not say that the number of " + strings.Replace(what, " ", "s ", 1))
		}
	}
}
