// Command states keeps what a release stores, idle and in mid-day, for the tests that open it with later ones. It plays the short day with the
// program of that release and reads its database as a person would, without the product's own code.
package main

import (
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	_ "github.com/found-footy/found-footy/internal/keep/store/sqlite" // its driver
)

func main() {
	footy := flag.String("footy", "bin/footy", "program of the release")
	dir := flag.String("dir", "", "where the states go: testdata/states/VERSION")
	flag.Parse()
	if err := run(context.Background(), *footy, *dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, footy, dir string) error {
	if dir == "" {
		return fmt.Errorf("-dir is missing: name the directory of the states")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	state, err := os.MkdirTemp("", "footy-states-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(state)
	played := exec.CommandContext(ctx, footy, "demo", "--short", "--exit", "--state", state)
	played.Stdout, played.Stderr = os.Stderr, os.Stderr
	played.Cancel = func() error { return played.Process.Signal(syscall.SIGTERM) }
	played.WaitDelay = time.Minute
	if err := played.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- played.Wait() }()
	if err := midDay(ctx, state, dir, ended); err != nil {
		return errors.Join(err, played.Cancel())
	}
	if err := <-ended; err != nil {
		return fmt.Errorf("the day failed: %w", err)
	}
	return keep(ctx, state, dir, "idle")
}

// midDay keeps the state as soon as one goal is complete with a clip, and another is being searched for with a post under way.
func midDay(ctx context.Context, state, dir string, ended <-chan error) error {
	for {
		select {
		case err := <-ended:
			return fmt.Errorf("the day was over before its middle was seen: %w", err)
		case <-time.After(100 * time.Millisecond):
		}
		found, err := inMidDay(ctx, state)
		if err == nil && found {
			return keep(ctx, state, dir, "mid-day")
		}
	}
}

func inMidDay(ctx context.Context, state string) (bool, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(state, "footy.db")+"?mode=ro")
	if err != nil {
		return false, err
	}
	defer db.Close()
	var complete, searched, open int
	err = db.QueryRowContext(ctx, `SELECT
		count(*) FILTER (WHERE e.value ->> '$._download_complete' AND json_array_length(e.value, '$._s3_videos') > 0),
		count(*) FILTER (WHERE e.value ->> '$._certain_at' <> '' AND NOT e.value ->> '$._download_complete'),
		(SELECT count(*) FROM posts WHERE body ->> '$.state' IN ('offered', 'fetching', 'fetched', 'judged', 'waiting'))
		FROM fixtures, json_each(fixtures.body, '$.events') e`).Scan(&complete, &searched, &open)
	return complete > 0 && searched > 0 && open > 0, err
}

// keep writes a copy of the database, the list of the objects beside it, and what a person reads in them.
func keep(ctx context.Context, state, dir, name string) error {
	copied := filepath.Join(state, name+".db")
	db, err := sql.Open("sqlite", filepath.Join(state, "footy.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", copied); err != nil {
		return err
	}
	keys, err := objects(filepath.Join(state, "clips"))
	if err != nil {
		return err
	}
	f, err := os.Open(copied)
	if err != nil {
		return err
	}
	defer f.Close()
	golden, err := read(ctx, copied)
	if err != nil {
		return err
	}
	for suffix, r := range map[string]io.Reader{".db.gz": f, ".objects.gz": strings.NewReader(keys), ".txt": strings.NewReader(golden)} {
		if err := write(filepath.Join(dir, name+suffix), r); err != nil {
			return err
		}
	}
	return nil
}

// objects lists what the clip store holds: bytes and key, a line each.
func objects(root string) (string, error) {
	var out strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && path != root && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir // the store's own
			}
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			var key string
			if key, err = filepath.Rel(root, path); err == nil {
				fmt.Fprintf(&out, "%d %s\n", info.Size(), filepath.ToSlash(key))
			}
		}
		return err
	})
	return out.String(), err
}

// read lists goals, clips and posts, a line each.
func read(ctx context.Context, path string) (string, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return "", err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `
		SELECT 'goal ' || (e.value ->> '$._event_id') || ' ' || (e.value ->> '$.player.name') || ' ' || (e.value ->> '$.time.elapsed') || ' ' ||
			iif(e.value ->> '$._download_complete', 'complete', 'open') FROM fixtures, json_each(fixtures.body, '$.events') e
		UNION ALL SELECT 'clip ' || (e.value ->> '$._event_id') || ' ' || (c.value ->> '$.id') || ' ' || (c.value ->> '$.timestamp_status') || ' rank ' || (c.value ->> '$.rank') ||
			' popularity ' || (c.value ->> '$.popularity') || ' for ' || coalesce(c.value ->> '$.replaced_by', '') FROM fixtures, json_each(fixtures.body, '$.events') e, json_each(e.value, '$._s3_videos') c
		UNION ALL SELECT 'post ' || id || ' ' || (body ->> '$.state') || ' ' || coalesce(body ->> '$.reason', '') FROM posts ORDER BY 1`)
	if err != nil {
		return "", err
	}
	defer func() { _ = rows.Close() }() // rows.Err below has what matters
	var out strings.Builder
	for rows.Next() {
		var line sql.NullString
		if err := rows.Scan(&line); err != nil {
			return "", err
		}
		if !line.Valid {
			return "", fmt.Errorf("a field of a goal, a clip or a post is missing in %s", path)
		}
		fmt.Fprintln(&out, strings.TrimRight(line.String, " "))
	}
	return out.String(), rows.Err()
}

func write(path string, r io.Reader) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if !strings.HasSuffix(path, ".gz") {
		_, err = io.Copy(f, r)
		return err
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := io.Copy(z, r); err != nil {
		return err
	}
	return z.Close()
}
