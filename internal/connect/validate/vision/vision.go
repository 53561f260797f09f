// Package vision reads frames with a vision model: one question for all frames of a clip, one reading for each.
package vision

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options say what the model is shown.
type Options struct {
	Lines int              // height of a frame at most; 0 = 1080
	Now   func() time.Time // nil = time.Now
}

// Reader asks a model. It remembers how large a question the model takes.
type Reader struct {
	o      Options
	client *llm.Client

	mu     sync.Mutex
	memory memory
}

var _ validate.Reader = (*Reader)(nil)

// New makes a reader.
func New(o Options, client *llm.Client) *Reader {
	o.Lines = cmp.Or(max(o.Lines, 0), defaultMax)
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Reader{o: o, client: client}
}

// Name implements validate.Reader.
func (r *Reader) Name() string { return r.client.Name() }

// Ready implements validate.Reader.
func (r *Reader) Ready(ctx context.Context) error { return r.client.Ready(ctx) }

// Read implements validate.Reader. A question that is more than the model takes, or takes too long, is put again with smaller
// pictures, then with fewer; what it took is where the next question begins.
func (r *Reader) Read(ctx context.Context, frames []validate.Frame, kinds ...footy.KindInfo) ([]footy.Reading, error) {
	const op = "read frames"
	all, err := newFrames(op, frames)
	if err != nil {
		return nil, err
	}
	began := r.begin()
	level := began
	var failed error
	var tried []question
	for ; level < len(sizes()); level++ {
		questions := r.questions(all, sizes()[level])
		if slices.EqualFunc(tried, questions, question.same) { // of a small clip several sizes are one
			continue
		}
		asked := r.o.Now()
		out, err := r.ask(ctx, topic{clock: true, kinds: kinds}, questions)
		if err == nil {
			r.learn(began, level, tooMuch(failed), r.o.Now().Sub(asked))
			return out, nil
		}
		why := tooMuch(err)
		if why == "" || ctx.Err() != nil {
			return nil, footy.Wrap(footy.CodeUnavailable, op, err)
		}
		failed, tried = err, questions
		if why == footy.ReasonModelSlow {
			level = max(level, afterLate-1)
		}
	}
	r.learn(began, level-1, tooMuch(failed), soon)
	return nil, footy.Wrap(footy.CodeUnavailable, op, failed)
}

// Look implements validate.Reader. What a picture is can be told in little of it.
func (r *Reader) Look(ctx context.Context, frames []validate.Frame, kinds ...footy.KindInfo) ([]footy.Reading, error) {
	const op = "look at frames"
	all, err := newFrames(op, frames)
	if err != nil {
		return nil, err
	}
	out, err := r.ask(ctx, topic{kinds: kinds}, r.questions(all, size{lines: small}))
	if tooMuch(err) != "" && len(all) > 1 && ctx.Err() == nil {
		out, err = r.ask(ctx, topic{kinds: kinds}, r.questions(all, size{lines: small, alone: true}))
	}
	return out, footy.Wrap(footy.CodeUnavailable, op, err)
}

func newFrames(op string, frames []validate.Frame) ([]*frame, error) {
	if len(frames) == 0 {
		return nil, footy.Errorf(footy.CodeInvalid, op, "no frames")
	}
	all := make([]*frame, len(frames))
	for i, f := range frames {
		if len(f.JPEG) == 0 {
			return nil, footy.Errorf(footy.CodeInvalid, op, "frame %d at %.1f s is empty", i+1, f.At)
		}
		all[i] = newFrame(f)
	}
	return all, nil
}

// question is some frames and the pictures that show them.
type question struct {
	frames   []*frame
	pictures []llm.Image
}

func (q question) same(o question) bool {
	return slices.EqualFunc(q.pictures, o.pictures, func(a, b llm.Image) bool { return len(a.JPEG) == len(b.JPEG) })
}

func (r *Reader) questions(frames []*frame, s size) []question {
	if !s.alone {
		return []question{{frames, r.pictures(frames, s)}}
	}
	var out []question
	for _, f := range frames {
		one := []*frame{f}
		out = append(out, question{one, r.pictures(one, s)})
	}
	return out
}

// topic is what a question asks about.
type topic struct {
	clock bool             // else the picture alone
	kinds []footy.KindInfo // of events that a frame may show
}

func (r *Reader) ask(ctx context.Context, about topic, questions []question) ([]footy.Reading, error) {
	var out []footy.Reading
	for _, q := range questions {
		answer := modelAnswer{want: len(q.frames)}
		n := len(q.frames)
		ask := llm.Request{System: system, Prompt: about.prompt(n), Images: q.pictures, SchemaName: "frames", Schema: about.schema(n), MaxTokens: about.tokens(n)}
		if about.clock && len(q.pictures) > n {
			ask.Prompt += cornerPrompt
		}
		if err := r.client.JSON(ctx, ask, &answer); err != nil {
			return nil, err
		}
		for i, f := range answer.Frames {
			one := footy.Reading{At: q.frames[i].At, Soccer: *f.Soccer, Screen: *f.Screen}
			if len(about.kinds) > 0 {
				one.Shows = strings.ReplaceAll(strings.ToLower(shown(f.Shows)), " ", "_")
			}
			if about.clock {
				one.Clock, one.Added, one.StoppageClock, one.Period = shown(f.Clock), shown(f.Added), shown(f.StoppageClock), shown(f.Period)
			}
			out = append(out, one)
		}
	}
	return out, nil
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
