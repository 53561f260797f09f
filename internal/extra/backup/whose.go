package backup

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/extra/backup/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/owner"
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
	for i, m := range all { // those from before ids are of the database that noted one of them
		copies[i].Known = m.Installation == "" && m.Made.Equal(noted)
	}
	return rule.WhoseBackups(is.ID, copies), nil
}
