package publish

import (
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/acquire"
	"github.com/found-footy/found-footy/internal/rule/dedup"
	"github.com/found-footy/found-footy/internal/rule/rank"
	"github.com/found-footy/found-footy/internal/rule/round"
)

// settle puts a batch into the event and returns the log rows that tell it. The whole plan is recomputed from every
// clip the event ever accepted, so the order of batches does not matter.
func settle(f *footy.Fixture, e *footy.Event, in acquire.Handover, prints map[string]footy.Fingerprint, now time.Time) []footy.Entry {
	r := rows{fixture: f.ID, uid: e.UID, key: in.Download, now: now}
	for _, l := range in.Lost {
		r.lost(l)
	}
	if e.Removed {
		round.Settle(e, in.Download, nil)
		return append(r.out, r.entry(footy.EntrySettled, "", "The goal no longer stands; its batch was dropped"))
	}
	for _, s := range in.Support {
		support(e, s.ClipID, s.Candidate.PostID)
		r.duplicate(s.Candidate, s.ClipID)
	}
	for _, it := range in.Items {
		r.extra(it, add(e, in, it, now))
	}
	for _, c := range dedup.Apply(e, prints) {
		r.change(c)
	}
	rank.Apply(e)
	round.Settle(e, in.Download, in.Owed)
	text := fmt.Sprintf("Batch settled: %d accepted, %d known, %d could not be fetched", len(in.Items), len(in.Support), len(in.Lost))
	if n := len(in.Owed); n > 0 {
		text += fmt.Sprintf(", %d wait for a verdict", n)
	}
	return append(r.out, r.entry(footy.EntrySettled, "", text))
}

// add makes a clip of an accepted video, or lets its posts support the clip of the same bytes. It reports whether the
// clip is new.
func add(e *footy.Event, in acquire.Handover, it acquire.Item, now time.Time) bool {
	id := footy.ClipID(it.Media.Digest)
	isNew := e.Clip(id) == nil
	if isNew {
		m := it.Media
		c := footy.Clip{
			ID: id, Digest: m.Digest, Key: key(blob.ClipPrefix, in, m.Digest, ".mp4"), URL: footy.ClipPath(e.UID, id),
			Fingerprint: footy.FingerprintVersion + ":" + id, HashVersion: footy.FingerprintVersion,
			Width: m.Probe.Width, Height: m.Probe.Height, Size: m.Size, Duration: m.Probe.Duration, Bitrate: m.Probe.Bitrate,
			FrameRate: m.Probe.FrameRate, Aspect: m.Probe.Aspect(), Pixels: m.Probe.Width * m.Probe.Height, SourceURL: m.Candidate.URL,
			Verified: it.Verdict.Outcome == footy.OutcomeVerified, Minute: it.Verdict.Minute, Status: it.Verdict.Outcome,
			Evidence: it.Verdict.Detail, Compiled: it.Verdict.Compiled, AddedAt: now,
		}
		if m.PosterKey != "" {
			c.PosterKey = key(blob.PosterPrefix, in, m.Digest, ".jpg")
		}
		e.Clips = append(e.Clips, c)
	}
	support(e, id, it.Media.Candidate.PostID)
	for _, s := range it.Media.SamePosts {
		support(e, id, s.PostID)
	}
	return isNew
}

func support(e *footy.Event, clipID, postID string) {
	if c := e.Clip(clipID); c != nil && !slices.Contains(c.Posts, postID) {
		c.Posts = append(c.Posts, postID)
	}
}

// rows collects log rows of one batch under keys that a repeat writes again.
type rows struct {
	fixture  int64
	uid, key string
	now      time.Time
	out      []footy.Entry
}

func (r *rows) entry(kind footy.EntryKind, id, text string) footy.Entry {
	return footy.Entry{Key: fmt.Sprintf("%s/%s/%s/%s", r.uid, kind, r.key, id), FixtureID: r.fixture, EventUID: r.uid, At: r.now, Kind: kind, Text: text}
}

func (r *rows) lost(l acquire.Lost) {
	e := r.entry(footy.EntryRejected, l.Candidate.PostID, footy.Explain(l.Reason))
	e.Reason, e.PostID = l.Reason, l.Candidate.PostID
	e.Data = map[string]any{"url": l.Candidate.URL, "detail": l.Detail}
	r.out = append(r.out, e)
}

func (r *rows) duplicate(c footy.Candidate, clip string) {
	e := r.entry(footy.EntryRejected, c.PostID, "The very same file as a clip we have; counts for its popularity")
	e.Reason, e.PostID, e.ClipID = footy.ReasonDuplicate, c.PostID, clip
	e.Data = map[string]any{"url": c.URL}
	r.out = append(r.out, e)
}

// extra logs the further posts of one file.
func (r *rows) extra(it acquire.Item, isNew bool) {
	id := footy.ClipID(it.Media.Digest)
	if !isNew {
		r.duplicate(it.Media.Candidate, id)
	}
	for _, s := range it.Media.SamePosts {
		r.duplicate(s, id)
	}
}

func (r *rows) change(c dedup.Change) {
	kind := map[dedup.ChangeKind]footy.EntryKind{dedup.ChangeNew: footy.EntryClip, dedup.ChangeMerged: footy.EntryMerged,
		dedup.ChangeReplaced: footy.EntryReplaced, dedup.ChangeReturned: footy.EntryClip}[c.Kind]
	e := r.entry(kind, c.ClipID+"-"+c.Winner, c.Text)
	e.ClipID = c.ClipID
	e.Data = map[string]any{"into": c.Winner, "match": c.Match}
	if kind != footy.EntryClip {
		e.Reason = footy.ReasonDuplicate
	}
	r.out = append(r.out, e)
}
