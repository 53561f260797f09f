package app

import (
	"context"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/keep/archive"
	"github.com/found-footy/found-footy/internal/run/state"
)

// keepArchive opens the archive of footage and keeps it up to date until it is ended. Nothing waits for it: until it was held against the
// store it says that it cannot look.
func (a *App) keepArchive() (_ *archive.Archive, end func()) {
	kept := archive.Open(state.ArchiveDir(a.Config), a.Store, time.Now)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { kept.Keep(ctx, a.Log) })
	return kept, func() {
		stop()
		running.Wait()
		_ = kept.Close() // it was only read
	}
}
