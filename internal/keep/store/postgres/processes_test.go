package postgres_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/postgres"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestMain lets the test's own program be one of the processes that share a database.
func TestMain(m *testing.M) {
	if name := os.Getenv("FOOTY_TEST_WRITER"); name != "" {
		if err := writer(os.Getenv("FOOTY_TEST_POSTGRES"), name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const hands, strokes = 5, 8

// writer opens the database, which may not be there yet, and writes marks from several hands at once. Each is told when it is written.
func writer(url, name string) error {
	ctx := context.Background()
	b, err := postgres.Open(ctx, url, "shared")
	if err != nil {
		return err
	}
	s := store.New(b)
	defer s.Close()
	if err := s.Add(ctx, fixture(5000)); err != nil && footy.CodeOf(err) != footy.CodeConflict {
		return err
	}
	var g errgroup.Group
	for h := range hands {
		g.Go(func() error {
			for i := range strokes {
				text := fmt.Sprintf("%s-%d-%d", name, h, i)
				if _, err := s.Update(ctx, 5000, mark(5000, text)); err != nil {
					return err
				}
				os.Stdout.WriteString(text + "\n")
			}
			return nil
		})
	}
	return g.Wait()
}

// TestProcessesShareADatabase starts three at once on a server where nothing is made yet, and kills one while it writes.
func TestProcessesShareADatabase(t *testing.T) {
	t.Parallel()
	share(t, devtest.StartPostgres(t).URL)
}

// share does so with the server of an address.
func share(t *testing.T, url string) {
	t.Helper()
	start := func(name string) (*exec.Cmd, *bufio.Scanner) {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "FOOTY_TEST_WRITER="+name, "FOOTY_TEST_POSTGRES="+url)
		cmd.Stderr = t.Output()
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		return cmd, bufio.NewScanner(out)
	}
	dies, said := start("dies")
	one, saidOne := start("one")
	two, saidTwo := start("two")
	var told []string
	for said.Scan() { // nothing is done with it
		told = append(told, said.Text())
		if len(told) == strokes {
			require.NoError(t, dies.Process.Kill())
		}
	}
	for _, s := range []*bufio.Scanner{saidOne, saidTwo} {
		for s.Scan() {
			told = append(told, s.Text())
		}
	}
	require.Error(t, dies.Wait())
	require.NoError(t, one.Wait())
	require.NoError(t, two.Wait())

	s := over(t, url, "shared")
	f, err := s.Fixture(t.Context(), 5000)
	require.NoError(t, err)
	marks := f.Events[0].Votes
	require.Subset(t, marks, told, "what a process was told is written outlives it")
	more := slices.DeleteFunc(slices.Clone(marks), func(m string) bool { return slices.Contains(told, m) })
	for _, m := range more {
		require.True(t, strings.HasPrefix(m, "dies-"), m)
	}
	require.LessOrEqual(t, len(more), hands, "and what it was about to be told")
	require.GreaterOrEqual(t, len(marks), 2*hands*strokes+strokes)
	requireMarks(t, s, 5000, marks)
}
