package pipeline_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// known knows one film as footage of an older match.
type known struct {
	film string
	seen footy.Seen
}

func (k *known) Before(_ context.Context, _ footy.Post, print footy.Fingerprint) (*footy.Seen, error) {
	if m := phash.Compare(print, printOf(k.film)); m.Same {
		s := k.seen
		s.Match = &m
		return &s, nil
	}
	return nil, nil
}

func (k *known) Keeps(_ footy.Fixture, prints []footy.StoredFingerprint) []footy.StoredFingerprint {
	for i := range prints {
		prints[i].Seen = &k.seen
	}
	return prints
}

func (k *known) For() time.Duration { return 365 * 24 * time.Hour }

const olderMatch, olderGoal = int64(4000), "4000-1"

// older is known to the worker: a clip of a match of half a year ago.
func (b *bench) older() *known {
	b.t.Helper()
	began := time.Date(2026, 5, 3, 15, 0, 0, 0, time.UTC)
	k := &known{"old", footy.Seen{FixtureID: olderMatch, EventUID: olderGoal, Home: "Arsenal", Away: "Chelsea", Kickoff: began, Player: "Bukayo Saka", Minute: footy.Minute{Elapsed: 12}}}
	b.down.Footage, b.old.Footage = k, k
	return k
}

// TestOldFootageIsRefused: the model would read the goal's minute in it, and is not asked.
func TestOldFootageIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := newCinema(b)
	b.older()
	b.x.film = map[string]string{"1": "old", "2": "goal/1"}
	in := b.open("1", "2")
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"1": "refused old_footage", "2": "published"}, b.states(oneGoal))
	require.Equal(t, map[string]int{"goal/1": 1}, c.asked)
	for _, r := range b.rows(oneGoal, footy.EntryRejected) {
		require.Equal(t, footy.ReasonOldFootage, r.Reason)
		require.Equal(t, olderMatch, r.Data.Old.FixtureID)
		require.True(t, r.Data.Old.Match.Same)
		require.Equal(t, "Old footage: this is Arsenal - Chelsea of 3 May 2026 (Bukayo Saka 12'). We had it before this match began", explain.Row(r, nil))
		require.NotEmpty(t, r.Data.PosterKey)
	}
	p := b.post(oneGoal, "1")
	require.Equal(t, "Old footage: this is Arsenal - Chelsea of 3 May 2026 (Bukayo Saka 12'). We had it before this match began", explain.Post(p, nil))
}

// TestWhatStaysOfADeletedMatch: the fingerprints that the port keeps, for as long as it says, and none without it.
func TestWhatStaysOfADeletedMatch(t *testing.T) {
	t.Parallel()
	for name, keeps := range map[string]bool{"kept": true, "no archive": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if b.older(); !keeps {
				b.old.Footage = nil
			}
			f := footy.Fixture{ID: olderMatch, Stage: footy.StageCompleted, Match: footy.Match{ID: olderMatch, Kickoff: b.now().Add(-20 * 24 * time.Hour)}, Events: []footy.Event{{UID: olderGoal, ID: olderGoal}}}
			require.NoError(t, b.store.Add(t.Context(), f))
			require.NoError(t, b.store.PutFingerprint(t.Context(), footy.StoredFingerprint{ClipID: "c", EventUID: olderGoal, FixtureID: olderMatch, Fingerprint: printOf("old")}))
			f, err := b.store.Fixture(t.Context(), olderMatch)
			require.NoError(t, err)
			require.NoError(t, b.old.Erase(t.Context(), f))
			refs, err := b.store.FingerprintRefs(t.Context())
			require.NoError(t, err)
			require.Equal(t, keeps, len(refs) == 1)
		})
	}
}
