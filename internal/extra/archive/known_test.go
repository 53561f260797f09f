package archive_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/archive"
	"github.com/found-footy/found-footy/internal/footy"
)

// TestWhatIsOldFootage: a verified clip that was kept before the post's own match began, and nothing else.
func TestWhatIsOldFootage(t *testing.T) {
	t.Parallel()
	then, kickoff := time.Date(2026, 5, 3, 15, 0, 0, 0, time.UTC), time.Date(2026, 11, 7, 15, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		film   int
		change func(*footy.Fixture)
		synced bool
		want   bool
	}{
		"the clip's footage":                 {3, nil, true, true},
		"other footage":                      {4, nil, true, false},
		"an index that is not up to date":    {3, nil, false, false},
		"a clip whose moment is not proven":  {3, func(f *footy.Fixture) { f.Events[0].Clips[0].Verified = false }, true, false},
		"a clip that was kept since kickoff": {3, func(f *footy.Fixture) { f.Events[0].Clips[0].AddedAt = kickoff.Add(time.Minute) }, true, false},
		"a match that is under way":          {3, func(f *footy.Fixture) { f.Stage = footy.StageActive }, true, false},
		"a goal that was removed":            {3, func(f *footy.Fixture) { f.Events[0].Removed = true }, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := opened(t)
			old := footy.Fixture{ID: 4000, Stage: footy.StageCompleted, Match: footy.Match{ID: 4000, Kickoff: then}, Teams: footy.Teams{Away: footy.Team{Name: "Chelsea"}},
				Events: []footy.Event{{UID: "4000-1", ID: "4000-1", Clips: []footy.Clip{{ID: "c", Verified: true, AddedAt: then.Add(time.Hour)}}}}}
			if c.change != nil {
				c.change(&old)
			}
			require.NoError(t, s.Add(t.Context(), old))
			require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 5000, Stage: footy.StageActive, Match: footy.Match{ID: 5000, Kickoff: kickoff}, Events: []footy.Event{{UID: "5000-1", ID: "5000-1"}}}))
			require.NoError(t, s.PutFingerprint(t.Context(), footy.StoredFingerprint{ClipID: "c", EventUID: "4000-1", FixtureID: 4000, Fingerprint: film(3)}))
			known := &archive.Known{Index: archive.New(s, time.Now), Fixtures: s, Log: slog.New(slog.DiscardHandler)}
			if c.synced {
				require.NoError(t, known.Index.Sync(t.Context()))
			}
			seen, err := known.Before(t.Context(), footy.Post{FixtureID: 5000, EventUID: "5000-1"}, copied(c.film))
			require.NoError(t, err)
			require.Equal(t, c.want, seen != nil)
			if c.want {
				require.Equal(t, "Chelsea", seen.Away)
				require.True(t, seen.Match.Same)
			}
		})
	}
}

// BenchmarkFind asks an archive of ten thousand clips.
func BenchmarkFind(b *testing.B) {
	s := opened(b)
	s.put(b, 0, 10_000)
	a := archive.New(s, time.Now)
	require.NoError(b, a.Sync(b.Context()))
	query := copied(4321)
	for b.Loop() {
		hits, err := a.Find(b.Context(), query, nil)
		require.NoError(b, err)
		require.Len(b, hits, 1)
	}
}
