package command

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/operator"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/publish"
)

// Stored lists posts of the database; where there is none it makes none.
func Stored[T any](ctx context.Context, c config.Config, list func(context.Context, store.Store) ([]T, error)) ([]T, error) {
	docs, err := state.OpenExistingStore(ctx, c, "list posts")
	if err != nil {
		return nil, err
	}
	defer docs.Close() //nolint:errcheck // nothing was written
	return list(ctx, docs)
}

// Operate changes posts of the database, prints what was done, and tells the pages of other processes.
func (p Process) Operate(ctx context.Context, act func(*operator.Operator) (done string, err error)) error {
	docs, err := state.OpenExistingStore(ctx, p.Config, "find posts")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // what was to be written is written
	pages := publish.NewShared(docs, p.Log, nil)
	done, err := act(&operator.Operator{Store: docs, Page: pages, Now: time.Now})
	if err != nil {
		return err
	}
	if err := pages.Flush(ctx); err != nil { // it is done; a page shows it when it is loaded anew
		p.Log.Warn("pages not told of the change", "module", "publish", "action", "publish", "error", err)
	}
	fmt.Println(done)
	return nil
}
