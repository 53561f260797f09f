// Package trial shows a vision model pictures that were drawn for it, and finds what it reads right, how fast, and how many
// questions at once help. Nothing of a match is touched.
package trial

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/decide/clip/modelpace"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
	"golang.org/x/sync/errgroup"
)

// Options of a trial.
type Options struct {
	// Reader asks the model, MostAtOnce questions at the same time if it is let.
	Reader   validate.Reader
	SlotsSet int // what the settings say
	// AskedPerGoal is about how many clips of a goal it is asked; 0: as is usual.
	AskedPerGoal float64
	Progress     func(health.ModelTestStep) // called at each step, and now and then while nothing comes; nil: nobody
	Limits       Limits
	Now          func() time.Time // nil = time.Now

	draw func(scene) ([]byte, error) // nil = scene.drawn
}

// Limits are how long a trial waits; zeros are those of DefaultLimits.
type Limits struct {
	Silent   time.Duration // for a server that says nothing
	Loading  time.Duration // for one that says that its model is loading
	Question time.Duration // for an answer, smaller pictures tried meanwhile included
	Whole    time.Duration // for everything
	Several  time.Duration // for several questions at once, which are left out if they would take longer
	Tell     time.Duration // between two words of progress while nothing comes
	Poll     time.Duration // between two looks whether the server is ready
}

// DefaultLimits hold where nothing else is said.
func DefaultLimits() Limits {
	return Limits{Silent: 30 * time.Second, Loading: 5 * time.Minute, Question: 5 * time.Minute, Whole: 15 * time.Minute, Several: 10 * time.Minute, Tell: 10 * time.Second, Poll: 2 * time.Second}
}

func (l Limits) filled() Limits {
	d := DefaultLimits()
	return Limits{cmp.Or(l.Silent, d.Silent), cmp.Or(l.Loading, d.Loading), cmp.Or(l.Question, d.Question), cmp.Or(l.Whole, d.Whole), cmp.Or(l.Several, d.Several), cmp.Or(l.Tell, d.Tell), cmp.Or(l.Poll, d.Poll)}
}

// Announcement says what a trial does and how long it takes at most.
func Announcement(server string) string {
	l := DefaultLimits()
	return fmt.Sprintf("showing the model at %s %d drawn pictures, a few in a question, then several questions at once; this takes %s at most. "+
		"A server that says nothing is given up after %s, one that is loading after %s, a question after %s.",
		server, Pictures, explain.Span(l.Whole), explain.Span(l.Silent), explain.Span(l.Loading), explain.Span(l.Question))
}

// MostAtOnce is how many questions a trial puts at the same time.
const MostAtOnce = 4

// Pictures is how many are judged.
const Pictures = 20

const (
	perQuestion = 3 // frames, as of a clip
	perRound    = 4 // questions that are put several at once
)

