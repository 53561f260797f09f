package owner_test

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

const clipKey = "clips/900-1/a.mp4"

// database opens a new one as a start does.
func database(t *testing.T) store.Store {
	t.Helper()
	s := older(t)
	require.NoError(t, owner.Begin(t.Context(), s, time.Now()))
	return s
}

// older is a database from before ids.
func older(t *testing.T, fixtures ...footy.Fixture) store.Store {
	t.Helper()
	b, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(b)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	for _, f := range fixtures {
		require.NoError(t, s.Add(t.Context(), f))
	}
	return s
}

// match has a goal with a clip of that key; "": none.
func match(key string) footy.Fixture {
	f := footy.Fixture{ID: 900, Stage: footy.StageCompleted, Match: footy.Match{ID: 900}}
	if key != "" {
		f.Events = []footy.Event{{UID: "900-1", ID: "900-1", Clips: []footy.Clip{{ID: "a", Key: key}}}}
	}
	return f
}

// objects is a clip store in which these lie.
func objects(t *testing.T, keys ...string) *dir.Store {
	t.Helper()
	b, err := dir.Open(t.TempDir())
	require.NoError(t, err)
	for _, k := range keys {
		put(t, b, k)
	}
	return b
}

func put(t *testing.T, b blob.Store, key string) {
	t.Helper()
	require.NoError(t, b.Put(t.Context(), key, strings.NewReader("x"), 1, blob.Info{}))
}

func guard(b blob.Store, docs store.Store) *owner.Guard { return owner.New(b, docs, time.Now) }

func whose(t *testing.T, b blob.Store, docs store.Store) keeping.Whose {
	t.Helper()
	err := guard(b, docs).Writable(t.Context())
	if r := owner.Refused(err); r != nil {
		return r.Whose
	}
	require.NoError(t, err)
	return keeping.Ours
}

func id(t *testing.T, docs store.Store) string {
	t.Helper()
	is, err := owner.InstallationOf(t.Context(), docs)
	require.NoError(t, err)
	return is.ID
}

func marked(t *testing.T, b blob.Store) string {
	t.Helper()
	is, err := owner.MarkOf(t.Context(), b)
	require.NoError(t, err)
	return is
}

func TestAFirstStartAsksNobody(t *testing.T) {
	t.Parallel()
	b, docs := objects(t), database(t)
	g := guard(b, docs)
	put(t, g, clipKey)
	require.NoError(t, g.Delete(t.Context(), clipKey))
	require.Equal(t, id(t, docs), marked(t, b))
	require.NoError(t, g.List(t.Context(), "", func(a blob.Attributes) error { t.Errorf("%s is listed", a.Key); return nil }))
}

func TestNothingOfAnotherInstallationIsChanged(t *testing.T) {
	t.Parallel()
	b := objects(t)
	put(t, guard(b, database(t)), clipKey)
	g := guard(b, database(t)) // a lost database, a wrong schema, a second installation
	for what, err := range map[string]error{
		"put":    g.Put(t.Context(), "staging/a/clip.mp4", strings.NewReader("x"), 1, blob.Info{}),
		"copy":   g.Copy(t.Context(), clipKey, "clips/900-2/a.mp4", blob.Info{}),
		"delete": g.Delete(t.Context(), clipKey),
		"tidy":   g.Tidy(t.Context(), time.Now().Add(time.Hour)),
		"ping":   g.Ping(t.Context()),
	} {
		require.NotNil(t, owner.Refused(err), "%s: %v", what, err)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%s waits, and is lost nowhere", what)
		for _, remedy := range []string{"footy clips adopt", "S3_BUCKET", "STATE_DIR", "POSTGRES_SCHEMA", "footy restore"} {
			require.Contains(t, owner.Refused(err).Remedy(), remedy)
		}
	}
	g = guard(b, database(t))
	g.Settings = owner.Settings{Database: "STATE_DIR", Clips: "STATE_DIR"}
	remedy := owner.Refused(g.Ping(t.Context())).Remedy()
	require.Equal(t, remedy, owner.Refused(g.Look(t.Context())).Remedy())
	require.NotRegexp(t, "S3_|POSTGRES|MONGO", remedy, "what is not used here is not named")
	o, err := g.Open(t.Context(), clipKey)
	require.NoError(t, err, "what is there can be read")
	require.NoError(t, o.Close())
}

