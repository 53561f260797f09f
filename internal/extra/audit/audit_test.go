package audit_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/extra/audit"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/port/command"
)

func TestAHealthyStateIsClean(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	r := s.run()
	require.Empty(t, r.Breaches)
	require.Equal(t, audit.Counts{Fixtures: 2, Events: 4, Posts: 7, Clips: 2, Rows: 13, Fingerprints: 2, Objects: 7}, r.Checked)
}

// breach is one way in which something does not hold.
type breach struct {
	check audit.Check
	plant func(*state)
	what  string // told in the detail
}

func row(kind footy.EntryKind) func(footy.Entry) bool {
	return func(r footy.Entry) bool { return r.Kind == kind && r.EventUID != "" }
}

var breaches = map[string]breach{
	"a match that cannot be read": {audit.DocumentDamaged, func(s *state) { s.ruin(store.FixturesColl, "5000") }, "5000"},
	"a post that cannot be read":  {audit.DocumentDamaged, func(s *state) { s.ruin(store.PostsColl, late+"/"+waiting) }, waiting},
	"a row that cannot be read": {audit.DocumentDamaged, func(s *state) {
		rows, err := s.docs.Entries(s.t.Context(), store.LogQuery{FixtureID: done, Kinds: []footy.EntryKind{footy.EntryRejected}})
		require.NoError(s.t, err)
		s.ruin(store.EventLog, rows[0].Key)
	}, "decode"},
	"a fact that cannot be read": {audit.DocumentDamaged, func(s *state) {
		require.NoError(s.t, s.docs.PutState(s.t.Context(), "feed_quota", map[string]int{}))
		s.ruin(store.ServiceState, "feed_quota")
	}, "it is learned again"},
	"a fact that must not be guessed": {audit.DocumentDamaged, func(s *state) {
		require.NoError(s.t, s.docs.PutState(s.t.Context(), "x_spent_on_searches", map[string]int{}))
		s.ruin(store.ServiceState, "x_spent_on_searches")
	}, "what is left of today's counts as spent"},
	"a next try a year ahead": {audit.PostNextTry, func(s *state) {
		s.post(late, waiting, func(p *footy.Post) { p.NextTry = s.now.AddDate(1, 0, 0) })
	}, "days ahead"},
	"a next try a year ahead of a post that a Download has": {audit.PostNextTry, func(s *state) {
		s.post(running, taken, func(p *footy.Post) { p.NextTry = s.now.AddDate(1, 0, 0) })
	}, "days ahead"},
	"a next try long over": {audit.PostOverdue, func(s *state) {
		s.post(late, waiting, func(p *footy.Post) { p.NextTry = s.ago(2 * time.Hour) })
	}, "2 h ago"},
	"a post worked at hours after the match": {audit.PostLate, func(s *state) {
		s.fixture(done, func(f *footy.Fixture) { f.CompletedAt = s.ago(4 * time.Hour) })
		s.post(late, waiting, func(p *footy.Post) { p.State, p.ChangedAt = footy.PostFetched, s.ago(4*time.Hour) })
	}, "waits for nothing"},
	"a post in a state nobody knows": {audit.PostState, func(s *state) {
		s.rewrite(store.PostsColl, late+"/"+waiting, func(body string) string { return strings.Replace(body, `"waiting"`, `"banana"`, 1) })
	}, "banana"},
	"an open post of a goal that is gone": {audit.PostEvent, func(s *state) {
		s.record(footy.Post{EventUID: "5000-9", PostID: "1", FixtureID: done, State: footy.PostOffered, NextTry: s.ago(2 * time.Hour), ChangedAt: s.ago(2 * time.Hour)})
	}, "offered"},
	"an open post of a match that is gone": {audit.PostEvent, func(s *state) {
		s.record(footy.Post{EventUID: "4000-1", PostID: "1", FixtureID: 4000, State: footy.PostOffered, NextTry: s.ago(2 * time.Hour), ChangedAt: s.ago(2 * time.Hour)})
	}, "offered"},
	"a post that its clip counts stays open": {audit.PostNotClosed, func(s *state) {
		s.post(goal, first, func(p *footy.Post) { p.State, p.NextTry = footy.PostJudged, s.now.Add(time.Minute) })
	}, "judged"},
	"a published post that no clip counts": {audit.PostClip, func(s *state) {
		s.record(footy.Post{EventUID: goal, PostID: "1", FixtureID: done, State: footy.PostMerged, ClipID: clipOf(first), ChangedAt: s.now})
	}, "no clip of the goal counts it"},
	"a published post with another clip's id": {audit.PostClip, func(s *state) {
		s.post(goal, first, func(p *footy.Post) { p.ClipID = "another" })
	}, "as clip another"},
	"a clip that counts a refused post": {audit.ClipPost, func(s *state) {
		s.event(goal, func(e *footy.Event) { e.Clip(clipOf(first)).Posts = []string{first, copied, wrong} })
		s.settle(goal)
	}, "refused by the ledger"},
	"a clip that counts a post passed over": {audit.ClipPost, func(s *state) {
		s.event(goal, func(e *footy.Event) { e.Clip(clipOf(first)).Posts = []string{first, copied, longer} })
		s.settle(goal)
	}, "passed_over by the ledger"},
	"a clip that counts a post nobody knows": {audit.ClipPost, func(s *state) {
		s.event(goal, func(e *footy.Event) { e.Clip(clipOf(first)).Posts = []string{first, copied, "1"} })
		s.settle(goal)
	}, "no record"},
	"a clip without bytes": {audit.ClipBytes, func(s *state) {
		s.delete("clips/" + goal + "/" + digest(first) + ".mp4")
	}, "is not there"},
	"a clip cut short": {audit.ClipBytes, func(s *state) {
		s.event(goal, func(e *footy.Event) { e.Clip(clipOf(first)).Size = 500 })
	}, "5 bytes instead of 500"},
	"a clip without its picture": {audit.ClipPoster, func(s *state) {
		s.delete("posters/" + goal + "/" + digest(first) + ".jpg")
	}, "is not there"},
	"a clip without fingerprint": {audit.ClipFingerprint, func(s *state) {
		c := s.get(done).Events[0].Clip(clipOf(worse))
		require.NoError(s.t, s.docs.ArchiveFingerprints(s.t.Context(), done, nil))
		s.print(goal, *c)
	}, "no fingerprint"},
	"a retired copy that was never swept": {audit.ClipKept, func(s *state) {
		s.hoursLater(3)
		s.event(goal, func(e *footy.Event) { e.Clip(clipOf(worse)).Swept = false })
		s.put("clips/" + goal + "/" + digest(worse) + ".mp4")
		s.put("posters/" + goal + "/" + digest(worse) + ".jpg")
	}, "replaced by"},
	"a removed goal that was never swept": {audit.ClipKept, func(s *state) {
		s.event(goal, func(e *footy.Event) { e.Removed, e.RemovedAt = true, s.ago(50*time.Hour) })
		s.append(footy.Entry{FixtureID: done, EventUID: goal, Kind: footy.EntryRemoved})
	}, "removed 2 days ago"},
	"a goal of a finished match that stays open": {audit.EventIncomplete, func(s *state) {
		s.event(goal, func(e *footy.Event) { e.DownloadComplete, e.CompletedAt = false, time.Time{} })
		s.forget(row(footy.EntryCompleted))
	}, "1 h"},
	"an open post of a complete goal": {audit.EventOpen, func(s *state) {
		s.record(footy.Post{EventUID: goal, PostID: "1", FixtureID: done, State: footy.PostOffered, NextTry: s.now, FirstSeen: s.now, ChangedAt: s.now})
	}, "the post is offered"},
	"a match over and still active": {audit.FixtureUnfinished, func(s *state) {
		s.fixture(live, func(f *footy.Fixture) { f.TerminalSince = s.ago(3 * time.Hour) })
	}, "3 h"},
	"a clip that was taken down elsewhere": {audit.TakedownClip, func(s *state) { s.tombstone(first) }, "taken down"},
	"bytes that were taken down":           {audit.TakedownBytes, func(s *state) { s.tombstone("700"); s.put("clips/" + goal + "/" + digest("700") + ".mp4") }, "a person asked"},
	"a clip nobody has":                    {audit.ObjectOwner, func(s *state) { s.put("clips/" + goal + "/" + digest("700") + ".mp4") }, "nobody has needed it"},
	"bytes of a retired copy":              {audit.ObjectOwner, func(s *state) { s.put("clips/" + goal + "/" + digest(worse) + ".mp4") }, "nobody has needed it"},
	"a picture of no goal":                 {audit.ObjectOwner, func(s *state) { s.put(blob.StillKey("4000-1", digest("700"))) }, "nobody has needed it"},
	"what a post of no goal is known by":   {audit.ObjectOwner, func(s *state) { s.put(blob.FootageKey("4000-1", digest("700"))) }, "nobody has needed it"},
	"staged bytes that nobody needs":       {audit.ObjectOwner, func(s *state) { s.put("staging/" + digest(first) + "/clip.mp4") }, "nobody has needed it"},
}

