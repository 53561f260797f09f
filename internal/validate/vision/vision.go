// Package vision reads frames with a vision model: one question for all frames of a clip, one reading for each.
package vision

import (
	"context"
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/llm"
	"github.com/found-footy/found-footy/internal/validate"
)

// Options say how much the model may write.
type Options struct {
	TokensPerFrame int // 0 = 160
}

// Reader asks a model.
type Reader struct {
	o      Options
	client *llm.Client
}

var _ validate.Reader = (*Reader)(nil)

// New makes a reader.
func New(o Options, client *llm.Client) *Reader {
	if o.TokensPerFrame <= 0 {
		o.TokensPerFrame = 160
	}
	return &Reader{o: o, client: client}
}

// Name implements validate.Reader.
func (r *Reader) Name() string { return r.client.Name() }

// Ready implements validate.Reader.
func (r *Reader) Ready(ctx context.Context) error { return r.client.Ready(ctx) }

// Read implements validate.Reader.
func (r *Reader) Read(ctx context.Context, frames []validate.Frame, wait func()) ([]footy.Reading, error) {
	const op = "read frames"
	if len(frames) == 0 {
		return nil, footy.Errorf(footy.CodeInvalid, op, "no frames")
	}
	images := make([][]byte, len(frames))
	for i, f := range frames {
		if len(f.JPEG) == 0 {
			return nil, footy.Errorf(footy.CodeInvalid, op, "frame %d at %.1f s is empty", i+1, f.At)
		}
		images[i] = f.JPEG
	}
	out := modelAnswer{want: len(frames)}
	err := r.client.JSON(ctx, llm.Request{System: system, Prompt: fmt.Sprintf(prompt, len(frames)), Images: images,
		SchemaName: "frames", Schema: schema(len(frames)), MaxTokens: 64 + r.o.TokensPerFrame*len(frames)}, &out, wait)
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	readings := make([]footy.Reading, len(frames))
	for i, f := range out.Frames {
		readings[i] = footy.Reading{At: frames[i].At, Soccer: *f.Soccer, Screen: *f.Screen,
			Clock: shown(f.Clock), Added: shown(f.Added), StoppageClock: shown(f.StoppageClock), Period: shown(f.Period)}
	}
	return readings, nil
}

// shown is the text of a field; models without a schema write "null" or "none" where they mean nothing.
func shown(s *string) string {
	if s == nil {
		return ""
	}
	text := strings.TrimSpace(*s)
	switch strings.ToLower(strings.Trim(text, ".")) {
	case "", "null", "none", "n/a", "na", "-", "nil", "unknown", "not visible", "not shown", "--:--":
		return ""
	}
	return text
}
