package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// sideChecks: what lies beside the fixtures.
var sideChecks = []check{
	{name: "a poll overwrites what was said of its fixtures and no others", run: livePolls},
	{name: "answers that changed something are kept as text with their match", run: keptAnswers},
	{name: "log rows are written once, whatever is repeated", run: logOnce},
	{name: "log rows by fixture, event, kind and time", run: logQueries},
	{name: "log rows of one moment keep their order", run: logOrder},
	{name: "fingerprints by event, deleted by fixture", run: fingerprints},
	{name: "fingerprints are archived when their fixture goes", run: archive},
	{name: "tombstones are kept one per content and event and listed for all", run: tombstones},
	{name: "aliases and state: missing is not found, written is overwritten", run: aliasesAndState},
	{name: "concurrent appends of the same rows", run: concurrentAppend},
}

func livePolls(t *testing.T, b store.Backend) {
	s := over(b)
	said := func(id int64, poll, code string) store.Answer {
		return store.Answer{FixtureID: id, PollID: poll, Answered: kickoff, Said: json.RawMessage(`{"code":"` + code + `"}`)}
	}
	require.NoError(t, s.PutAnswers(t.Context(), nil))
	require.NoError(t, s.PutAnswers(t.Context(), []store.Answer{said(1, "poll-1", "1H"), said(2, "poll-1", "1H")}))
	require.NoError(t, s.PutAnswers(t.Context(), []store.Answer{said(2, "poll-2", "HT"), said(3, "poll-2", "NS"), said(3, "poll-2", "1H")}))
	live, err := s.LatestAnswers(t.Context(), []int64{1, 2, 3, 4})
	require.NoError(t, err)
	require.Len(t, live, 3, "a fixture without an answer is absent")
	require.Equal(t, "poll-1", live[1].PollID)
	require.Equal(t, "poll-2", live[2].PollID)
	require.Contains(t, string(live[2].Said), `"HT"`)
	require.Contains(t, string(live[3].Said), `"1H"`)
	err = s.PutAnswers(t.Context(), []store.Answer{{FixtureID: 5, PollID: "poll-3", Said: json.RawMessage(`[]`)}})
	requireCode(t, footy.CodeInvalid, err)
}

func keptAnswers(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, active))
	add(t, s, fixture(5001, active))
	kept, err := s.KeptAnswers(t.Context(), 5000)
	require.NoError(t, err)
	require.Empty(t, kept)
	for i := range store.MaxAnswers + 5 {
		a := store.Answer{FixtureID: 5000, PollID: fmt.Sprint("poll-", i), Answered: kickoff.Add(time.Duration(i) * time.Minute), Said: json.RawMessage(fmt.Sprintf(`{"n": %d}`, i))}
		require.NoError(t, s.KeepAnswer(t.Context(), a))
		require.NoError(t, s.KeepAnswer(t.Context(), a), "of a poll that is repeated")
	}
	require.NoError(t, s.KeepAnswer(t.Context(), store.Answer{FixtureID: 5001, PollID: "poll-1", Answered: kickoff, Said: json.RawMessage(`{}`)}))
	kept, err = s.KeptAnswers(t.Context(), 5000)
	require.NoError(t, err)
	require.Len(t, kept, store.MaxAnswers)
	require.Equal(t, store.KeptAnswer{Answered: kickoff.Add(5 * time.Minute), PollID: "poll-5", Said: `{"n": 5}`}, kept[0], "the last ones, the oldest first, letter by letter")
	require.NoError(t, s.Delete(t.Context(), 5000))
	kept, err = s.KeptAnswers(t.Context(), 5000)
	require.NoError(t, err)
	require.Empty(t, kept, "they go with their match")
	kept, err = s.KeptAnswers(t.Context(), 5001)
	require.NoError(t, err)
	require.Len(t, kept, 1)
}

func row(key string, fixtureID int64, event string, kind footy.EntryKind, after time.Duration) footy.Entry {
	return footy.Entry{Key: key, FixtureID: fixtureID, EventUID: event, Kind: kind, At: kickoff.Add(after), Data: footy.Evidence{Detail: "detail of " + key}}
}

func rowKeys(t *testing.T, s store.Store, q store.LogQuery) []string {
	t.Helper()
	rows, err := s.Entries(t.Context(), q)
	require.NoError(t, err)
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = r.Key
	}
	return out
}

func logOnce(t *testing.T, b store.Backend) {
	s := over(b)
	first := row("a", 1, "u", footy.EntryNew, 0)
	require.NoError(t, s.Append(t.Context()))
	require.NoError(t, s.Append(t.Context(), first))
	again := first
	again.Data.Detail, again.At = "written by a retry", kickoff.Add(time.Hour)
	require.NoError(t, s.Append(t.Context(), again, row("b", 1, "u", footy.EntrySighting, time.Second), again))
	rows, err := s.Entries(t.Context(), store.LogQuery{})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	require.Equal(t, first, rows[0], "the first writing stays")
	requireCode(t, footy.CodeInvalid, s.Append(t.Context(), footy.Entry{Kind: footy.EntryNew}))
}

