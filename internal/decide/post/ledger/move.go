package ledger

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// MoveKind names what happens to a post: a row of the table.
type MoveKind string

// What happens to a post.
const (
	Chosen     MoveKind = "chosen"      // a later search chooses a post that was passed over
	Claimed    MoveKind = "claimed"     // a Download takes it
	Held       MoveKind = "held"        // its Download is still at work
	Fetched    MoveKind = "fetched"     // its bytes are staged
	SameBytes  MoveKind = "same bytes"  // its file is a clip of the event, byte for byte
	Accepted   MoveKind = "accepted"    // the verdict: it shows the goal
	Rejected   MoveKind = "rejected"    // the verdict: it does not
	Refused    MoveKind = "refused"     // a fact about the post or its file ends it
	Doubted    MoveKind = "doubted"     // an answer that would end it, and that a blocked address gets for every post
	Troubled   MoveKind = "troubled"    // trouble that is not its own
	Unfit      MoveKind = "unfit"       // trouble with its file, of which nobody knows whether others have it
	StillWaits MoveKind = "still waits" // its time has come, and its trouble goes on
	Unstaged   MoveKind = "unstaged"    // its staged bytes are gone
	Spoiled    MoveKind = "spoiled"     // its staged bytes are not those that were fetched
	Published  MoveKind = "published"   // its file is a clip of the event
	Merged     MoveKind = "merged"      // another clip of the event stands for its file
	TakenDown  MoveKind = "taken down"  // its content must not come back
	Retried    MoveKind = "retried"     // an operator wants a try at once
	Righted    MoveKind = "righted"     // its next try was set by a clock that was ahead
	GivenUp    MoveKind = "given up"    // an operator or the end of its keeping
	Suspended  MoveKind = "suspended"   // its goal is not certain yet, or was removed and may be reinstated
	EventGone  MoveKind = "event gone"  // its event no longer exists
)

// Move is what happens to a post, with what the move needs. The functions below make one.
type Move struct {
	kind    MoveKind
	by      string // the Download that reports it
	search  Search
	post    footy.Candidate
	media   *footy.Media
	verdict *footy.Verdict
	clip    string
	why     footy.Reason
	detail  string
	old     *footy.Seen
	still   string    // key of a small picture of what was refused
	passed  time.Time // of what is unfit: when another file came through last
	sure    bool      // of a doubtful answer: other posts could be fetched since it was first given
	rests   bool      // fetching rests at the post's place
}

// Choose has a search, or a sibling goal that offers it (download ""), choose a post that an earlier search passed over.
func Choose(c footy.Candidate, by Search, download string) Move {
	return Move{kind: Chosen, by: download, search: by, post: c}
}

// Claim has a Download take a post. It may take what it has, and what is free.
func Claim(download string) Move { return Move{kind: Claimed, by: download} }

// Hold notes that the Download that has a post is still at work.
func Hold(download string) Move { return Move{kind: Held, by: download} }

// Fetch notes that the bytes are staged.
func Fetch(download string, m footy.Media) Move {
	return Move{kind: Fetched, by: download, media: &m}
}

// Recognise notes that the file is a clip of the event byte for byte: no verdict is needed.
func Recognise(download, clip string) Move {
	return Move{kind: SameBytes, by: download, clip: clip}
}

// Judge notes a verdict.
func Judge(download string, v footy.Verdict) Move {
	m := Move{kind: Accepted, by: download, verdict: &v}
	if v.Outcome == footy.OutcomeRejected {
		m.kind, m.why, m.detail = Rejected, v.Reason, v.Detail
	}
	return m
}

// Refuse ends a post by a fact. still is the key of a small picture of it, "" if there is none.
func Refuse(download string, why footy.Reason, detail, still string) Move {
	return Move{kind: Refused, by: download, why: why, detail: detail, still: still}
}

// RefuseOld ends a post whose footage was kept of an older match.
func RefuseOld(download string, old footy.Seen, still string) Move {
	return Move{kind: Refused, by: download, why: footy.ReasonOldFootage, old: &old, still: still}
}

// Doubt notes an answer that says the post is deleted or blocked here. It is believed when it was given before, at least
// Delays.Confirm ago, and others is true: another post could be fetched since.
func Doubt(download string, why footy.Reason, detail string, others bool) Move {
	return Move{kind: Doubted, by: download, why: why, detail: detail, sure: others}
}

// Trouble makes a post wait for a cause that is not its own.
func Trouble(download string, cause footy.Reason, detail string) Move {
	return Move{kind: Troubled, by: download, why: cause, detail: detail}
}

