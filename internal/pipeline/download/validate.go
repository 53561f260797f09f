package download

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
)

// Validate is Validate, as workflows call it.
var Validate = policy.Define[ValidateInput, ValidateResult]("validate_video_is_soccer", policy.Row{Queue: policy.QueueVision, Timeout: 15 * time.Minute, Heartbeat: 30 * time.Second, Pause: 2 * time.Second,
	Why: "some clips of a Download; each verdict is kept as it comes, so a retry goes on where it stopped"})

// turn is how long one Download keeps the model before other goals have theirs. It is the machine's time, never scaled.
const turn = 2 * time.Minute

// Validate judges posts of a Download, one after the other, and keeps each verdict as it comes: a try that dies asks nothing
// twice. A post without a verdict waits: fail closed. After a while it hands the model's slot on and says what is left. Upload is
// told of what was accepted, and that nothing of the Download is left: the event may be complete.
func (a *Activities) Validate(ctx context.Context, in ValidateInput) (ValidateResult, error) {
	stop := policy.Heartbeats(ctx) // storage and model have deadlines of their own
	defer stop()
	out, err := a.judgePosts(ctx, in)
	if out.Queued = err == nil && (out.Accepted > 0 || in.Last && len(out.Left) == 0); out.Queued {
		err = a.Queue(ctx, in.Input)
	}
	return out, err
}

func (a *Activities) judgePosts(ctx context.Context, in ValidateInput) (ValidateResult, error) {
	var out ValidateResult
	start := a.Now()
	var down error // why the model can be asked nothing at all
	posts, err := a.inOrder(ctx, in)
	if err != nil {
		return out, err
	}
	for i, id := range posts {
		if i > 0 && down == nil && (a.Now().Sub(start) >= turn || in.First && out.Accepted > 0) {
			out.Left = posts[i:]
			return out, nil
		}
		p, err := a.Store.Post(ctx, in.EventUID, id)
		if err != nil {
			return out, err
		}
		if p.State == footy.PostFetched && p.Download == in.Download {
			if p, down, err = a.judgePost(ctx, p, down); err != nil {
				return out, err
			}
		}
		switch p.State {
		case footy.PostWaiting:
			out.Waiting++
		case footy.PostRefused:
			out.Rejected++
		default:
			out.Accepted++
		}
	}
	return out, nil
}

// judgePost gets the verdict on one post and writes it down. down and stillDown say why the model is asked nothing any more in this Download.
func (a *Activities) judgePost(ctx context.Context, p footy.Post, down error) (judged footy.Post, stillDown, err error) {
	f, err := a.Store.Fixture(ctx, p.FixtureID)
	if err != nil {
		return p, down, err
	}
	e := f.Event(p.EventUID)
	if what, waits := ledger.Suspend(p, e); waits {
		p, err = a.advance(ctx, p, what)
		return p, down, err
	}
	v, failure := a.verdict(ctx, f, *e, p, down)
	if ctx.Err() != nil {
		return p, down, ctx.Err()
	}
	if ours(failure) {
		return p, down, failure
	}
	if v.Sibling != "" && failure == nil { // before the verdict ends the post: nobody would offer it later
		if s := f.Event(v.Sibling); s != nil {
			err = policy.Offer(ctx, a.Store, *s, p, a.Now(), a.Delays)
		}
		if err != nil {
			return p, down, err
		}
	}
	crashpoint.Here(crashpoint.Judged)
	why, _ := classify(failure)
	what := outcome(p.Download, v, failure)
	own := validate.OfOneClip(failure)
	if own {
		model, err := store.Fact[validate.Condition](ctx, a.Store, validate.ConditionKey)
		if err != nil {
			return p, down, err
		}
		what = ledger.Misfit(p.Download, why, footy.RootCause(failure), model.LastOK)
	}
	if p, err = a.advance(ctx, p, what); err != nil {
		return p, down, err
	}
	if !own && why.OfModel() {
		down = failure
	}
	return p, down, nil
}

