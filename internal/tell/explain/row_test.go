package explain_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// A row is kind, reason and values; here are its sentences. Rows are as they are stored.
func TestWhatARowSays(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]string{
		`{"kind":"new","data":{"kind":"Goal","player":"Salah","team":"Liverpool","time":{"elapsed":45,"extra":2},"votes":1,"of":3}}`:                                                 "Goal reported: Salah (Liverpool), 45+2'.",
		`{"kind":"new","data":{"kind":"Goal","team":"Liverpool","time":{"elapsed":45}}}`:                                                                                             "Goal reported: an unknown player (Liverpool), 45'.",
		`{"kind":"sighting","data":{"player":"Salah","votes":2,"of":3,"named":2}}`:                                                                                                   "Seen in 2 of 3 polls.",
		`{"kind":"sighting","data":{"votes":4,"of":3}}`:                                                                                                                              "Seen 4 times; the scorer is not named yet.",
		`{"kind":"sighting","data":{"player":"Salah","votes":3,"of":3,"named":1}}`:                                                                                                   "Seen 3 times; the scorer must be named twice in a row.",
		`{"kind":"sighting","data":{"player":"Salah"}}`:                                                                                                                              "Listed again with Salah.",
		`{"kind":"sighting","reason":"score_does_not_count_it","data":{"votes":3,"score":{"home":1,"away":0}}}`:                                                                      "Seen in 3 polls, but the score 1-0 does not count it yet: the search waits until it does.",
		`{"kind":"certain","data":{"player":"Salah","time":{"elapsed":45}}}`:                                                                                                         "Certain: Salah, 45'. The search starts.",
		`{"kind":"renamed","reason":"scorer_corrected","data":{"from":{"name":"Jota"},"to":{"name":"Salah"}}}`:                                                                       "The scorer is Salah, not Jota.",
		`{"kind":"changed","reason":"minute","data":{"time":{"elapsed":46},"time_before":{"elapsed":45,"extra":1}}}`:                                                                 "The minute is 46' now, it was 45+1'.",
		`{"kind":"changed","reason":"new_round","data":{"player":"Salah","round":2}}`:                                                                                                "The scorer is confirmed as Salah: the search starts anew (round 2).",
		`{"kind":"changed","reason":"clock_ahead","data":{"round":2}}`:                                                                                                               "It was seen or searched for while a clock was ahead: that is put right, and the search starts anew (round 2).",
		`{"kind":"absence","data":{"kind":"Goal","absences":1,"of":3,"score":{"home":0,"away":0}}}`:                                                                                  "Missing from the answer (1 of 3), and the score 0-0 does not need it.",
		`{"kind":"absence","data":{"kind":"RedCard","absences":1,"of":3}}`:                                                                                                           "Missing from the answer (1 of 3).",
		`{"kind":"absence_withheld","reason":"score_still_needs_goal","data":{"score":{"home":1,"away":0}}}`:                                                                         "Missing from the answer, but its score 1-0 still counts it: not believed.",
		`{"kind":"removed","reason":"var","data":{"kind":"Goal","player":"Salah","score":{"home":0,"away":0}}}`:                                                                      "Goal by Salah no longer stands (score 0-0): hidden.",
		`{"kind":"activated","reason":"kickoff_near"}`:                                                                                                                               "Kickoff is near: polled every cycle from now on.",
		`{"kind":"rescheduled","reason":"new_date","data":{"kickoff":"2026-08-15T15:00:00Z"}}`:                                                                                       "The match has a new date: 15 August 2026 15:00 UTC",
		`{"kind":"completed","reason":"grace_over","data":{"status":"FT","open":1,"unlisted":2}}`:                                                                                    "The match is over (FT); the grace ended with open searches: 1, goals the feed never listed: 2.",
		`{"kind":"completed","reason":"never_resumed","data":{"status":"SUSP","lasted_s":262800}}`:                                                                                   `The feed has said "suspended" for 3 days: the match counts as over, and is not asked about any more.`,
		`{"kind":"completed","reason":"never_resumed","data":{"status":"XYZ","lasted_s":262800}}`:                                                                                    `The feed has said "XYZ", which is not a status that is known, for 3 days: the match counts as over, and is not asked about any more.`,
		`{"kind":"completed","reason":"all_events_complete","data":{"status":"FT","complete":true}}`:                                                                                 "The match is over (FT) and every event is complete.",
		`{"kind":"completed","event_uid":"u","data":{"outcome":"ok","clips":1}}`:                                                                                                     "Complete: one clip kept",
		`{"kind":"completed","event_uid":"u","data":{"outcome":"lost(window_over)"}}`:                                                                                                "Complete without a clip: the time for searching was over",
		`{"kind":"poll_trusted","data":{"lasted_s":3600}}`:                                                                                                                           "The feed's answers can be believed again, after 1 h",
		`{"kind":"searching","data":{"player":"Salah","time":{"elapsed":45},"round":2}}`:                                                                                             "Searching for clips of Salah 45' (round 2)",
		`{"kind":"ahead","attempt":1,"data":{"state":"results","found":2}}`:                                                                                                          "Searched before it is certain: 2 posts found",
		`{"kind":"ahead","attempt":1,"data":{"state":"empty"}}`:                                                                                                                      "Searched before it is certain: nothing found",
		`{"kind":"ahead","attempt":1,"data":{"state":"not_now"}}`:                                                                                                                    "Searched before it is certain; nothing found yet, and X was not asked, to save its calls",
		`{"kind":"ahead","attempt":1,"data":{"state":"login_required"}}`:                                                                                                             "Searched before it is certain, and nobody could look: login required",
		`{"kind":"waiting","post_id":"1","reason":"not_certain"}`:                                                                                                                    "Fetched; it is checked once it is certain what it shows",
		`{"kind":"query","attempt":3,"data":{"state":"results","found":1}}`:                                                                                                          "Search 3 found 1 post",
		`{"kind":"query","attempt":3,"reason":"reddit_public","data":{"state":"login_required"}}`:                                                                                    "Reddit refuses its public list to this machine. The remedy takes a minute: copy an address from preferences > RSS feeds of any free account, and set it as REDDIT_FEED",
		`{"kind":"query","attempt":3,"reason":"reddit_feed","data":{"state":"empty"}}`:                                                                                               "Search 3 found nothing. Reddit refuses the address that was set as REDDIT_FEED. Copy it again from preferences > RSS feeds",
		`{"kind":"query","attempt":3,"data":{"state":"login_required"}}`:                                                                                                             "X wants a login, and an operator must log in (Health says how); waiting",
		`{"kind":"query","attempt":3,"data":{"state":"no_credits"}}`:                                                                                                                 "X's paid API has no credits left; waiting. Add credits at console.x.com; it goes on by itself.",
		`{"kind":"query","attempt":3,"data":{"state":"day_cap"}}`:                                                                                                                    "The day's money for X's paid API is spent; waiting. Raise X_DAILY_CAP, or wait for midnight UTC.",
		`{"kind":"candidate","post_id":"1","data":{"offered_by":"u"}}`:                                                                                                               "Found for another moment of this match, whose minute it does not show",
		`{"kind":"verdict","post_id":"1","clip_id":"b","data":{"outcome":"verified","detail":"clock 67:42, reported at 68'","same_as":"a"}}`:                                         "Verified (clock 67:42, reported at 68'); same footage as a post that was looked at before",
		`{"kind":"verdict","post_id":"1","clip_id":"b","data":{"outcome":"unverified","same_as":"b"}}`:                                                                               "Accepted, moment not proven; the same file as a post that was looked at before",
		`{"kind":"rejected","reason":"wrong_minute","post_id":"1","clip_id":"b","data":{"outcome":"rejected","detail":"clock 12:34, reported at 68'","same_as":"a"}}`:                "The broadcast clock shows another minute (clock 12:34, reported at 68'); same footage as a post that was looked at before",
		`{"kind":"verdict","post_id":"1","data":{"outcome":"verified","detail":"clock 67:42, reported at 68'"}}`:                                                                     "Verified (clock 67:42, reported at 68')",
		`{"kind":"rejected","post_id":"1","reason":"wrong_minute","data":{"outcome":"rejected","detail":"clock 12:00"}}`:                                                             "The broadcast clock shows another minute (clock 12:00)",
		`{"kind":"rejected","post_id":"1","reason":"unreadable","data":{"detail":"/tmp/clip-1.mp4: moov"}}`:                                                                          "The file cannot be decoded",
		`{"kind":"waiting","post_id":"1","reason":"deleted","data":{"detail":"Get http://10.0.0.1"}}`:                                                                                "The post seems to be deleted; it is checked again before it is refused",
		`{"kind":"clip","clip_id":"c","data":{"duration":8.21,"width":1280,"height":720}}`:                                                                                           "New clip, 8.2 s, 1280x720",
		`{"kind":"replaced","clip_id":"c","data":{"into":"d","better":"bitrate","match":{"same":true,"matched_frames":30,"seconds":7.25,"offset":-1,"speed":1.04,"mirrored":true}}}`: "Same footage mirrored at 104 % speed for 7.2 s, offset -1.00 s; clip 2 is of higher bitrate",
		`{"kind":"operator","data":{"act":"take down","reason":"a claim"}}`:                                                                                                          "An operator took every clip down: a claim",
	} {
		var r footy.Entry
		require.NoError(t, json.Unmarshal([]byte(row), &r))
		require.Equal(t, want, explain.Row(r, func(id string) string { return map[string]string{"d": "clip 2"}[id] }), row)
	}
}

