// Package trial shows a vision model pictures that were drawn for it, and finds what it reads right, how fast, and how many
// questions at once help. Nothing of a match is touched.
package trial

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/rule/modelpace"
	"github.com/found-footy/found-footy/internal/validate"
	"golang.org/x/sync/errgroup"
)

// Options of a trial.
type Options struct {
	// Reader asks the model, MostAtOnce questions at the same time if it is let.
	Reader   validate.Reader
	SlotsSet int                 // what the settings say
	Progress func(asked, of int) // called after each question; nil: nobody
	Patience time.Duration       // several at once are left out if they would take longer; 0 = 10 min
	Now      func() time.Time    // nil = time.Now
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
		o.Progress = func(int, int) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Patience <= 0 {
		o.Patience = 10 * time.Minute
	}
	r := &run{Options: o, out: health.ModelTest{At: o.Now(), SlotsSet: o.SlotsSet, ClipsPerGoal: modelpace.ClipsPerGoal}}
	if err := r.reading(ctx); err != nil {
		return r.out, err
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
	if err := r.atOnce(ctx); err != nil {
		return r.out, err
	}
	r.choose()
	return r.out, nil
}

type run struct {
	Options
	out health.ModelTest

	mu        sync.Mutex
	asked, of int
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
	r.of = len(all) + (len(atOnce())-1)*perRound
	var took []float64
	var answers []shown
	junk := 0
	for _, some := range all {
		q, err := newQuestion(some)
		if err != nil {
			return err
		}
		began := r.Now()
		read, err := r.ask(ctx, q)
		if ctx.Err() != nil {
			return ctx.Err()
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
	if r.out.PaceLeftOut = rest > r.Patience; r.out.PaceLeftOut {
		return nil
	}
	for round, n := range atOnce()[1:] {
		var all []question
		for some := range slices.Chunk(scenes(round + 1)[:perRound*perQuestion], perQuestion) {
			q, err := newQuestion(some)
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
			return ctx.Err()
		}
		r.out.Pace = append(r.out.Pace, pace(n, len(all), r.Now().Sub(began).Seconds()))
	}
	return nil
}

// choose finds as many at once as bring something.
func (r *run) choose() {
	best := modelpace.Helpful(r.out.Pace)
	r.out.GoalsAnHour = modelpace.Goals(best.QuestionsAnHour)
	if len(r.out.Pace) > 1 {
		r.out.SlotsBest = best.AtOnce
	}
}

// question is some scenes and their pictures, which are drawn before the time is taken.
type question struct {
	scenes []scene
	frames []validate.Frame
}

func newQuestion(scenes []scene) (question, error) {
	q := question{scenes: scenes}
	for i, s := range scenes {
		data, err := s.drawn()
		if err != nil {
			return question{}, err
		}
		q.frames = append(q.frames, validate.Frame{At: float64(2*i + 1), JPEG: data})
	}
	return q, nil
}

func (r *run) ask(ctx context.Context, q question) ([]shown, error) {
	readings, err := r.Reader.Read(ctx, q.frames, nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	r.Progress(r.asked, r.of)
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
	if got == "" {
		got = "nothing"
	}
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