// verdict goes by the post's running clock, then by what was read of the same footage before, and asks the model what is left.
func (a *Activities) verdict(ctx context.Context, f footy.Fixture, e footy.Event, p footy.Post, down error) (footy.Verdict, error) {
	own, ruling, err := a.byClock(ctx, p.Media.Clock, f, e)
	if err != nil || ruling == clock.Decided && !a.modelFirst() {
		return own, err
	}
	v, known, err := a.readBefore(ctx, f, e, p)
	if err != nil || known {
		return v, err
	}
	switch {
	case a.Reader == nil && ruling == clock.AskPicture, a.ClockOnly && own.Outcome == footy.OutcomeUnverified:
		return a.withoutModel(ctx, own, f, e, p.Candidate)
	case a.ClockOnly:
		return clock.Unread(p.Media.Clock), nil
	}
	if down != nil {
		return footy.Verdict{}, down
	}
	if a.Reader == nil {
		return footy.Verdict{}, &footy.Error{Code: footy.CodeUnavailable, Op: "validate clip", Reason: footy.ReasonNoModel,
			Err: footy.Errorf(footy.CodeUnavailable, "ask model", "none is set up (LLAMA_URL)")}
	}
	began := a.Now()
	v, err = a.judge(ctx, f, e, *p.Media, own, ruling)
	took := a.Now().Sub(began)
	v.ModelSeconds = took.Round(time.Millisecond).Seconds()
	if ctx.Err() != nil || ours(err) {
		return v, err
	}
	if why, _ := classify(err); err != nil && why == footy.ReasonStorage {
		return v, err // says nothing about the model
	}
	if noted := a.noteModel(ctx, p, err, took); noted != nil {
		return v, noted
	}
	return v, err
}

// judge has three frames looked at and, where they leave the case undecided, the two others. Where the running clock shows the goal's
// minute, only the picture is asked about.
func (a *Activities) judge(ctx context.Context, f footy.Fixture, e footy.Event, m footy.Media, own footy.Verdict, ruling clock.Ruling) (footy.Verdict, error) {
	main, spare := split(len(m.FrameKeys))
	picture := ruling == clock.AskPicture && !a.modelFirst()
	ask, q := a.Reader.Read, question(f, e)
	if picture {
		ask = a.Reader.Look
	}
	readings, err := a.read(ctx, m, main, ask, sights(f))
	if err != nil {
		return footy.Verdict{}, err
	}
	if len(spare) > 0 && (!picture && clock.Undecided(readings) || clock.Unseen(readings, q)) {
		more, err := a.read(ctx, m, spare, ask, sights(f))
		if err != nil {
			return footy.Verdict{}, err
		}
		readings = append(readings, more...)
	}
	if picture {
		return clock.WithPicture(q, own, readings, a.Reader.Name()), nil
	}
	return a.byFrames(readings, a.Reader.Name(), own, ruling, f, e)
}

// sights is what else than goals the followed events of a match are, all of it or nothing: what one of them is asked answers for the others.
func sights(f footy.Fixture) []footy.KindInfo {
	if slices.ContainsFunc(f.Events, func(e footy.Event) bool { return e.Kind.Info().Seen != "" }) {
		return footy.SeenKinds()
	}
	return nil
}

// byFrames decides by what a model read in frames, and by the running clock what that leaves open.
func (a *Activities) byFrames(readings []footy.Reading, model string, own footy.Verdict, ruling clock.Ruling, f footy.Fixture, e footy.Event) (footy.Verdict, error) {
	v, err := a.check(readings, f, e)
	v = clock.WithScore(v, own)
	v.Model = model
	switch {
	case own.Reason == footy.ReasonOtherMatch:
		return own, err
	case ruling == clock.AskPicture && own.Outcome == footy.OutcomeUnverified: // it may be another match, which the model does not see
	case v.Outcome != footy.OutcomeUnverified: // the model decided it
		return v, err
	}
	switch ruling {
	case clock.Decided:
		return own, err
	case clock.AskPicture:
		return clock.WithPicture(question(f, e), own, readings, model), err
	case clock.AskAll:
	}
	return v, err
}