func TestWhatProgramsSaidStaysInside(t *testing.T) {
	t.Parallel()
	detail := func(r footy.Entry) string { return explain.Public(r).Data.Detail + explain.Public(r).Data.Why }
	require.Empty(t, detail(footy.Entry{Kind: footy.EntryWaiting, Reason: footy.ReasonStorage, Data: footy.Evidence{Detail: "dial tcp 10.0.0.7:443"}}))
	require.Empty(t, detail(footy.Entry{Kind: footy.EntryPollFailed, Data: footy.Evidence{Why: "dial tcp 10.0.0.7:443"}}))
	require.Empty(t, detail(footy.Entry{Kind: footy.EntryQuery, Data: footy.Evidence{State: "timeout", Detail: "http://10.0.0.7"}}))
	require.Equal(t, "clock 67:42", detail(footy.Entry{Kind: footy.EntryVerdict, Data: footy.Evidence{Outcome: "verified", Detail: "clock 67:42"}}))
	require.Equal(t, "see https://example.com/claim", detail(footy.Entry{Kind: footy.EntryRejected, Reason: footy.ReasonTombstone, Data: footy.Evidence{Detail: "see https://example.com/claim"}}))
}

func TestASlowPaceSaysSo(t *testing.T) {
	t.Parallel()
	require.Equal(t, "the plan cannot be polled every 30 s: with the calls left, live matches are polled every 7 min 30 s, and goals come later", explain.Pace(30*time.Second, 452*time.Second))
}