func TestEachBreachIsFoundAlone(t *testing.T) {
	t.Parallel()
	for name, b := range breaches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := healthy(t)
			b.plant(s)
			r := s.run()
			require.Len(t, r.Breaches, 1, "%+v", r.Breaches)
			got := r.Breaches[0]
			require.Equal(t, b.check, got.Check)
			require.Contains(t, got.Detail, b.what)
			require.NotEmpty(t, got.Remedy)
		})
	}
}

func TestEachCheckHasATest(t *testing.T) {
	t.Parallel()
	tested := map[audit.Check]bool{audit.Idle: true, audit.ClipStoreOwner: true} // have tests of their own
	for _, b := range breaches {
		tested[b.check] = true
	}
	for _, c := range audit.Checks() {
		require.True(t, tested[c], c)
	}
}

// TestTracesOfAPostThatIsFetchedAreNoBreach: a goal may be removed, or a worker killed, between them and their record.
func TestTracesOfAPostThatIsFetchedAreNoBreach(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	for _, key := range blob.Traces(late, digest("700")) {
		s.put(key)
	}
	require.Len(t, s.run().Breaches, 3)
	s.post(late, waiting, func(p *footy.Post) { p.Media = nil })
	s.delete("staging/" + digest(waiting) + "/clip.mp4")
	require.Empty(t, s.run().Breaches)
}