func logQueries(t *testing.T, b store.Backend) {
	s := over(b)
	require.Empty(t, rowKeys(t, s, store.LogQuery{}))
	require.NoError(t, s.Append(t.Context(),
		row("5", 1, "u", footy.EntryCertain, 5*time.Second), row("1", 1, "", footy.EntryActivated, time.Second),
		row("2", 1, "u", footy.EntryNew, 2*time.Second), row("3", 1, "v", footy.EntryNew, 3*time.Second),
		row("4", 2, "w", footy.EntryNew, 4*time.Second)))
	for want, q := range map[string]store.LogQuery{
		"[1 2 3 4 5]": {},
		"[1 2 3 5]":   {FixtureID: 1},
		"[2 5]":       {FixtureID: 1, EventUID: "u"},
		"[4]":         {EventUID: "w"},
		"[2 3 4]":     {Kinds: []footy.EntryKind{footy.EntryNew}},
		"[]":          {EventUID: "none"},
		"[2 4 5]":     {Keys: []string{"4", "none", "5", "2"}},
		"[5]":         {Keys: []string{"5", "3"}, EventUID: "u"},
		"[3 4 5]":     {Since: kickoff.Add(3 * time.Second)},
		"[4 5]":       {Limit: 2},
		"[3 4]":       {Kinds: []footy.EntryKind{footy.EntryNew}, Limit: 2},
		"[1 2 3]":     {FixtureID: 1, Kinds: []footy.EntryKind{footy.EntryNew, footy.EntryActivated}},
	} {
		require.Equal(t, want, fmt.Sprint(rowKeys(t, s, q)), "%+v", q)
	}
	require.NoError(t, s.Delete(t.Context(), 1))
	require.Equal(t, []string{"4"}, rowKeys(t, s, store.LogQuery{}))
}

func logOrder(t *testing.T, b store.Backend) {
	s := over(b)
	require.NoError(t, s.Append(t.Context(),
		row("c", 1, "u", footy.EntryNew, 0), row("a", 1, "u", footy.EntryNew, 0), row("b", 1, "u", footy.EntryNew, 0),
		row("0", 1, "u", footy.EntryNew, 300), row("9", 1, "u", footy.EntryNew, 200))) // nanoseconds later
	require.Equal(t, []string{"a", "b", "c", "9", "0"}, rowKeys(t, s, store.LogQuery{FixtureID: 1}))
	require.Equal(t, []string{"9", "0"}, rowKeys(t, s, store.LogQuery{Since: kickoff.Add(100)}))
}

func fingerprints(t *testing.T, b store.Backend) {
	s := over(b)
	fp := func(fixtureID int64, event, clip string) footy.StoredFingerprint {
		return footy.StoredFingerprint{ClipID: clip, EventUID: event, FixtureID: fixtureID, Digest: clip + "-digest",
			Fingerprint: footy.Fingerprint{Version: footy.FingerprintVersion, Frames: []footy.Frame{{Bits: [4]uint64{1 << 63}, Weight: 255}}}}
	}
	list := []footy.StoredFingerprint{fp(1, "u", "a"), fp(1, "u", "b"), fp(1, "v", "a"), fp(2, "w", "a")}
	for _, f := range append(list, list...) {
		require.NoError(t, s.PutFingerprint(t.Context(), f))
	}
	got, err := s.Fingerprints(t.Context(), "u")
	require.NoError(t, err)
	require.Equal(t, list[:2], got)
	got, err = s.Fingerprints(t.Context(), "none")
	require.NoError(t, err)
	require.Empty(t, got)
	require.NoError(t, s.ArchiveFingerprints(t.Context(), 1, nil))
	got, err = s.Fingerprints(t.Context(), "v")
	require.NoError(t, err)
	require.Empty(t, got)
	got, err = s.Fingerprints(t.Context(), "w")
	require.NoError(t, err)
	require.Len(t, got, 1)
}

