package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"
	"time"
)

// requests is what the load generator saw.
type requests struct {
	qps             float64
	p50, p99, worst time.Duration
	total, failed   int64
}

// fortio asks for url at an even rate, compressed as browsers do, and reads its report.
func fortio(ctx context.Context, o options, url string) (requests, error) {
	cmd := exec.CommandContext(ctx, o.fortio, "load", "-quiet", "-qps", strconv.Itoa(o.rate), "-c", "32", "-t", o.length.String(), "-p", "50,99", //nolint:gosec // idem
		"-H", "Accept-Encoding: gzip", "-H", "Authorization: Bearer "+token, "-json", "-", url)
	raw, err := cmd.Output()
	if err != nil {
		return requests{}, fmt.Errorf("fortio: %w", err)
	}
	var report struct {
		ActualQPS         float64
		RetCodes          map[string]int64
		DurationHistogram struct {
			Count       int64
			Max         float64
			Percentiles []struct{ Percentile, Value float64 }
		}
	}
	if err := json.Unmarshal(raw, &report); err != nil {
		return requests{}, fmt.Errorf("read fortio's report: %w", err)
	}
	h := report.DurationHistogram
	out := requests{qps: report.ActualQPS, worst: seconds(h.Max), total: h.Count, failed: h.Count - report.RetCodes["200"]}
	for _, p := range h.Percentiles {
		if p.Percentile == 50 {
			out.p50 = seconds(p.Value)
		} else {
			out.p99 = seconds(p.Value)
		}
	}
	return out, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
