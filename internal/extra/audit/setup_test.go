package audit_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/decide/clip/rank"
	"github.com/found-footy/found-footy/internal/extra/audit"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// The day of the tests: a match that is over (done) and one that is played (live).
const (
	done, live            = int64(5000), int64(5001)
	goal, offside, late   = "5000-1", "5000-2", "5000-3"
	running               = "5001-1"
	first, copied, worse  = "101", "102", "103" // posts of goal: a clip, the same file, the same footage
	longer                = "107"               // passed over
	wrong, waiting, taken = "104", "105", "106" // refused; waits for a model (late); fetched just now (running)
)

type state struct {
	t    *testing.T
	now  time.Time
	docs store.Store
	back store.Backend // below docs
	blob blob.Store
}

// healthy is a state in which everything holds.
func healthy(t *testing.T) *state {
	t.Helper()
	s := &state{t: t, now: time.Now().UTC().Truncate(time.Millisecond)}
	back, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s.back, s.docs = back, store.New(back)
	t.Cleanup(func() { _ = s.docs.Close() })
	s.blob, err = dir.Open(t.TempDir())
	require.NoError(t, err)
	s.finished()
	s.played()
	return s
}

func (s *state) ago(d time.Duration) time.Time { return s.now.Add(-d) }

func digest(n string) string { return strings.Repeat(n, 22)[:64] }

func clipOf(post string) string { return footy.ClipID(digest(post)) }

func (s *state) put(key string) {
	s.t.Helper()
	require.NoError(s.t, s.blob.Put(s.t.Context(), key, strings.NewReader("bytes"), 5, blob.Info{}))
}

func (s *state) add(f footy.Fixture, rows ...footy.Entry) {
	s.t.Helper()
	for i := range rows {
		rows[i].FixtureID = f.ID
		if rows[i].Key == "" {
			rows[i].Key = fmt.Sprintf("%d/%s/%s/%s/%s/%s", f.ID, rows[i].EventUID, rows[i].Kind, rows[i].PostID, rows[i].ClipID, rows[i].Reason)
		}
	}
	require.NoError(s.t, s.docs.Add(s.t.Context(), f, rows...))
}

func (s *state) clip(uid, post string, seconds float64) footy.Clip {
	s.t.Helper()
	d := digest(post)
	c := footy.Clip{ID: footy.ClipID(d), Digest: d, Key: "clips/" + uid + "/" + d + ".mp4", PosterKey: "posters/" + uid + "/" + d + ".jpg",
		HashVersion: footy.FingerprintVersion, Size: 5, Duration: seconds, Width: 1280, Height: 720, Bitrate: 2_000_000,
		Verified: true, Posts: []string{post}, AddedAt: s.ago(90 * time.Minute)}
	s.print(uid, c)
	return c
}

// print stores the fingerprint of a clip: the same film, as much of it as the clip shows.
func (s *state) print(uid string, c footy.Clip) {
	s.t.Helper()
	fp := footy.Fingerprint{Version: footy.FingerprintVersion, Interval: footy.SampleInterval, Duration: c.Duration}
	for i := range int(c.Duration * 4) {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		fp.Frames = append(fp.Frames, footy.Frame{Bits: [4]uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}, Weight: 255})
	}
	require.NoError(s.t, s.docs.PutFingerprint(s.t.Context(), footy.StoredFingerprint{ClipID: c.ID, EventUID: uid, FixtureID: done, Digest: c.Digest, Fingerprint: fp}))
}

func (s *state) prints(uid string) map[string]footy.Fingerprint {
	s.t.Helper()
	out := map[string]footy.Fingerprint{}
	stored, err := s.docs.Fingerprints(s.t.Context(), uid)
	require.NoError(s.t, err)
	for _, p := range stored {
		out[p.ClipID] = p.Fingerprint
	}
	return out
}