// archive keeps some fingerprints of a fixture that goes, and forgets them by the time of their match.
func archive(t *testing.T, b store.Backend) {
	s := over(b)
	fp := func(fixtureID int64, event, clip string) footy.StoredFingerprint {
		return footy.StoredFingerprint{ClipID: clip, EventUID: event, FixtureID: fixtureID, Fingerprint: footy.Fingerprint{Version: footy.FingerprintVersion}}
	}
	for _, f := range []footy.StoredFingerprint{fp(1, "u", "a"), fp(1, "u", "b"), fp(2, "w", "a")} {
		require.NoError(t, s.PutFingerprint(t.Context(), f))
	}
	refs := func() []footy.FingerprintRef {
		list, err := s.FingerprintRefs(t.Context())
		require.NoError(t, err)
		slices.SortFunc(list, func(a, b footy.FingerprintRef) int { return strings.Compare(a.ID, b.ID) })
		return list
	}
	others := footy.FingerprintRef{ID: "w/a", EventUID: "w", FixtureID: 2}
	require.Equal(t, []footy.FingerprintRef{{ID: "u/a", EventUID: "u", FixtureID: 1}, {ID: "u/b", EventUID: "u", FixtureID: 1}, others}, refs())

	kept := fp(1, "u", "b")
	kept.Seen = &footy.Seen{FixtureID: 1, EventUID: "u", ClipID: "b", Home: "Arsenal", Away: "Chelsea", Kickoff: kickoff}
	for range 2 {
		require.NoError(t, s.ArchiveFingerprints(t.Context(), 1, []footy.StoredFingerprint{kept}))
	}
	require.Equal(t, []footy.FingerprintRef{{ID: "u/b", EventUID: "u", FixtureID: 1}, others}, refs())
	got, err := s.FingerprintsByID(t.Context(), []string{"u/b", "u/a"})
	require.NoError(t, err)
	require.Equal(t, []footy.StoredFingerprint{kept}, got)
	got, err = s.FingerprintsByID(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, got, "no name is no fingerprint, not all of them")

	require.NoError(t, s.DeleteArchived(t.Context(), kickoff))
	require.Len(t, refs(), 2)
	require.NoError(t, s.DeleteArchived(t.Context(), kickoff.Add(time.Second)))
	require.Equal(t, []footy.FingerprintRef{others}, refs(), "what is not archived has its fixture's time")
	require.NoError(t, s.ArchiveFingerprints(t.Context(), 2, nil))
	require.Empty(t, refs())
}

func tombstones(t *testing.T, b store.Backend) {
	s := over(b)
	tomb := func(digest string, fixtureID int64, at time.Time) footy.Tombstone {
		return footy.Tombstone{Digest: digest, FixtureID: fixtureID, Reason: "takedown", At: at, Fingerprint: footy.Fingerprint{Version: "ff1"}}
	}
	second := tomb("b", 2, kickoff.Add(2*time.Hour))
	second.EventUID, second.Reason = "v", "the same bytes for another goal"
	list := []footy.Tombstone{tomb("b", 1, kickoff), tomb("c", 2, kickoff.Add(time.Minute)), tomb("a", 1, kickoff.Add(time.Hour)), second}
	none, err := s.Tombstones(t.Context())
	require.NoError(t, err)
	require.Empty(t, none)
	for _, x := range append(list, list...) {
		require.NoError(t, s.PutTombstone(t.Context(), x))
	}
	got, err := s.Tombstones(t.Context())
	require.NoError(t, err)
	require.Equal(t, list, got, "oldest first, the first takedown as it was")
}

func aliasesAndState(t *testing.T, b store.Backend) {
	s := over(b)
	_, err := s.Aliases(t.Context(), 42)
	requireCode(t, footy.CodeNotFound, err)
	for _, words := range [][]string{{"gunners"}, {"arsenal", "gunners"}} {
		require.NoError(t, s.PutAliases(t.Context(), footy.TeamAliases{TeamID: 42, Team: "Arsenal", Aliases: words}))
	}
	a, err := s.Aliases(t.Context(), 42)
	require.NoError(t, err)
	require.Equal(t, []string{"arsenal", "gunners"}, a.Aliases)

	var n int
	requireCode(t, footy.CodeNotFound, s.State(t.Context(), "budget", &n))
	require.NoError(t, s.PutState(t.Context(), "budget", 41))
	require.NoError(t, s.PutState(t.Context(), "budget", 40))
	require.NoError(t, s.State(t.Context(), "budget", &n))
	require.Equal(t, 40, n)
	var wrong struct{ A int }
	requireCode(t, footy.CodeInvalid, s.State(t.Context(), "budget", &wrong))
	var list []string
	require.NoError(t, s.PutState(t.Context(), "list", []string{"a", "b"}))
	require.NoError(t, s.State(t.Context(), "list", &list))
	require.Equal(t, []string{"a", "b"}, list)
	requireCode(t, footy.CodeInvalid, s.PutState(t.Context(), "bad", func() {}))
	require.NoError(t, s.Ping(t.Context()))
}

func concurrentAppend(t *testing.T, b store.Backend) {
	s := over(b)
	var g errgroup.Group
	for range 8 {
		g.Go(func() error {
			for i := range 20 {
				if err := s.Append(t.Context(), row(fmt.Sprint(i), 1, "u", footy.EntryNew, 0), row(fmt.Sprint(i+1), 1, "u", footy.EntryNew, 0)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
	require.Len(t, rowKeys(t, s, store.LogQuery{}), 21)
}