// InRest says of what a fetch met whether fetching rests at the post's place. A rest can end at any moment: nobody waits for longer than usual.
func (m Move) InRest(rests bool) Move {
	m.rests = rests
	return m
}

// Misfit makes a post wait for what its file met. When others came through meanwhile, for Delays.Unfit and ten tries, it is
// the file, and the post ends.
func Misfit(download string, cause footy.Reason, detail string, passed time.Time) Move {
	return Move{kind: Unfit, by: download, why: cause, detail: detail, passed: passed}
}

// StillWait makes a post that is due wait on, because its cause is known to go on.
func StillWait(cause footy.Reason) Move { return Move{kind: StillWaits, why: cause} }

// Unstage sends a post back to be fetched. Upload, which does so with what was judged, names no Download.
func Unstage(download, detail string) Move {
	return Move{kind: Unstaged, by: download, why: footy.ReasonStorage, detail: detail}
}

// Spoil is Unstage of bytes that are there and are others: the second time it ends the post.
func Spoil(download, detail string) Move {
	return Move{kind: Spoiled, by: download, why: footy.ReasonStorage, detail: detail}
}

// TakeDown refuses an accepted post whose content was taken down meanwhile.
func TakeDown(detail string) Move {
	return Move{kind: TakenDown, why: footy.ReasonTombstone, detail: detail}
}

// Retry makes a waiting post due at once.
func Retry() Move { return Move{kind: Retried} }

// Right makes a post due at once whose next try was set by a clock that was ahead.
func Right() Move { return Move{kind: Righted} }

// GiveUp ends a waiting post.
func GiveUp() Move { return Move{kind: GivenUp, why: footy.ReasonGaveUp} }

// Suspend makes a post wait for its goal, where ok: one that was removed may be reinstated, and of one that is not certain, or not there,
// posts are fetched and no more. Nobody is asked about what may go away, and nothing of it is shown.
func Suspend(p footy.Post, e *footy.Event) (_ Move, ok bool) {
	switch step := NextStep(p); {
	case step != StepNone && e != nil && e.Removed:
		return Move{kind: Suspended, why: footy.ReasonGoalRemoved}, true
	case step != StepNone && step != StepFetch && (e == nil || !e.Certain()):
		return Move{kind: Suspended, why: footy.ReasonNotCertain}, true
	}
	return Move{}, false
}

// LoseEvent ends a post whose event no longer exists.
func LoseEvent() Move { return Move{kind: EventGone, why: footy.ReasonEventGone} }

// ByClips is what the event's clips say of a post: its own file is a clip, or another clip stands for it. ok is false while no
// clip counts the post, and where its record says so already.
func ByClips(p footy.Post, e footy.Event) (_ Move, ok bool) {
	i := slices.IndexFunc(e.Clips, func(c footy.Clip) bool { return slices.Contains(c.Posts, p.PostID) })
	if i < 0 {
		return Move{}, false
	}
	c, is := e.Clips[i], Move{kind: Published, clip: e.Clips[i].ID}
	if c.ReplacedBy != "" || c.Posts[0] != p.PostID {
		is.kind = Merged
	}
	if c.ReplacedBy != "" {
		is.clip = c.ReplacedBy
	}
	if p.State == footy.PostPublished && is.kind == Published || p.State == footy.PostMerged && is.kind == Merged {
		ok = p.ClipID != is.clip
		return is, ok
	}
	return is, true
}

// The effects, named in the table. Each sets the state; Advance does what is common to all moves.

func choose(p *footy.Post, m Move, now time.Time, d Delays) {
	clearTrouble(p)
	p.Candidate, p.Round, p.Try, p.Download = m.post, m.search.Round, m.search.Try, m.by
	p.State, p.NextTry = footy.PostOffered, now
	if m.by != "" {
		p.NextTry = now.Add(d.Lease)
	}
}

// claim puts a post into the state that says what is done with it now.
func claim(p *footy.Post, m Move, now time.Time, d Delays) {
	p.Download, p.NextTry = m.by, now.Add(d.Lease)
	p.State = map[Step]footy.PostState{StepFetch: footy.PostFetching, StepJudge: footy.PostFetched, StepPublish: footy.PostJudged}[NextStep(*p)]
}

func hold(p *footy.Post, _ Move, now time.Time, d Delays) { p.NextTry = now.Add(d.Lease) }

func fetch(p *footy.Post, m Move, now time.Time, d Delays) {
	clearTrouble(p)
	p.State, p.Media, p.NextTry = footy.PostFetched, m.media, now.Add(d.Lease)
}

func recognise(p *footy.Post, m Move, now time.Time, d Delays) {
	clearTrouble(p)
	p.State, p.ClipID, p.NextTry = footy.PostJudged, m.clip, now.Add(d.Lease)
}