func TestWhoseItIsWithoutAnId(t *testing.T) {
	t.Parallel()
	staged := "staging/abc/clip.mp4"
	for name, c := range map[string]struct {
		docs store.Store
		b    blob.Store
		want keeping.Whose
	}{
		"an upgrade":                                    {older(t, match(clipKey)), objects(t, clipKey, "clips/1-1/old.mp4"), keeping.Ours},
		"an upgrade before the first clip":              {older(t, match("")), objects(t, staged, "logos/team/1"), keeping.Ours},
		"a new database beside clips":                   {database(t), objects(t, clipKey), keeping.Unknown},
		"a new database beside pictures":                {database(t), objects(t, "posters/900-1/still-a.jpg"), keeping.Unknown},
		"a new database beside staged bytes":            {database(t), objects(t, staged), keeping.Unknown},
		"an old database with clips that lie elsewhere": {older(t, match("clips/1-1/other.mp4")), objects(t, clipKey), keeping.Unknown},
	} {
		require.Equal(t, c.want, whose(t, c.b, c.docs), name)
		if c.want == keeping.Ours {
			require.Equal(t, id(t, c.docs), marked(t, c.b), name)
		} else {
			require.Empty(t, marked(t, c.b), name)
			require.NoError(t, c.docs.Add(t.Context(), footy.Fixture{ID: 7, Stage: footy.StageActive}))
			require.Equal(t, c.want, whose(t, c.b, c.docs), "%s: that it goes on with matches changes nothing", name)
		}
	}
}

func TestARestoredDatabaseFindsItsClipsAgain(t *testing.T) {
	t.Parallel()
	b, was := objects(t), older(t, match(clipKey))
	put(t, guard(b, was), clipKey)
	require.Equal(t, keeping.Others, whose(t, b, database(t)), "it is started before the backup is restored")
	copied := older(t, match(clipKey)) // from before ids
	require.Equal(t, keeping.Ours, whose(t, b, copied))
	require.Equal(t, marked(t, b), id(t, copied))
	require.Equal(t, keeping.Ours, whose(t, b, was))
	require.Equal(t, keeping.Ours, whose(t, objects(t), was), "an empty bucket")
	along := objects(t, clipKey)
	require.Equal(t, keeping.Ours, whose(t, along, was), "clips that were copied along")
	require.Equal(t, id(t, was), marked(t, along))
}

func TestOfTwoThatStartTogetherOneHasTheStore(t *testing.T) {
	t.Parallel()
	b := objects(t)
	all := make([]store.Store, 6)
	for i := range all {
		all[i] = database(t)
	}
	var wg sync.WaitGroup
	errs := make([]error, len(all))
	for i, docs := range all {
		wg.Go(func() { errs[i] = guard(b, docs).Writable(t.Context()) })
	}
	wg.Wait()
	won := 0
	for i, err := range errs {
		if err == nil {
			won++
			require.Equal(t, marked(t, b), id(t, all[i]))
			continue
		}
		require.NotNil(t, owner.Refused(err), "%v", err)
	}
	require.Equal(t, 1, won)
}

func TestProcessesOfOneDatabaseStartTogether(t *testing.T) {
	t.Parallel()
	b, docs := objects(t), database(t)
	var wg sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		wg.Go(func() { errs[i] = guard(b, docs).Writable(t.Context()) })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
}

// counted counts what a clip store is asked.
type counted struct {
	blob.Store
	opened int
}

func (c *counted) Open(ctx context.Context, key string) (blob.Object, error) {
	c.opened++
	return c.Store.Open(ctx, key)
}