// Run shows the pictures. What is wrong with the model is a result; an error is the caller's end, or ours.
func Run(ctx context.Context, o Options) (health.ModelTest, error) {
	if o.Progress == nil {
		o.Progress = func(health.ModelTestStep) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.draw == nil {
		o.draw = scene.drawn
	}
	o.Limits = o.Limits.filled()
	r := &run{Options: o, out: health.ModelTest{At: o.Now(), SlotsSet: o.SlotsSet, ClipsPerGoal: cmp.Or(o.AskedPerGoal, modelpace.AskedPerGoal)}}
	whole, cancel := context.WithTimeoutCause(ctx, o.Limits.Whole, errTimeUp)
	defer cancel()
	if err := r.ready(whole); err != nil {
		return r.out, err
	}
	if r.out.Trouble == "" {
		if err := r.reading(whole); err != nil {
			return r.out, err
		}
	}
	r.out.Model = o.Reader.Name()
	if r.out.Trouble == "" {
		s := o.Reader.Showing()
		r.out.Lines, r.out.Corners, r.out.Alone, r.out.Reduced = s.Lines, s.Corners, s.Alone, s.Reduced
	}
	if !r.out.Usable() { // how fast is of no interest
		r.out.Pace = nil
		return r.out, nil
	}
	if err := r.atOnce(whole); err != nil {
		return r.out, err
	}
	r.choose()
	return r.out, nil
}

type run struct {
	Options
	out health.ModelTest

	mu   sync.Mutex
	step health.ModelTestStep
}

// shown is a scene with what was read of it.
type shown struct {
	scene
	read footy.Reading
}

// reading puts all pictures, one question at a time. It ends at the first trouble that the next question would meet, too; an
// answer that nobody can read may be an odd one, two are a trouble.
func (r *run) reading(ctx context.Context) error {
	all := slices.Collect(slices.Chunk(scenes(0), perQuestion))
	r.step = health.ModelTestStep{Of: len(all) + (len(atOnce())-1)*perRound, Pictures: Pictures, AtMost: r.Limits.Question}
	var took []float64
	var answers []shown
	junk := 0
	for _, some := range all {
		q, err := newQuestion(some, r.draw)
		if err != nil {
			return err
		}
		r.step.Picture += len(some)
		r.tell(0)
		began := r.Now()
		read, err := r.ask(ctx, q)
		if ended(ctx) {
			return ctx.Err()
		}
		if ctx.Err() != nil {
			r.timeUp(len(answers))
			break
		}
		if why := footy.ReasonOf(err); err != nil {
			if why == footy.ReasonModelJunk {
				junk++
			}
			if why != footy.ReasonModelJunk || junk > 1 {
				r.out.Trouble, r.out.Detail = why, footy.RootCause(err)
				break
			}
			continue
		}
		took = append(took, r.Now().Sub(began).Seconds())
		answers = append(answers, read...)
	}
	r.judge(answers)
	if len(took) == 0 {
		return nil
	}
	sum := 0.0
	for _, s := range took {
		sum += s
	}
	slices.Sort(took)
	r.out.MedianSeconds, r.out.WorstSeconds = took[len(took)/2], took[len(took)-1]
	r.out.Pace = append(r.out.Pace, pace(1, len(took), sum))
	return nil
}

func atOnce() []int { return []int{1, 2, MostAtOnce} }

func pace(n, questions int, seconds float64) modelpace.Pace {
	return modelpace.Pace{AtOnce: n, QuestionsAnHour: float64(questions) / max(seconds, 1e-6) * time.Hour.Seconds()}
}

// atOnce puts several questions at the same time. What fails here says that so many at once are too many, nothing else.
func (r *run) atOnce(ctx context.Context) error {
	rest := time.Duration(r.out.MedianSeconds * float64(perRound*(len(atOnce())-1)) * float64(time.Second))
	left := r.Limits.Whole - r.Now().Sub(r.out.At)
	if r.out.PaceLeftOut = r.out.TimeUp || rest > min(left, r.Limits.Several); r.out.PaceLeftOut {
		return nil
	}
	r.step.Picture = 0
	r.tell(0)
	for round, n := range atOnce()[1:] {
		var all []question
		for some := range slices.Chunk(scenes(round + 1)[:perRound*perQuestion], perQuestion) {
			q, err := newQuestion(some, r.draw)
			if err != nil {
				return err
			}
			all = append(all, q)
		}
		var g errgroup.Group
		g.SetLimit(n)
		began := r.Now()
		for _, q := range all {
			g.Go(func() error {
				_, err := r.ask(ctx, q)
				return err
			})
		}
		if err := g.Wait(); err != nil {
			if ended(ctx) {
				return ctx.Err()
			}
			return nil
		}
		r.out.Pace = append(r.out.Pace, pace(n, len(all), r.Now().Sub(began).Seconds()))
	}
	return nil
}

// choose finds as many at once as bring something.
func (r *run) choose() {
	best := modelpace.Helpful(r.out.Pace)
	r.out.GoalsAnHour = modelpace.Goals(best.QuestionsAnHour, r.out.ClipsPerGoal)
	if len(r.out.Pace) > 1 {
		r.out.SlotsBest = best.AtOnce
	}
}

// question is some scenes and their pictures, which are drawn before the time is taken.
type question struct {
	scenes []scene
	frames []validate.Frame
}

func newQuestion(scenes []scene, draw func(scene) ([]byte, error)) (question, error) {
	q := question{scenes: scenes}
	for i, s := range scenes {
		data, err := draw(s)
		if err != nil {
			return question{}, err
		}
		q.frames = append(q.frames, validate.Frame{At: float64(2*i + 1), JPEG: data})
	}
	return q, nil
}

func (r *run) ask(ctx context.Context, q question) ([]shown, error) {
	limited, cancel := context.WithTimeout(ctx, r.Limits.Question)
	defer cancel()
	began, told := r.Now(), time.Duration(0)
	readings, err := r.Reader.Read(limited, q.frames, func() {
		if waited := r.Now().Sub(began); waited-told >= r.Limits.Tell {
			told = waited
			r.tell(waited)
		}
	})
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = &footy.Error{Code: footy.CodeUnavailable, Op: "ask model", Reason: footy.ReasonModelSlow,
			Err: fmt.Errorf("a question had none within %s, smaller pictures tried meanwhile included", explain.Span(r.Limits.Question))}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.step.Asked++
	if r.step.Picture == 0 {
		r.Progress(r.step)
	}
	if err != nil {
		return nil, err
	}
	out := make([]shown, len(q.scenes))
	for i, s := range q.scenes {
		out[i] = shown{s, readings[i]}
	}
	return out, nil
}

// judge compares what was read with what was drawn.
func (r *run) judge(answers []shown) {
	of := map[kind]*health.ModelTestKind{}
	for _, k := range kinds() {
		of[k] = &health.ModelTestKind{Name: string(k)}
	}
	r.out.Alike = len(answers) > perQuestion
	for _, a := range answers {
		k := of[a.kind]
		k.Shown++
		r.out.Pictures++
		if a.kind != other {
			r.out.Matches++
			if a.read.Soccer {
				r.out.Football++
			}
		}
		first, here := answers[0].read, a.read
		first.At, here.At = 0, 0
		r.out.Alike = r.out.Alike && first == here
		if miss := a.miss(); miss != "" {
			k.Misses = append(k.Misses, miss)
			continue
		}
		k.Right++
		r.out.Right++
		if a.kind == phone || a.kind == other {
			r.out.Others++
		} else {
			r.out.Clocks++
		}
	}
	for _, k := range kinds() {
		r.out.Kinds = append(r.out.Kinds, *of[k])
	}
}

// miss says what is wrong with a reading; "" if nothing is.
func (a shown) miss() string {
	switch {
	case a.kind == phone && !a.read.Screen:
		return "taken for footage that was not filmed off a screen"
	case a.kind == other && a.read.Soccer:
		return "taken for football"
	case a.kind == phone || a.kind == other:
		return ""
	}
	got, want := a.read.Clock, a.clock()
	if a.timer >= 0 {
		got, want = joined(a.read.Clock, a.read.StoppageClock), joined(a.clock(), minutes(a.timer))
	}
	if plain(got) == plain(want) {
		return ""
	}
	got = cmp.Or(got, "nothing")
	return fmt.Sprintf("%s read as %s", want, got)
}

func joined(clock, timer string) string {
	if timer == "" {
		return clock
	}
	return clock + " and " + timer
}

// plain leaves out what models write in different ways: signs, blanks, leading noughts.
func plain(clock string) string {
	var out []string
	for _, part := range strings.Split(clock, " and ") {
		out = append(out, strings.TrimLeft(strings.NewReplacer("+", "", " ", "", "'", "").Replace(part), "0"))
	}
	return strings.Join(out, " ")
}
