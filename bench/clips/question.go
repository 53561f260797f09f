package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/connect/validate/vision"
)

// eager answers every question at once and counts its bytes.
type eager struct{ requests, bytes int }

// RoundTrip implements http.RoundTripper.
func (e *eager) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	e.requests, e.bytes = e.requests+1, e.bytes+len(body)
	one := `{\"soccer\":true,\"screen\":false,\"clock\":null,\"added\":null,\"stoppage_clock\":null,\"period\":null}`
	frames := strings.TrimSuffix(strings.Repeat(one+",", bytes.Count(body, []byte(`"Frame `))), ",")
	answer := `{"choices":[{"finish_reason":"stop","message":{"content":"{\"frames\":[` + frames + `]}"}}]}`
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer)), Request: r}, nil
}

// questions measures what a clip of each picture size costs to be shown to a model: bytes of its first question, and our own CPU
// time for scaling and cutting.
func questions(ctx context.Context, tool *media.Tool, c *corpus) error {
	seen := map[string]bool{}
	fmt.Printf("%-26s %-12s %9s %9s %9s\n", "a question of 3 frames", "lines", "requests", "KB", "ms of CPU")
	both := []vision.Corner{vision.TopLeft, vision.TopRight}
	for _, k := range c.clips {
		size := fmt.Sprintf("%dx%d", k.probe.Width, k.probe.Height)
		if k.Kind != "master" || seen[size] {
			continue
		}
		seen[size] = true
		d, err := tool.Decode(ctx, k.path, k.probe, media.Wants{}, nil)
		if err != nil || len(d.Frames) < 4 {
			return fmt.Errorf("decode %s: %d frames, %w", k.path, len(d.Frames), err)
		}
		var frames []validate.Frame
		for _, f := range d.Frames[1:4] {
			frames = append(frames, validate.Frame{At: f.At, JPEG: f.JPEG})
		}
		for _, o := range []vision.Options{{Corners: both}, {}, {Lines: 540, Corners: both}, {Lines: 360, Corners: both}, {Lines: 360}} {
			e := &eager{}
			client := httpx.New(httpx.Options{})
			client.Transport = e
			r := vision.New(o, llm.New(llm.Options{URL: "http://model.invalid/v1"}, client))
			before := usage(syscall.RUSAGE_SELF)
			if _, err := r.Read(ctx, frames, nil); err != nil {
				return err
			}
			text := fmt.Sprint(max(o.Lines, 0))
			if o.Lines == 0 {
				text = "all"
			}
			if len(o.Corners) > 0 {
				text += "+corners"
			}
			fmt.Printf("%-26s %-12s %9d %9d %9.0f\n", size, text, e.requests, e.bytes>>10, float64(usage(syscall.RUSAGE_SELF)-before)/float64(time.Millisecond))
		}
	}
	fmt.Println()
	return nil
}