func TestAnAdoptionIsNoticedWithinAMinute(t *testing.T) {
	t.Parallel()
	at := time.Now()
	now := func() time.Time { return at }
	b := &counted{Store: objects(t)}
	first, second := owner.New(b, database(t), now), owner.New(b, database(t), now)
	put(t, first, clipKey)
	require.Error(t, second.Writable(t.Context()))
	b.opened = 0
	for range 100 {
		put(t, first, clipKey)
		require.Error(t, second.Delete(t.Context(), clipKey))
	}
	require.Zero(t, b.opened, "an operation costs no request")

	other := owner.New(b, database(t), now) // another process of neither
	require.NoError(t, other.Adopt(t.Context()))
	require.NoError(t, other.Delete(t.Context(), clipKey))
	at = at.Add(time.Minute)
	require.NotNil(t, owner.Refused(first.Writable(t.Context())))
	require.NoError(t, first.Adopt(t.Context()))
	require.NoError(t, first.Writable(t.Context()), "the one who adopts need not wait")
	at = at.Add(time.Minute)
	require.Error(t, other.Writable(t.Context()))
}

func TestWhatCannotBeReadIsNotAbsent(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "{", "{}", "null", `"x"`, `{"installation":""}`, `{"installation":7}`} {
		b, docs := objects(t), database(t)
		put(t, guard(b, docs), clipKey)
		require.NoError(t, b.Put(t.Context(), blob.MarkKey, strings.NewReader(body), int64(len(body)), blob.Info{}))
		err := guard(b, docs).Delete(t.Context(), clipKey)
		require.ErrorIs(t, err, owner.ErrUnread, "%q", body)
		require.Contains(t, owner.Refused(err).Reason(), "cannot be read")
		require.Contains(t, owner.Refused(err).Remedy(), "footy clips adopt")
		o, err := b.Open(t.Context(), blob.MarkKey)
		require.NoError(t, err)
		is, err := io.ReadAll(o)
		require.NoError(t, err)
		require.NoError(t, o.Close())
		require.Equal(t, body, string(is), "and is left as it is")
		require.NoError(t, guard(b, docs).Adopt(t.Context()))
		require.NoError(t, guard(b, docs).Delete(t.Context(), clipKey))
	}
	for _, value := range []any{7, "x", nil, map[string]int{}, map[string]any{"id": 7}, []int{1}} {
		b, docs := objects(t), database(t)
		put(t, guard(b, docs), clipKey)
		require.NoError(t, docs.PutState(t.Context(), owner.StateKey, value))
		require.NoError(t, ignore(owner.Begin(t.Context(), docs, time.Now())))
		require.ErrorIs(t, guard(b, docs).Delete(t.Context(), clipKey), owner.ErrUnread, "%v", value)
		require.NoError(t, guard(b, docs).Adopt(t.Context()), "%v", value)
		require.NoError(t, guard(b, docs).Delete(t.Context(), clipKey))
	}
}

func ignore(error) error { return nil } // a start goes on

func TestALookWritesNothing(t *testing.T) {
	t.Parallel()
	b, docs := objects(t), older(t)
	require.NoError(t, owner.ReadOnly(b, docs, time.Now).Writable(t.Context()))
	require.NoError(t, guard(b, docs).Look(t.Context()))
	require.Empty(t, marked(t, b))
	_, err := owner.InstallationOf(t.Context(), docs)
	require.True(t, footy.IsNotFound(err))
	require.Equal(t, keeping.Unknown, owner.Refused(guard(objects(t, clipKey), docs).Look(t.Context())).Whose)
}

func TestADatabaseBeginsOnce(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	began := func(docs store.Store) time.Time {
		is, err := owner.InstallationOf(t.Context(), docs)
		require.NoError(t, err)
		return is.Began
	}
	docs := older(t)
	require.NoError(t, owner.Begin(t.Context(), docs, at))
	require.NoError(t, guard(objects(t), docs).Writable(t.Context()))
	require.NoError(t, owner.Begin(t.Context(), docs, at.Add(time.Hour)))
	require.Equal(t, at, began(docs))
	require.NoError(t, owner.Begin(t.Context(), docs, at.Add(-time.Hour)))
	require.Equal(t, at.Add(-time.Hour), began(docs), "the clock was ahead")
	from := older(t, match(""))
	require.NoError(t, owner.Begin(t.Context(), from, at))
	_, err := owner.InstallationOf(t.Context(), from)
	require.True(t, footy.IsNotFound(err), "when one from before ids began is not known")
}
