package archive_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/extra/archive"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

// counted is a store that counts the fingerprints that are read, and fails when it is told to.
type counted struct {
	store.Store
	reads atomic.Int64
	after atomic.Int64 // so many reads fail nothing; 0: none ever
}

func (c *counted) FingerprintsByID(ctx context.Context, ids []string) ([]footy.StoredFingerprint, error) {
	if n := c.reads.Add(int64(len(ids))); c.after.Load() > 0 && n > c.after.Load() {
		return nil, errors.New("no route")
	}
	return c.Store.FingerprintsByID(ctx, ids)
}

func opened(t testing.TB) *counted {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { _ = s.Close() })
	return &counted{Store: s}
}

// film is footage that nothing else looks like.
func film(n int) footy.Fingerprint {
	const beats, perBeat = 32, 4
	r := rand.New(rand.NewPCG(uint64(n), 3))
	fp := footy.Fingerprint{Version: footy.FingerprintVersion, Interval: footy.SampleInterval, Duration: beats / 4}
	for range beats {
		f := footy.Frame{Bits: [4]uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}, Detail: r.Uint64() >> 8, Weight: 255}
		for range perBeat {
			fp.Frames = append(fp.Frames, f)
		}
	}
	return fp
}

// copied is a copy of a film: it begins later, and some bits are others.
func copied(n int) footy.Fingerprint {
	fp := film(n)
	r := rand.New(rand.NewPCG(uint64(n), 4))
	fp.Frames = append([]footy.Frame(nil), fp.Frames[7:]...)
	for i := range fp.Frames {
		for k := range fp.Frames[i].Bits {
			one, another := r.IntN(64), r.IntN(64)
			fp.Frames[i].Bits[k] ^= 1<<one | 1<<another
		}
	}
	return fp
}

// put stores clips from, from+1, ... to-1; clip n is of fixture n/10.
func (c *counted) put(t testing.TB, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		fixture := int64(n / 10)
		require.NoError(t, c.PutFingerprint(t.Context(), footy.StoredFingerprint{ClipID: fmt.Sprintf("c%d", n), EventUID: fmt.Sprintf("e%d", fixture), FixtureID: fixture, Fingerprint: film(n)}))
	}
}

func found(t *testing.T, a *archive.Archive, n int) []string {
	t.Helper()
	hits, err := a.Find(t.Context(), copied(n), nil)
	require.NoError(t, err)
	ids := []string{}
	for _, h := range hits {
		ids = append(ids, h.ClipID)
	}
	return ids
}

func couldNotLook(t *testing.T, a *archive.Archive) {
	t.Helper()
	_, err := a.Find(t.Context(), copied(3), nil)
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
}

func TestTheArchiveFollowsTheStore(t *testing.T) {
	t.Parallel()
	s := opened(t)
	a := archive.New(s, time.Now)
	couldNotLook(t, a)
	require.NoError(t, a.Sync(t.Context()))
	require.Empty(t, found(t, a, 3), "an empty archive was looked into")

	s.put(t, 0, 20)
	require.NoError(t, a.Sync(t.Context()))
	require.Equal(t, []string{"c3"}, found(t, a, 3), "among few")
	s.put(t, 20, 420)
	require.NoError(t, a.Sync(t.Context()))
	require.Equal(t, 420, a.Status().Clips)
	for _, n := range []int{3, 19, 20, 419} {
		require.Equal(t, []string{fmt.Sprintf("c%d", n)}, found(t, a, n), "among many")
	}
	require.Empty(t, found(t, a, 1000))
	hits, err := a.Find(t.Context(), copied(3), func(fixture int64) bool { return fixture != 0 })
	require.NoError(t, err)
	require.Empty(t, hits, "its own match does not matter")

	require.NoError(t, s.ArchiveFingerprints(t.Context(), 0, nil))
	require.Empty(t, found(t, a, 3), "what the store does not have any more is not found")
	require.NoError(t, a.Sync(t.Context()))
	require.Equal(t, 410, a.Status().Clips)
	s.put(t, 0, 10)
	require.NoError(t, a.Sync(t.Context()))
	require.Equal(t, []string{"c3"}, found(t, a, 3), "it came back")
	require.Equal(t, []string{"c19"}, found(t, a, 19))
}

func TestAnArchiveThatWasInterruptedGoesOn(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.put(t, 0, 2200)
	s.after.Store(2000)
	a := archive.New(s, time.Now)
	require.Error(t, a.Sync(t.Context()))
	s.after.Store(0)
	s.reads.Store(0)
	_, err := a.Find(t.Context(), copied(3), nil)
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "what is not in it yet is not told to be nowhere")
	require.ErrorContains(t, err, "2000 of 2200 clips are in it")
	require.NoError(t, a.Sync(t.Context()))
	require.EqualValues(t, 200, s.reads.Load())
	require.Equal(t, []string{"c3"}, found(t, a, 3))
	require.Equal(t, []string{"c2199"}, found(t, a, 2199))
}

func TestManyLookWhileTheIndexChanges(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.put(t, 0, 160)
	a := archive.New(s, time.Now)
	require.NoError(t, a.Sync(t.Context()))
	var all errgroup.Group
	var done atomic.Bool
	for range 3 {
		all.Go(func() error {
			for !done.Load() {
				hits, err := a.Find(t.Context(), copied(3), nil)
				if err != nil || len(hits) != 1 || hits[0].ClipID != "c3" {
					return fmt.Errorf("%v, %w", hits, err)
				}
			}
			return nil
		})
	}
	for n := 160; n < 240; n += 20 {
		s.put(t, n, n+20)
		require.NoError(t, s.ArchiveFingerprints(t.Context(), int64(n/10-1), nil))
		require.NoError(t, a.Sync(t.Context()))
	}
	done.Store(true)
	require.NoError(t, all.Wait())
}

// One damaged match of long ago failed every post that shows its footage.
func TestAMatchThatCannotBeReadSaysNothingOfWhatItsClipsShow(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { _ = s.Close() })
	require.NoError(t, db.Upsert(t.Context(), store.FixturesColl, []store.Doc{{ID: "7", Body: []byte("{bad json")}}))
	shows, proven, err := archive.Shows(t.Context(), s, footy.StoredFingerprint{ClipID: "a", EventUID: "7-1", FixtureID: 7})
	require.NoError(t, err)
	require.False(t, proven)
	require.Zero(t, shows)
	require.True(t, store.HasDamage(s, store.FixturesColl, "7"))
	require.NoError(t, s.Close())
	_, _, err = archive.Shows(t.Context(), s, footy.StoredFingerprint{ClipID: "a", EventUID: "7-1", FixtureID: 7})
	require.Error(t, err, "a database that does not answer says nothing of it")
}