func TestTheLongestPauseOfAWaitingPostIsNoBreach(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	s.post(late, waiting, func(p *footy.Post) { p.NextTry = s.now.Add(ledger.DefaultDelays().Longest + 5*time.Minute) })
	require.Empty(t, s.run().Breaches)
	s.post(late, waiting, func(p *footy.Post) { p.NextTry = s.now.Add(ledger.DefaultDelays().Longest + 10*time.Minute) })
	require.Len(t, s.run().Breaches, 1)
	require.Equal(t, ledger.DefaultDelays().Scaled(10).Longest*9/8, audit.Defaults().Scaled(10).Ahead)
}

// TestAPostSuspendedBetweenItsClipAndItsEndIsNoBreach: Upload died in between, then the goal was removed. Its reinstatement closes the post.
func TestAPostSuspendedBetweenItsClipAndItsEndIsNoBreach(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	s.post(goal, first, func(p *footy.Post) {
		p.State, p.Reason, p.WaitingSince, p.NextTry = footy.PostWaiting, footy.ReasonGoalRemoved, s.now, s.now.Add(time.Minute)
	})
	require.Empty(t, s.run().Breaches)
}

func TestWhatIsBetweenTwoStepsIsNotTold(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	orphan, passing := "clips/"+goal+"/"+digest("700")+".mp4", "clips/"+goal+"/"+digest("701")+".mp4"
	s.put(orphan)
	s.put(passing)
	o := s.options()
	o.Again = time.Millisecond
	looks := 0
	r, err := audit.Run(t.Context(), s.docs, hooked{s.blob, func() {
		if looks++; looks == 2 {
			s.delete(passing)
			s.put("clips/" + goal + "/" + digest("702") + ".mp4") // arrives with the second look
		}
	}}, o)
	require.NoError(t, err)
	require.Equal(t, 2, looks)
	require.Len(t, r.Breaches, 1)
	require.Equal(t, orphan, r.Breaches[0].Key)
}