// finished is a match that is over: a goal with two clips, of which one was retired, one that no longer stands, and one that
// waits for a model.
func (s *state) finished() {
	f := footy.Fixture{ID: done, Stage: footy.StageCompleted, Match: footy.Match{ID: done, Kickoff: s.ago(4 * time.Hour), Status: footy.Status{Code: "FT"}},
		ActivatedAt: s.ago(5 * time.Hour), CompletedAt: s.ago(time.Hour), TerminalSince: s.ago(2 * time.Hour), LastMonitor: s.ago(time.Hour)}
	seen := s.ago(3 * time.Hour)
	event := func(uid string, seq int) footy.Event {
		return footy.Event{UID: uid, ID: fmt.Sprintf("5000_40_%d_Goal_1", seq), Kind: footy.KindGoal, FirstSeen: seen, HappenedAt: seen, CertainAt: seen,
			Votes: []string{"poll-1", "poll-2"},
			Round: footy.Round{Number: 1, OpenedAt: seen, Workflow: "twitter-" + uid, TakenUpBy: "twitter-" + uid, Searches: 1, Tries: 1, EndedAt: s.ago(80 * time.Minute)}}
	}
	g := event(goal, 7)
	g.DownloadComplete, g.CompletedAt = true, s.ago(70*time.Minute)
	a, b := s.clip(goal, first, 20), s.clip(goal, worse, 12)
	a.Posts = append(a.Posts, copied)
	g.Clips = []footy.Clip{a, b}
	dedup.Apply(&g, s.prints(goal), phash.Unkept)
	rank.Apply(&g)
	require.Equal(s.t, a.ID, g.Clip(b.ID).ReplacedBy)
	g.Clip(b.ID).Swept = true
	s.put(a.Key)
	s.put(a.PosterKey)
	s.put(blob.StillKey(goal, digest(wrong)))
	o := event(offside, 8)
	o.Removed, o.RemovedAt, o.RemovedReason, o.AbsentPolls = true, s.ago(2*time.Hour), footy.ReasonVAR, []string{"poll-3", "poll-4", "poll-5"}
	w := event(late, 9)
	f.Events = []footy.Event{g, o, w}
	certain := func(uid string) footy.Entry { return footy.Entry{EventUID: uid, Kind: footy.EntryCertain, At: seen} }
	rejected := func(post string, why footy.Reason) footy.Entry {
		return footy.Entry{EventUID: goal, Kind: footy.EntryRejected, PostID: post, Reason: why, At: s.ago(90 * time.Minute),
			Data: footy.Evidence{PosterKey: blob.StillKey(goal, digest(wrong))}}
	}
	complete := footy.CompletedEntry(done, g, g.CompletedAt)
	s.add(f, certain(goal), certain(offside), certain(late),
		footy.Entry{EventUID: offside, Kind: footy.EntryRemoved, Reason: footy.ReasonVAR, At: o.RemovedAt},
		footy.Entry{EventUID: goal, Kind: footy.EntryClip, ClipID: a.ID, At: a.AddedAt}, footy.Entry{EventUID: goal, Kind: footy.EntryMerged, ClipID: b.ID, At: b.AddedAt},
		rejected(wrong, footy.ReasonWrongMinute), rejected(copied, footy.ReasonDuplicate), complete,
		footy.Entry{Kind: footy.EntryActivated, At: f.ActivatedAt}, footy.Entry{Kind: footy.EntryCompleted, At: f.CompletedAt})
	post := func(uid, id string, st footy.PostState) footy.Post {
		return footy.Post{EventUID: uid, PostID: id, FixtureID: done, State: st, Round: 1, Try: 1, Download: "download1-Team-Who-" + uid, FirstSeen: seen, ChangedAt: s.ago(90 * time.Minute),
			Media: &footy.Media{Digest: digest(id), StageKey: "staging/" + digest(id) + "/clip.mp4", StillKey: blob.StillKey(uid, digest(id)),
				FootageKey: blob.FootageKey(uid, digest(id))}}
	}
	p1, p2, p3, p4, p5 := post(goal, first, footy.PostPublished), post(goal, copied, footy.PostMerged), post(goal, worse, footy.PostMerged),
		post(goal, wrong, footy.PostRefused), post(late, waiting, footy.PostWaiting)
	p1.ClipID, p2.ClipID, p3.ClipID, p4.Reason = a.ID, a.ID, a.ID, footy.ReasonWrongMinute
	p5.Reason, p5.WaitingSince, p5.NextTry, p5.Tries = footy.ReasonNoModel, seen, s.now.Add(10*time.Minute), 9
	s.put(p5.Media.StageKey)
	s.put(p5.Media.StillKey)
	s.put(p4.Media.FootageKey) // of a post that has ended
	s.put(p5.Media.FootageKey)
	p6 := footy.Post{EventUID: goal, PostID: longer, FixtureID: done, State: footy.PostPassed, Reason: footy.ReasonNotChosen, Round: 1, Try: 1, FirstSeen: seen, ChangedAt: seen}
	require.NoError(s.t, s.docs.AddPosts(s.t.Context(), []footy.Post{p1, p2, p3, p4, p5, p6}))
}

// played is a match that is on, with a goal that is searched for.
func (s *state) played() {
	at := s.ago(2 * time.Minute)
	e := footy.Event{UID: running, ID: "5001_40_7_Goal_1", MatchedFrom: []string{"5001_40_0_Goal_1"}, Kind: footy.KindGoal, FirstSeen: at, HappenedAt: at, CertainAt: at, Round: footy.Round{Number: 1, OpenedAt: at}}
	s.add(footy.Fixture{ID: live, Stage: footy.StageActive, Match: footy.Match{ID: live, Kickoff: s.ago(time.Hour)}, ActivatedAt: s.ago(time.Hour), LastMonitor: s.now, Events: []footy.Event{e}},
		footy.Entry{EventUID: running, Kind: footy.EntryCertain, At: at}, footy.Entry{Kind: footy.EntryActivated, At: s.ago(time.Hour)})
	require.NoError(s.t, s.docs.AddPosts(s.t.Context(), []footy.Post{{EventUID: running, PostID: taken, FixtureID: live, State: footy.PostFetching, Round: 1, Try: 1,
		Download: "download1-Team-Who-5001", FirstSeen: at, ChangedAt: at, NextTry: s.now.Add(time.Minute)}}))
}