// modelFirst tells that a model reads each clip, also where the running clock could decide.
func (a *Activities) modelFirst() bool { return a.ModelFirst && a.Reader != nil }

func (a *Activities) check(readings []footy.Reading, f footy.Fixture, e footy.Event) (v footy.Verdict, err error) {
	err = guard("check clock", func() error { v = clock.Check(readings, question(f, e)); return nil })
	return v, err
}

// asker is a question to a model.
type asker = func(context.Context, []validate.Frame, ...footy.KindInfo) ([]footy.Reading, error)

func (a *Activities) read(ctx context.Context, m footy.Media, which []int, ask asker, sights []footy.KindInfo) ([]footy.Reading, error) {
	var frames []validate.Frame
	for _, i := range which {
		b, err := a.frame(ctx, m.FrameKeys[i])
		if err != nil {
			return nil, err
		}
		frames = append(frames, validate.Frame{At: m.FrameTimes[i], JPEG: b})
	}
	readings, err := ask(ctx, frames, sights...)
	return readings, because(footy.ReasonModelUnreachable, "ask model", err)
}

// longestRead is how long a small object may take: what hangs longer makes the post wait.
const longestRead = time.Minute

// frame reads a staged picture. One that is gone was swept or lost: the post has to be fetched again.
func (a *Activities) frame(ctx context.Context, key string) ([]byte, error) {
	ctx, done := context.WithTimeout(ctx, longestRead)
	defer done()
	var b bytes.Buffer
	err := blob.Read(ctx, a.Blob, key, &b)
	if footy.IsNotFound(err) {
		return nil, &footy.Error{Code: footy.CodeNotFound, Op: "read frame", Reason: footy.ReasonStorage, Err: err}
	}
	return b.Bytes(), because(footy.ReasonStorage, "read frame "+key, err)
}

// outcome is what judging comes to: a verdict, or why there is none.
func outcome(download string, v footy.Verdict, failure error) ledger.Move {
	switch why, _ := classify(failure); {
	case failure == nil:
		return ledger.Judge(download, v)
	case footy.IsNotFound(failure):
		return ledger.Unstage(download, footy.RootCause(failure))
	case errors.Is(failure, blob.ErrSpoiled):
		return ledger.Spoil(download, footy.RootCause(failure))
	default:
		return ledger.Trouble(download, why, footy.RootCause(failure))
	}
}

func question(f footy.Fixture, e footy.Event) clock.Question {
	q := clock.Question{Minute: e.Minute, Kind: e.Kind, Tolerance: clock.Tolerance, Before: e.ScoreBefore, After: e.ScoreAfter}
	for _, o := range f.Events {
		if o.UID == e.UID || o.Minute.Elapsed == 0 || o.SameAs != "" || o.RemovedReason == footy.ReasonPlaceholder {
			continue
		}
		if e.Kind.Info().Seen != "" && o.Kind.Scores() && o.Minute == e.Minute {
			q.Before, q.After = footy.Score{}, footy.Score{} // which of the two was first nobody says
		}
		q.Siblings = append(q.Siblings, clock.Sibling{UID: o.UID, Minute: o.Minute, Kind: o.Kind, Removed: o.Removed, Before: o.ScoreBefore, After: o.ScoreAfter})
		switch {
		case !o.Removed || !o.Kind.Scores() || o.Minute.Elapsed > e.Minute.Elapsed:
		case o.ScoringTeam == footy.SideHome:
			q.Cancelled[0]++
		case o.ScoringTeam == footy.SideAway:
			q.Cancelled[1]++
		}
	}
	return q
}

// split names the three frames read first (the middle ones of five) and those kept for a tie.
func split(n int) (main, spare []int) {
	if n < 5 {
		for i := range n {
			main = append(main, i)
		}
		return main, nil
	}
	return []int{1, 2, 3}, []int{0, 4}
}
