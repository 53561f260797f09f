package app

import (
	"context"

	"github.com/found-footy/found-footy/internal/web"
)

// BackUpToday is one look of the daily backup.
func (a *App) BackUpToday(ctx context.Context) error {
	_, err := a.backUp(ctx, true)
	return err
}

// BackupHealth is what the health page says of the backups.
func (a *App) BackupHealth(ctx context.Context) web.Component { return (&health{app: a}).backup(ctx) }

// HoldState claims a state directory as a running footy does.
func HoldState(ctx context.Context, dir string) (release func(), err error) {
	c, err := claimState(ctx, dir)
	return c.release, err
}

// OpenScratch is for the tests: the directory for downloads below a state directory, and what removes it.
func OpenScratch(state string) (dir string, remove func(), err error) {
	s, err := openScratch(state)
	if err != nil {
		return "", nil, err
	}
	return s.dir, s.remove, nil
}

// TellDamage logs what is damaged.
var TellDamage = tellDamage

// ClipsHealth is what the health page says of the clip storage.
func (a *App) ClipsHealth(ctx context.Context) web.Component { return (&health{app: a}).clips(ctx) }
