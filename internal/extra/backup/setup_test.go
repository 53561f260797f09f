package backup_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

var noon = time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)

// state is a state directory as the product keeps it.
type state struct {
	t    *testing.T
	dir  string
	docs backup.Source
	blob blob.Store
}

func newState(t *testing.T) *state {
	t.Helper()
	return at(t, t.TempDir())
}

// at opens the state in a directory.
func at(t *testing.T, path string) *state {
	t.Helper()
	s := &state{t: t, dir: path}
	var err error
	s.docs, err = sqlite.OpenUnshared(filepath.Join(path, "footy.db"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.docs.Close() })
	s.blob, err = dir.Open(filepath.Join(path, "clips"))
	require.NoError(t, err)
	return s
}

// fill writes some of everything a state holds.
func (s *state) fill() *state {
	s.t.Helper()
	ctx, docs := s.t.Context(), store.New(s.docs)
	for id := int64(5001); id < 5004; id++ {
		uid := fmt.Sprintf("%d-1", id)
		f := footy.Fixture{ID: id, Stage: footy.StageActive, Match: footy.Match{Kickoff: noon}}
		f.Teams.Home.Name, f.Teams.Away.Name = "Bodø/Glimt", fmt.Sprintf("Team %d <&>", id)
		e := footy.Event{UID: uid, ID: fmt.Sprintf("%d_40_9_Goal_1", id), MatchedFrom: []string{fmt.Sprintf("%d_40_8_Goal_1", id)}}
		e.Player.Name = "Darwin Núñez"
		f.Events = []footy.Event{e}
		require.NoError(s.t, docs.Add(ctx, f))
		_, err := docs.Update(ctx, id, func(f *footy.Fixture) ([]footy.Entry, error) { f.Match.Referee = "R"; return nil, nil })
		require.NoError(s.t, err)
		post := footy.Post{EventUID: uid, PostID: fmt.Sprint(2124420986475380000 + id), FixtureID: id, State: footy.PostFetching, Download: uid + "-download", NextTry: noon}
		require.NoError(s.t, docs.AddPosts(ctx, []footy.Post{post}))
		for n := range 3 {
			require.NoError(s.t, docs.Append(ctx, footy.Entry{Key: fmt.Sprintf("%s/%d", uid, n), FixtureID: id, EventUID: uid, At: noon.Add(time.Duration(n) * time.Second), Kind: "vote", Data: footy.Evidence{Detail: "<seen> & \"counted\""}}))
		}
		require.NoError(s.t, docs.PutFingerprint(ctx, footy.StoredFingerprint{ClipID: "c", EventUID: uid, FixtureID: id, Digest: "d"}))
		s.put(fmt.Sprintf("clips/%d/clip.mp4", id), strings.Repeat(uid, 1000))
		s.put(fmt.Sprintf("posters/%d.jpg", id), "the same picture")
	}
	require.NoError(s.t, docs.PutAliases(ctx, footy.TeamAliases{TeamID: 40, Team: "Liverpool", UpdatedAt: noon}))
	require.NoError(s.t, docs.PutState(ctx, "quota", 7))
	return s
}

func (s *state) put(key, body string) {
	s.t.Helper()
	info := blob.Info{ContentType: "video/mp4", Metadata: map[string]string{"player": "Núñez"}}
	require.NoError(s.t, s.blob.Put(s.t.Context(), key, strings.NewReader(body), int64(len(body)), info))
}

// contents are all documents and objects, as far as they must survive.
func (s *state) contents() map[string]string {
	s.t.Helper()
	out := map[string]string{}
	for _, c := range store.Collections {
		docs, err := s.docs.Select(s.t.Context(), c, store.Filter{})
		require.NoError(s.t, err)
		for _, d := range docs {
			out[string(c)+"/"+d.ID] = fmt.Sprintf("%d %s %q %q %q %s", d.Revision, d.At, d.Group, d.Sub, d.Text, d.Body)
		}
	}
	require.NoError(s.t, s.blob.List(s.t.Context(), "", func(a blob.Attributes) error {
		o, err := s.blob.Open(s.t.Context(), a.Key)
		require.NoError(s.t, err)
		defer o.Close()
		body, err := io.ReadAll(o)
		require.NoError(s.t, err)
		out[a.Key] = fmt.Sprint(o.Attributes().Info, string(body))
		return nil
	}))
	return out
}

// destroy loses the whole state.
func (s *state) destroy() {
	s.t.Helper()
	require.NoError(s.t, s.docs.Close())
	require.NoError(s.t, os.RemoveAll(s.dir))
}

func options(to string) backup.Options {
	return backup.Options{Dir: to, Version: "test", Now: noon}
}

func (s *state) backUp(o backup.Options) backup.Manifest {
	s.t.Helper()
	m, err := backup.Make(s.t.Context(), s.docs, s.blob, o)
	require.NoError(s.t, err)
	return m
}

// target is an empty state directory for a backup.
func target(t *testing.T, path string) backup.Target {
	t.Helper()
	b, err := dir.Open(filepath.Join(path, "clips"))
	require.NoError(t, err)
	return backup.Target{File: filepath.Join(path, "footy.db"), Blob: b}
}

// counting counts the objects that are read, and can be told to stop.
type counting struct {
	blob.Store
	opened int
	before func(n int) error // each Open
}

func (c *counting) Open(ctx context.Context, key string) (blob.Object, error) {
	c.opened++
	if c.before != nil {
		if err := c.before(c.opened); err != nil {
			return nil, err
		}
	}
	return c.Store.Open(ctx, key)
}

// files lists all files below a directory.
func files(t *testing.T, root string) (out []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	}))
	return out
}
