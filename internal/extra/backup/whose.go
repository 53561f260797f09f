package backup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/extra/backup/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// content is how much a backup holds; one from before that was noted holds matches.
func (m Manifest) content() rule.Content {
	switch {
	case m.Objects > 0:
		return rule.Clips
	case !m.Empty:
		return rule.Matches
	}
	return rule.NoContent
}

func copiesOf(all []Manifest) []rule.Copy {
	out := make([]rule.Copy, len(all))
	for i, m := range all {
		out[i] = rule.Copy{Installation: m.Installation, Content: m.content()}
	}
	return out
}

// whose looks at the backups in the directory: to whom they belong. noted is when the database made its last one.
func (k Keeper) whose(ctx context.Context, noted time.Time) (keeping.Whose, error) {
	all, err := List(k.Dir)
	if err != nil || len(all) == 0 {
		return keeping.Unmarked, err
	}
	if err := blob.Writable(ctx, k.Blob); err != nil { // a database of before ids gets its id here
		return "", err
	}
	is, err := owner.InstallationOf(ctx, k.Store)
	if err != nil && !footy.IsNotFound(err) {
		return "", err
	}
	copies := copiesOf(all)
	var unread error
	for i, m := range all {
		if m.Installation != "" {
			continue
		}
		known, holds, err := k.knows(ctx, m, noted)
		if copies[i].Known = known; known {
			break // they are of one database
		}
		if unread = errors.Join(unread, err); err == nil && !holds {
			copies[i].Content = rule.NoContent
		}
	}
	whose := rule.WhoseBackups(is.ID, copies)
	if whose == keeping.Ours {
		return whose, nil
	}
	return whose, inDir("look whose the backups are", k.Dir, unread)
}

// knows reports whether the database has a clip or a match of a backup from before ids, or noted that it made it; and whether it holds any.
func (k Keeper) knows(ctx context.Context, m Manifest, noted time.Time) (known, holds bool, err error) {
	if m.Made.Equal(noted) {
		return true, true, nil
	}
	fixtures, err := k.Store.List(ctx, store.FixtureQuery{})
	if err != nil {
		return false, false, err
	}
	has := map[any]bool{}
	for _, f := range fixtures {
		for _, s := range sights(f) {
			has[s] = true
		}
		for _, e := range f.Events {
			for _, c := range e.Clips {
				has[c.Key] = true
			}
		}
	}
	err = readLines(filepath.Join(m.Path, objectsFile), func(o object) error {
		known, holds = known || has[o.Key], true
		return nil
	})
	if err != nil || known {
		return known, holds, err
	}
	fixtures, err = k.matches(ctx, m)
	for _, f := range fixtures {
		holds = true
		for _, s := range sights(f) {
			known = known || has[s]
		}
	}
	return known, holds, err
}

// matches are those in a backup. Opening a file writes to it, so it is a copy.
func (k Keeper) matches(ctx context.Context, m Manifest) ([]footy.Fixture, error) {
	dir, err := os.MkdirTemp("", "footy-backup-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, databaseFile)
	if err := (Target{Open: k.Open}).fill(ctx, m, file); err != nil {
		return nil, err
	}
	b, err := k.Open(file)
	if err != nil {
		return nil, err
	}
	fixtures, err := store.New(b).List(ctx, store.FixtureQuery{})
	return fixtures, errors.Join(err, b.Close())
}

// sight is when a database first saw a match or an event: another one saw it at another instant.
type sight struct {
	what string
	at   int64
}

func sights(f footy.Fixture) []sight {
	out := []sight{{strconv.FormatInt(f.ID, 10), f.IngestedAt.UnixMilli()}}
	for _, e := range f.Events {
		out = append(out, sight{e.UID, e.FirstSeen.UnixMilli()})
	}
	return out
}
