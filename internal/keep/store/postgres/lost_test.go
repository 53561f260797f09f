package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/tools/devtest"
)

const (
	waitFor = 20 * time.Second
	tick    = 50 * time.Millisecond
)

func over(t *testing.T, url, schema string) store.Store {
	t.Helper()
	s := store.New(open(t, url, schema))
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func fixture(id int64) footy.Fixture {
	return footy.Fixture{ID: id, Stage: footy.StageActive, Events: []footy.Event{{UID: fmt.Sprint("u", id)}}}
}

// mark is a change that may be repeated: it is there once, with its row.
func mark(id int64, text string) func(*footy.Fixture) ([]footy.Entry, error) {
	return func(f *footy.Fixture) ([]footy.Entry, error) {
		if slices.Contains(f.Events[0].Votes, text) {
			return nil, store.ErrUnchanged
		}
		f.Events[0].Votes = append(f.Events[0].Votes, text)
		return []footy.Entry{{Key: text, FixtureID: id, Kind: footy.EntrySighting}}, nil
	}
}

// requireMarks checks that each mark is there once, and its row.
func requireMarks(t *testing.T, s store.Store, id int64, want []string) {
	t.Helper()
	f, err := s.Fixture(t.Context(), id)
	require.NoError(t, err)
	require.ElementsMatch(t, want, f.Events[0].Votes)
	require.EqualValues(t, 1+len(want), f.Revision)
	rows, err := s.Entries(t.Context(), store.LogQuery{FixtureID: id})
	require.NoError(t, err)
	var keys []string
	for _, r := range rows {
		keys = append(keys, r.Key)
	}
	require.ElementsMatch(t, want, keys)
}

// TestTheNetworkFailsAtEachMessageOfAWrite cuts the connection at each message of an update, before and after the server
// carries it out. Document and row are both there or neither, and only a commit without an answer is an error at all.
func TestTheNetworkFailsAtEachMessageOfAWrite(t *testing.T) {
	t.Parallel()
	server, schema := devtest.StartPostgres(t), fresh()
	quiet, net := over(t, server.URL, schema), between(t, server)
	s := over(t, net.url, schema)
	require.NoError(t, quiet.Add(t.Context(), fixture(4000)))
	id := int64(5000)
	for _, way := range []struct{ late, down bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		failed, written := 0, 0
		for at, done := 0, false; !done; at++ {
			id++
			require.NoError(t, quiet.Add(t.Context(), fixture(id)))
			net.up()
			for range 2 { // a connection, and what it keeps of the statements
				_, err := s.Update(t.Context(), 4000, mark(4000, fmt.Sprint("warm ", id)))
				require.NoError(t, err)
				_, err = s.Update(t.Context(), 4000, mark(4000, fmt.Sprint("warmer ", id)))
				require.NoError(t, err)
			}
			net.cutAt(at, way.late, way.down)
			text := fmt.Sprint("mark ", id)
			_, err := s.Update(t.Context(), id, mark(id, text))
			done = !net.wasCut()
			f, found := quiet.Fixture(t.Context(), id)
			require.NoError(t, found)
			about := fmt.Sprintf("%+v, cut at message %d: %v", way, at, err)
			if err != nil {
				failed++
				require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), about)
				require.NotContains(t, err.Error(), server.Password)
				if f.Revision == 2 {
					written++
				}
			} else {
				require.EqualValues(t, 2, f.Revision, about)
			}
			var want []string
			if f.Revision > 1 {
				want = []string{text}
			}
			requireMarks(t, quiet, id, want)
			require.Less(t, at, 20, "a write takes few messages")
		}
		if way.down {
			require.Greater(t, failed, 3, "%+v", way)
		} else {
			require.Equal(t, 1, failed, "%+v: the commit alone", way)
		}
		if way.late {
			require.Equal(t, 1, written, "%+v", way)
		} else {
			require.Zero(t, written, "%+v", way)
		}
	}
}

// wasCut reports whether the message came that was to be cut.
func (p *proxy) wasCut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count < 0
}