func TestASpeedWithinMeasuringErrorIsNotSaid(t *testing.T) {
	t.Parallel()
	require.Equal(t, "same footage for 6.0 s, offset +0.00 s", explain.Comparison(footy.Comparison{Same: true, MatchedFrames: 24, Seconds: 6, Speed: 1.02}))
	require.Equal(t, "same footage at 104 % speed for 6.0 s, offset +0.00 s", explain.Comparison(footy.Comparison{Same: true, MatchedFrames: 24, Seconds: 6, Speed: 1.04}))
	require.Equal(t, "same footage at 98 % speed for 30.0 s, offset +0.00 s", explain.Comparison(footy.Comparison{Same: true, MatchedFrames: 120, Seconds: 30, Speed: 0.98}))
}

func TestAClockThatWasNotReadIsNotSaidToBe(t *testing.T) {
	t.Parallel()
	text := explain.Row(footy.Entry{Kind: footy.EntryRejected, Reason: footy.ReasonNoClock, PostID: "1", ClipID: "a",
		Data: footy.Evidence{Outcome: "rejected", Proof: footy.ProofClock, Running: &footy.RunningClock{Abstained: "no_beat"}}}, nil)
	require.Equal(t, "No running clock can be read in it, and no model is asked here", text)
}

// TestWhatWasReadInAnotherClipIsNamed: a clip that replaced the one that was read has its name, and is not "the same as itself".
func TestWhatWasReadInAnotherClipIsNamed(t *testing.T) {
	t.Parallel()
	names := func(id string) string {
		return map[string]string{"read": "clip 1", "longer": "clip 1", "other": "clip 2"}[id]
	}
	row := func(clip, same string) string {
		return explain.Row(footy.Entry{Kind: footy.EntryVerdict, ClipID: clip, Data: footy.Evidence{Outcome: "verified", SameAs: same}}, names)
	}
	require.Equal(t, "Verified; same footage as clip 1", row("other", "read"))
	require.Equal(t, "Verified; same footage as a post that was looked at before", row("longer", "read"))
	require.Equal(t, "Verified; the same file as a post that was looked at before", row("other", "other"))
}

func TestAVerdictOfTheRunningClockSaysSo(t *testing.T) {
	t.Parallel()
	d := footy.Evidence{Outcome: "verified", Proof: footy.ProofClock, Running: &footy.RunningClock{Readings: []footy.ClockAt{{Clock: "66:58"}, {At: 1, Clock: "66:59"}}}}
	require.Equal(t, "Verified; the running clock was read in 2 seconds; no model was asked", explain.Row(footy.Entry{Kind: footy.EntryVerdict, Data: d}, nil))
	for fit, want := range map[footy.ScoreFit]string{"": "", footy.ScoreFitsBefore: ", as before the goal", footy.ScoreFitsAfter: ", as after the goal",
		footy.ScoreFitsThen: ", as it was then", footy.ScoreFitsNot: ", which was not the score then"} {
		d := d
		running := *d.Running
		running.Score, d.Running, d.ScoreFit = &footy.ScoreBeside{Left: 2, Right: 1}, &running, fit
		require.Equal(t, "Verified; the running clock was read in 2 seconds, score 2-1 beside it"+want+"; no model was asked", explain.Row(footy.Entry{Kind: footy.EntryVerdict, Data: d}, nil))
	}
	d.Readings = []footy.Reading{{Soccer: true}}
	d.Running.Seconds = 14
	require.Equal(t, "Verified; the running clock was read in 2 of 14 seconds; a model looked at the picture alone", explain.Row(footy.Entry{Kind: footy.EntryVerdict, Data: d}, nil))
}