func accept(p *footy.Post, m Move, now time.Time, d Delays) {
	clearTrouble(p)
	p.State, p.Verdict, p.NextTry = footy.PostJudged, m.verdict, now.Add(d.Lease)
}

func refuse(p *footy.Post, m Move, _ time.Time, _ Delays) {
	detail := m.detail
	if m.kind == GivenUp {
		detail = p.Detail // what it met last
	}
	clearTrouble(p)
	if m.verdict != nil {
		p.Verdict = m.verdict
	}
	p.State, p.Reason, p.Detail, p.Old = footy.PostRefused, m.why, detail, m.old
}

func wait(p *footy.Post, m Move, now time.Time, d Delays) {
	if p.WaitingSince.IsZero() {
		p.WaitingSince = now
	}
	pause := min(max(now.Sub(p.WaitingSince), d.First), d.Usual) // nobody tried: the next look is as cheap
	if m.kind != StillWaits {
		p.Detail = m.detail
	}
	if m.kind != StillWaits && m.why != footy.ReasonFetchResting {
		p.Tries++
		if pause = d.After(p.Tries); m.rests {
			pause = min(pause, d.Usual)
		}
	}
	p.State, p.Reason, p.NextTry = footy.PostWaiting, m.why, now.Add(pause)
}

// suspend keeps what the post has. Looks grow apart as with any trouble: a goal that VAR has taken away seldom comes back late.
func suspend(p *footy.Post, m Move, now time.Time, d Delays) {
	if p.WaitingSince.IsZero() {
		p.WaitingSince = now
	}
	p.State, p.Reason, p.Detail = footy.PostWaiting, m.why, ""
	p.NextTry = now.Add(min(max(now.Sub(p.WaitingSince), d.First), d.Usual))
}

func doubt(p *footy.Post, m Move, now time.Time, d Delays) {
	if p.Suspicion == nil || p.Suspicion.Reason != m.why {
		p.Suspicion = &footy.Suspicion{Reason: m.why, At: now}
	} else if m.sure && now.Sub(p.Suspicion.At) >= d.Confirm {
		refuse(p, m, now, d)
		return
	}
	since := p.Suspicion.At
	wait(p, m, now, d)
	if first := since.Add(d.Confirm); p.NextTry.Before(first) {
		p.NextTry = first // a try before that could decide nothing
	}
}

// fairTries is how often a file is tried at least before it alone is at fault.
const fairTries = 10

// unfit counts the time from the last try before another file came through: what nothing can read says nothing of one file.
func unfit(p *footy.Post, m Move, now time.Time, d Delays) {
	switch s := p.Suspicion; {
	case s == nil || s.Reason.Doubtful() || !m.passed.After(s.At):
		p.Suspicion = &footy.Suspicion{Reason: m.why, At: now}
	case now.Sub(s.At) >= d.Unfit && p.Tries >= fairTries:
		m.why = footy.ReasonUnreadable
		refuse(p, m, now, d)
		return
	default:
		p.Suspicion = &footy.Suspicion{Reason: m.why, At: s.At}
	}
	wait(p, m, now, d)
}

func unstage(p *footy.Post, m Move, now time.Time, d Delays) {
	p.Media, p.Verdict, p.ClipID = nil, nil, ""
	wait(p, m, now, d)
}

func spoil(p *footy.Post, m Move, now time.Time, d Delays) {
	if p.Spoiled {
		m.why = footy.ReasonUnreadable
		refuse(p, m, now, d)
		return
	}
	p.Spoiled = true
	unstage(p, m, now, d)
}

func publish(p *footy.Post, m Move, _ time.Time, _ Delays) {
	clearTrouble(p)
	p.State, p.ClipID = footy.PostPublished, m.clip
}

func merge(p *footy.Post, m Move, _ time.Time, _ Delays) {
	clearTrouble(p)
	p.State, p.ClipID = footy.PostMerged, m.clip
}

func retry(p *footy.Post, _ Move, now time.Time, _ Delays) { p.NextTry, p.Tries = now, 0 }

// right also puts the beginnings of trouble and doubt right: a doubt would be confirmed only when its time has come.
func right(p *footy.Post, _ Move, now time.Time, _ Delays) {
	p.NextTry = now
	if p.WaitingSince.After(now) {
		p.WaitingSince = now
	}
	if s := p.Suspicion; s != nil && s.At.After(now) {
		p.Suspicion = &footy.Suspicion{Reason: s.Reason, At: now}
	}
}

func clearTrouble(p *footy.Post) {
	p.Reason, p.Detail, p.Tries, p.WaitingSince, p.Suspicion = "", "", 0, time.Time{}, nil
}