func TestConnectionsAreCutUnderTwentyWriters(t *testing.T) {
	t.Parallel()
	server, schema := devtest.StartPostgres(t), fresh()
	s := over(t, server.URL, schema)
	require.NoError(t, s.Add(t.Context(), fixture(5000)))
	const writers, rounds, every = 20, 5, 10
	wrote := make(chan struct{})
	var g, cutter errgroup.Group
	cut := 0
	admin, err := pgx.Connect(t.Context(), server.URL)
	require.NoError(t, err)
	cutter.Go(func() error {
		n := 0
		for range wrote {
			if n++; n%every != 0 {
				continue
			}
			done, err := admin.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'footy'")
			if err != nil {
				return err
			}
			cut += int(done.RowsAffected())
		}
		return admin.Close(context.WithoutCancel(t.Context()))
	})
	var want []string
	for w := range writers {
		for r := range rounds {
			want = append(want, fmt.Sprintf("%d-%d", w, r))
		}
		g.Go(func() error {
			for r := range rounds {
				if err := untilDone(t.Context(), func() error {
					_, err := s.Update(t.Context(), 5000, mark(5000, fmt.Sprintf("%d-%d", w, r)))
					return err
				}); err != nil {
					return err
				}
				wrote <- struct{}{}
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
	close(wrote)
	require.NoError(t, cutter.Wait())
	require.Positive(t, cut)
	requireMarks(t, s, 5000, want)
}

// untilDone does it again as long as the database was in the way, as the engine would.
func untilDone(ctx context.Context, do func() error) error {
	for {
		err := do()
		if footy.CodeOf(err) != footy.CodeUnavailable || ctx.Err() != nil {
			return err
		}
	}
}

func TestTheServerIsRestarted(t *testing.T) {
	t.Parallel()
	server := devtest.StartPostgres(t)
	s := over(t, server.URL, fresh())
	require.NoError(t, s.Add(t.Context(), fixture(5000)))
	require.NoError(t, s.Ping(t.Context()))
	server.Stop()
	for _, err := range []error{s.Ping(t.Context()), s.Add(t.Context(), fixture(5001))} {
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
		require.NotContains(t, err.Error(), server.Password)
	}
	_, err := s.Fixture(t.Context(), 5000)
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "could not look is not nothing found: %v", err)
	server.Start()
	require.NoError(t, s.Ping(t.Context()), "the first call finds the new server")
	_, err = s.Update(t.Context(), 5000, mark(5000, "a"))
	require.NoError(t, err)
	requireMarks(t, s, 5000, []string{"a"})
}

func TestACallEndsWithItsContext(t *testing.T) {
	t.Parallel()
	server, schema := devtest.StartPostgres(t), fresh()
	net := between(t, server)
	s := over(t, net.url, schema)
	require.NoError(t, s.Add(t.Context(), fixture(5000)))
	holder, err := pgx.Connect(t.Context(), server.URL)
	require.NoError(t, err)
	tx, err := holder.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "SELECT FROM "+pgx.Identifier{schema, "fixtures"}.Sanitize()+" FOR UPDATE")
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := s.Update(ctx, 5000, mark(5000, "a"))
		ended <- err
	}()
	require.Eventually(t, func() bool { // it waits for the lock
		return len(ask(t, server.URL, "SELECT 'x' FROM pg_stat_activity WHERE application_name = 'footy' AND wait_event_type = 'Lock'")) == 1
	}, waitFor, tick)
	cancel()
	err = <-ended
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, tx.Rollback(t.Context()))
	require.NoError(t, holder.Close(t.Context()))
	requireMarks(t, s, 5000, nil)

	net.silence(t)
	ctx, cancel = context.WithTimeout(t.Context(), tick)
	defer cancel()
	_, err = s.Fixture(ctx, 5000)
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// TestTheLastTrysAnswerIsTheCallers: a conflict after two lost connections is one that Update begins again after, like any other.
func TestTheLastTrysAnswerIsTheCallers(t *testing.T) {
	t.Parallel()
	b := open(t, devtest.StartPostgres(t).URL, fresh())
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	once := 0
	err := b.Call(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		if once++; once < 3 {
			_ = conn.Close(ctx)
			return errors.New("lost")
		}
		return footy.Errorf(footy.CodeConflict, "replace", "another was faster")
	})
	require.Equal(t, 3, once)
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err))
	var permanent *backoff.PermanentError
	require.NotErrorAs(t, err, &permanent)
}
