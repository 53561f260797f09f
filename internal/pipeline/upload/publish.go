package upload

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/decide/clip/rank"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// publish puts accepted posts into the event and returns the log rows that tell it. The whole plan is recomputed from every clip the
// event ever accepted, so the order of Downloads does not matter. A goal that is removed just now gets them, too: it may come back.
func publish(f *footy.Fixture, e *footy.Event, download string, posts []footy.Post, prints map[string]footy.Fingerprint, prepare phash.Preparer, began, now time.Time) []footy.Entry {
	r := rows{fixture: f.ID, uid: e.UID, download: download, now: now}
	first := len(e.Clips) == 0
	for _, p := range posts {
		if !supports(e, p) && !add(e, p, now) {
			r.duplicate(p)
		}
	}
	for _, c := range dedup.Apply(e, prints, prepare) {
		r.change(c)
	}
	rank.Apply(e)
	if first && e.Standing() && len(e.VisibleClips()) > 0 {
		r.first(e, posts, began)
	}
	return r.out
}

// withoutTakenDown splits off what must not come back, with the reason.
func withoutTakenDown(posts []footy.Post, tombstones []footy.Tombstone, prints map[string]footy.Fingerprint) (welcome []footy.Post, refused map[string]string) {
	refused = map[string]string{}
	for _, p := range posts {
		t := dedup.TakenDown(tombstones, digestOf(p), prints[clipOf(p)])
		if t == nil {
			welcome = append(welcome, p)
			continue
		}
		refused[p.PostID] = t.Reason
	}
	return welcome, refused
}

func digestOf(p footy.Post) string {
	if p.Media == nil {
		return ""
	}
	return p.Media.Digest
}

// clipOf is the id of the clip that has the post's bytes.
func clipOf(p footy.Post) string {
	if p.ClipID != "" || p.Media == nil {
		return p.ClipID
	}
	return footy.ClipID(p.Media.Digest)
}

// supports reports whether the event's clips count the post already.
func supports(e *footy.Event, p footy.Post) bool {
	c := e.Clip(clipOf(p))
	return c != nil && slices.Contains(c.Posts, p.PostID)
}

// add makes a clip of an accepted post, or lets it support the clip of the same bytes. It reports whether the clip is new.
func add(e *footy.Event, p footy.Post, now time.Time) bool {
	id := clipOf(p)
	if c := e.Clip(id); c != nil {
		c.Posts = append(c.Posts, p.PostID)
		return false
	}
	if p.Media == nil || p.Verdict == nil {
		return false // the clip it was to support is gone, and it has no bytes of its own
	}
	m, v := p.Media, p.Verdict
	c := footy.ClipOf(*m)
	c.Key, c.URL, c.SourceURL, c.Posts, c.AddedAt = clipKey(e.UID, *m), footy.ClipPath(e.UID, id, m.StageKey), p.Candidate.URL, []string{p.PostID}, now
	c.Verified, c.Minute, c.Status, c.Evidence, c.Compiled = v.Outcome == footy.OutcomeVerified, v.Minute, v.Outcome, v.Detail, v.Compiled
	if m.PosterKey != "" {
		c.PosterKey = posterKey(e.UID, m.Digest)
	}
	e.Clips = append(e.Clips, c)
	return true
}

// metadata tells whoever finds the bytes outside of the product what they show, as it was known when they were kept; a scorer
// who is corrected later is told by the event alone.
func metadata(e footy.Event, p footy.Post) map[string]string {
	all := map[string]string{"event": e.UID, "event_id": e.ID, "fixture_id": strconv.FormatInt(p.FixtureID, 10), "player": e.Player.Name,
		"team": e.Team.Name, "post": p.PostID, "source": p.Candidate.URL}
	maps.DeleteFunc(all, func(_, value string) bool { return value == "" })
	return all
}

// rows collects log rows of one Download under keys that a repeat writes again.
type rows struct {
	fixture  int64
	uid      string
	download string
	now      time.Time
	out      []footy.Entry
}

func (r *rows) entry(kind footy.EntryKind, id string, data footy.Evidence) footy.Entry {
	return footy.Entry{Key: fmt.Sprintf("%s/%s/%s/%s", r.uid, kind, r.download, id), FixtureID: r.fixture, EventUID: r.uid, At: r.now, Kind: kind, Data: data}
}

func (r *rows) duplicate(p footy.Post) {
	e := r.entry(footy.EntryRejected, p.PostID, footy.Evidence{URL: p.Candidate.URL})
	e.Reason, e.PostID, e.ClipID = footy.ReasonDuplicate, p.PostID, clipOf(p)
	r.out = append(r.out, e)
}

// first tells of the event's first clip, by the post that was accepted first: what passed since, it waited for the others.
func (r *rows) first(e *footy.Event, posts []footy.Post, began time.Time) {
	posts = slices.DeleteFunc(slices.Clone(posts), func(p footy.Post) bool { return !supports(e, p) })
	p := slices.MinFunc(posts, func(a, b footy.Post) int { return a.ChangedAt.Compare(b.ChangedAt) })
	x := r.entry(footy.EntryFirstClip, "", footy.Evidence{URL: p.Candidate.URL, Download: p.Download, Stages: delay.Of(e, p, began, r.now)})
	x.Key, x.PostID, x.ClipID = footy.FirstClipKey(r.uid), p.PostID, clipOf(p)
	r.out = append(r.out, x)
}

func (r *rows) change(c dedup.Change) {
	e := r.entry(c.Kind, c.ClipID+"-"+c.Winner, c.Evidence)
	e.ClipID, e.Reason = c.ClipID, c.Reason()
	r.out = append(r.out, e)
}