// hooked calls a function before each listing.
type hooked struct {
	blob.Store
	before func()
}

func (h hooked) List(ctx context.Context, prefix string, fn func(blob.Attributes) error) error {
	h.before()
	return h.Store.List(ctx, prefix, fn)
}

func TestAStateThatNobodyWorksAtIsOneBreach(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	s.now = s.now.Add(48 * time.Hour)
	r := s.run()
	require.Len(t, r.Breaches, 1, "ages count up to the last sign of life: %+v", r.Breaches)
	require.Equal(t, audit.Idle, r.Breaches[0].Check)
	require.Contains(t, r.Breaches[0].Detail, "2 days")
}

func TestObjectsWaitForTheirOwner(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	s.put("staging/" + digest("700") + "/clip.mp4")
	o := s.options()
	o.Grace = time.Hour
	r, err := audit.Run(t.Context(), s.docs, s.blob, o)
	require.NoError(t, err)
	require.Empty(t, r.Breaches)
}

// TestStagedBytesAreOverdueOnceTheirPostHasEndedForLong: a model that was away for hours leaves old ones, of posts that ended just now.
func TestStagedBytesAreOverdueOnceTheirPostHasEndedForLong(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	s.put("staging/" + digest(first) + "/clip.mp4") // of a post that is published
	s.hoursLater(3)
	o := s.options()
	o.Grace = 2 * time.Hour
	found := func() audit.Report {
		r, err := audit.Run(t.Context(), s.docs, s.blob, o)
		require.NoError(t, err)
		r.Breaches = slices.DeleteFunc(r.Breaches, func(b audit.Breach) bool { return b.Check != audit.ObjectOwner })
		return r
	}
	s.post(goal, first, func(p *footy.Post) { p.ChangedAt = s.ago(time.Minute) })
	require.Empty(t, found().Breaches, "the next sweep takes them")
	s.post(goal, first, func(p *footy.Post) { p.ChangedAt = s.ago(3 * time.Hour) })
	require.Len(t, found().Breaches, 1)
}

// TestBytesOfAGoalThatTheDatabaseForgotAreTheSweepsForADay: a copy of the database of before has no such goal, and the feed may have cancelled it.
func TestBytesOfAGoalThatTheDatabaseForgotAreTheSweepsForADay(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	s.put("clips/4000-1/" + digest("700") + ".mp4")
	objects := audit.Objects{}
	require.NoError(t, s.blob.List(t.Context(), "clips/4000-1/", func(a blob.Attributes) error { objects[a.Key] = a; return nil }))
	found := func(later time.Duration) []audit.Breach {
		o := audit.Defaults()
		o.Now = time.Now().Add(later)
		return audit.CheckObjects(objects, &audit.Owners{}, nil, o)
	}
	require.Empty(t, found(25*time.Hour))
	require.Len(t, found(27*time.Hour), 1)
}

func TestTheReportSaysWhatToDo(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	s.put("clips/" + goal + "/" + digest("700") + ".mp4")
	s.delete("clips/" + goal + "/" + digest(first) + ".mp4")
	r := s.run()
	var out bytes.Buffer
	require.NoError(t, command.Output{}.Write(&out, r, ""))
	require.Contains(t, out.String(), "- {check: clip_bytes, fixture_id: 5000, event_uid: 5000-1, clip_id: \""+clipOf(first)+"\", key: clips/")
	require.Contains(t, out.String(), "remedy: 'footy restore a backup that has them")
	require.Contains(t, out.String(), "- {check: object_owner, key: clips/")
}