// rewrite changes a document's body behind the store's back.
func (s *state) rewrite(c store.Collection, id string, change func(body string) string) {
	s.t.Helper()
	d, err := s.back.Find(s.t.Context(), c, id)
	require.NoError(s.t, err)
	d.Body = []byte(change(string(d.Body)))
	require.NoError(s.t, s.back.Upsert(s.t.Context(), c, []store.Doc{d}))
}

// ruin makes a document unreadable.
func (s *state) ruin(c store.Collection, id string) {
	s.rewrite(c, id, func(string) string { return "{bad json" })
}

func (s *state) options() audit.Options {
	now := s.now
	if wall := time.Now(); wall.After(now) { // objects are as old as the file system says, however long the test took until here
		now = wall
	}
	o := audit.Defaults()
	o.Now, o.Unknown, o.Grace, o.Again = now.Add(time.Second), time.Nanosecond, time.Nanosecond, 0
	return o
}

func (s *state) run() audit.Report {
	s.t.Helper()
	r, err := audit.Run(s.t.Context(), s.docs, s.blob, s.options())
	require.NoError(s.t, err)
	return r
}

func (s *state) fixture(id int64, change func(*footy.Fixture)) {
	s.t.Helper()
	_, err := s.docs.Update(s.t.Context(), id, func(f *footy.Fixture) ([]footy.Entry, error) { change(f); return nil, nil })
	require.NoError(s.t, err)
}

func (s *state) event(uid string, change func(*footy.Event)) {
	s.t.Helper()
	f, err := s.docs.FixtureOfEvent(s.t.Context(), uid)
	require.NoError(s.t, err)
	s.fixture(f.ID, func(f *footy.Fixture) { change(f.Event(uid)) })
}

func (s *state) post(uid, id string, change func(*footy.Post)) {
	s.t.Helper()
	storetest.ChangePost(s.t, s.docs, uid, id, change)
}

func (s *state) append(r footy.Entry) {
	s.t.Helper()
	r.Key, r.At = "planted", s.now
	require.NoError(s.t, s.docs.Append(s.t.Context(), r))
}

// forget loses the log rows of the finished match that drop says.
func (s *state) forget(drop func(footy.Entry) bool) {
	s.t.Helper()
	rows, err := s.docs.Entries(s.t.Context(), store.LogQuery{FixtureID: done})
	require.NoError(s.t, err)
	require.NoError(s.t, s.back.Delete(s.t.Context(), store.EventLog, store.Filter{Group: fmt.Sprint(done)}))
	for _, r := range rows {
		if !drop(r) {
			require.NoError(s.t, s.docs.Append(s.t.Context(), r))
		}
	}
}

func (s *state) record(p footy.Post) {
	s.t.Helper()
	require.NoError(s.t, s.docs.AddPosts(s.t.Context(), []footy.Post{p}))
}

func (s *state) get(id int64) footy.Fixture {
	s.t.Helper()
	f, err := s.docs.Fixture(s.t.Context(), id)
	require.NoError(s.t, err)
	return f
}

func (s *state) delete(key string) {
	s.t.Helper()
	_, err := s.blob.Stat(s.t.Context(), key)
	require.NoError(s.t, err)
	require.NoError(s.t, s.blob.Delete(s.t.Context(), key))
}

// settle brings an event's clips to what the rules say.
func (s *state) settle(uid string) {
	s.t.Helper()
	prints := s.prints(uid)
	s.event(uid, func(e *footy.Event) {
		dedup.Apply(e, prints, phash.Unkept)
		rank.Apply(e)
	})
}

func (s *state) tombstone(post string) {
	s.t.Helper()
	require.NoError(s.t, s.docs.PutTombstone(s.t.Context(), footy.Tombstone{Digest: digest(post), EventUID: "5000-8", FixtureID: done, Reason: "a person asked", At: s.ago(time.Hour)}))
}

// hoursLater lets time pass in a state that is looked after.
func (s *state) hoursLater(n int) {
	s.t.Helper()
	s.now = s.now.Add(time.Duration(n) * time.Hour)
	require.NoError(s.t, s.docs.PutState(s.t.Context(), "sweep", map[string]any{"at": s.now}))
	s.post(late, waiting, func(p *footy.Post) { p.NextTry = s.now })
	s.post(running, taken, func(p *footy.Post) { p.NextTry = s.now })
}
