// Package state opens what the product keeps: the database and the clip storage that the settings name.
package state

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/filelock"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/blob/s3"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/private"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/mongo"
	"github.com/found-footy/found-footy/internal/keep/store/postgres"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/telemetry"
)

// State is the database and the clip storage.
type State struct {
	Docs    store.Backend // below Store
	Store   store.Store
	Blob    blob.Store   // refuses to be changed while it is another installation's
	Owner   *owner.Guard // is Blob
	BlobErr error        // why Blob could not be reached when it was opened; nil: it was
}

// Open opens both. An object store that does not answer is no reason to refuse: the feed would stop with it.
func Open(ctx context.Context, c config.Config) (s State, err error) {
	if s.Docs, err = openDocuments(ctx, c); err != nil {
		return State{}, err
	}
	s.Store = store.New(s.Docs)
	b, unanswered, err := reachBlob(ctx, c)
	if err != nil {
		return State{}, errors.Join(err, s.Store.Close())
	}
	_ = owner.Begin(ctx, s.Store, time.Now()) // what cannot be read is reported by each look of Owner
	s.Owner = owner.New(b, s.Store, time.Now)
	s.Owner.Settings = settings(c)
	s.Blob, s.BlobErr = s.Owner, unanswered
	return s, nil
}

// OpenExisting opens both for op, which can do nothing without the clips either. Where there is no database it makes none.
func OpenExisting(ctx context.Context, c config.Config, op string) (State, error) {
	if err := NeedDatabase(c, op); err != nil {
		return State{}, err
	}
	s, err := Open(ctx, c)
	if err == nil && s.BlobErr != nil {
		return State{}, errors.Join(s.BlobErr, s.Close())
	}
	return s, err
}

// OpenExistingStore opens the database alone for op. Where there is none it makes none.
func OpenExistingStore(ctx context.Context, c config.Config, op string) (store.Store, error) {
	if err := NeedDatabase(c, op); err != nil {
		return nil, err
	}
	return OpenStore(ctx, c)
}

// NeedDatabase refuses where opening would make a new database: what is asked of an empty one has no true answer.
func NeedDatabase(c config.Config, op string) error {
	if !c.State.Embedded() {
		return nil
	}
	if _, err := os.Lstat(RestoreMarker(c.State.Dir)); err == nil {
		return nil // opening it says more
	}
	if _, err := os.Stat(DatabaseFile(c)); errors.Is(err, fs.ErrNotExist) {
		return footy.Errorf(footy.CodeNotFound, op, "there is no database in %s; set STATE_DIR to the directory that footy up uses", c.State.Dir)
	}
	return nil
}

// Await waits for the database of a fleet; METRICS_ADDR says so meanwhile, and that the process lives: to start it anew helps nothing.
// A MongoDB is not waited for: its driver does not tell one that is late from one that refuses the password.
func Await(ctx context.Context, c config.Config, log *slog.Logger, m *telemetry.Metrics) error {
	if c.Engine.Address == "" || c.State.Postgres == "" {
		return nil
	}
	figures, err := telemetry.Listen(ctx, c.Metrics.Addr)
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	waiting, come := context.WithCancel(ctx)
	g.Go(func() error {
		return figures.Serve(waiting, m, func(context.Context) error { return errors.New("waits for the database") })
	})
	g.Go(func() error {
		defer come()
		return network.Await(ctx, log, "the database", func() error {
			b, err := openDocuments(ctx, c)
			if err != nil {
				return err
			}
			return b.Close()
		})
	})
	return g.Wait()
}

// Close closes what Open opened.
func (s State) Close() error { return s.Store.Close() }

// OpenStore opens the database alone, for one who only looks.
func OpenStore(ctx context.Context, c config.Config) (store.Store, error) {
	b, err := openDocuments(ctx, c)
	if err != nil {
		return nil, err
	}
	return store.New(b), nil
}

// RestoreMarker is the file in a state directory that says a restore began and did not end. What is there then may be empty.
func RestoreMarker(dir string) string { return filepath.Join(dir, "restore-unfinished") }

// openDocuments opens the database, unless a restore into it was interrupted.
func openDocuments(ctx context.Context, c config.Config) (store.Backend, error) {
	if err := unfinished(c); err != nil {
		return nil, err
	}
	b, err := openAnyway(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := unfinished(c); err != nil { // it began, and died, while the file was opened
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// unfinished refuses a state that a restore is at, or left half.
func unfinished(c config.Config) error {
	if _, err := os.Lstat(RestoreMarker(c.State.Dir)); err != nil {
		return nil //nolint:nilerr // there is no marker
	}
	const op = "open the state"
	if by := filelock.Alone(DatabaseFile(c)); c.State.Embedded() && by != nil {
		return footy.Errorf(footy.CodeConflict, op, "a restore into STATE_DIR=%s is under way, by %w; wait until it has ended", c.State.Dir, by)
	}
	return footy.Errorf(footy.CodeConflict, op, "a restore into STATE_DIR=%s was interrupted: do it again, footy restore DIR --force", c.State.Dir)
}

func openAnyway(ctx context.Context, c config.Config) (store.Backend, error) {
	elsewhere := func(b store.Backend, err error, setting string) (store.Backend, error) {
		if errors.Is(err, store.ErrNewer) || footy.CodeOf(err) == footy.CodeConflict { // it answers, and another one would be empty
			return nil, err
		}
		if err != nil {
			return nil, footy.Errorf(footy.CodeOf(err), "open database", "%s; start it, correct %s, or unset it to use the embedded database", network.Shorten(err), setting)
		}
		return b, nil
	}
	switch {
	case c.State.Postgres != "":
		b, err := postgres.Open(ctx, c.State.Postgres, c.State.Schema)
		return elsewhere(b, err, "POSTGRES_URL")
	case c.State.MongoURI != "":
		b, err := mongo.Open(ctx, c.State.MongoURI, c.State.MongoDB)
		return elsewhere(b, err, "MONGODB_URI")
	}
	if err := private.Dir(c.State.Dir); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, "open the state directory", "%w; choose another with STATE_DIR", err)
	}
	return sqlite.Open(DatabaseFile(c))
}

// DatabaseFile is the embedded database.
func DatabaseFile(c config.Config) string { return filepath.Join(c.State.Dir, "footy.db") }

// LookAtBlob opens the clip storage as the database's, and writes no id. What does not answer is an error.
func LookAtBlob(ctx context.Context, c config.Config, docs store.Store) (blob.Store, error) {
	b, err := OpenBlob(ctx, c)
	if err != nil || docs == nil {
		return b, err
	}
	g := owner.ReadOnly(b, docs, time.Now)
	g.Settings = settings(c)
	return g, nil
}

// settings are those that choose where the state is.
func settings(c config.Config) owner.Settings {
	s := owner.Settings{Database: "STATE_DIR", Clips: "STATE_DIR"}
	switch {
	case c.State.Postgres != "":
		s.Database = "POSTGRES_URL or POSTGRES_SCHEMA"
	case c.State.MongoURI != "":
		s.Database = "MONGODB_URI or MONGODB_DB"
	}
	if c.S3.Endpoint != "" {
		s.Clips = "S3_BUCKET"
	}
	return s
}

// OpenBlob opens the clip storage and asks it: what does not answer is an error. It does not ask for the owner.
func OpenBlob(ctx context.Context, c config.Config) (blob.Store, error) {
	b, unanswered, err := reachBlob(ctx, c)
	if err == nil {
		err = unanswered
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// blobWithin is how long an object store may take to answer at start.
const blobWithin = 5 * time.Second

// reachBlob opens the clip storage. An object store that does not answer just now is not taken for wrong settings: it can
// be used as soon as it answers.
func reachBlob(ctx context.Context, c config.Config) (b blob.Store, unanswered, err error) {
	if c.S3.Endpoint == "" {
		b, err = dir.Open(ClipDir(c))
		return b, nil, err
	}
	const op = "open object store"
	refused := new(s3.Refusal)
	wrong := func(err error) error {
		if errors.As(err, &refused) {
			return footy.Errorf(footy.CodeOf(err), op, "S3_ENDPOINT=%s: %w", c.S3.Endpoint, refused)
		}
		if errors.Is(err, s3.ErrBucketName) {
			return footy.Errorf(footy.CodeInvalid, op, "S3_BUCKET=%s: %s; correct S3_BUCKET", c.S3.Bucket, network.Shorten(err))
		}
		return footy.Errorf(footy.CodeOf(err), op, "S3_ENDPOINT=%s: %s; correct the S3_ settings", c.S3.Endpoint, network.Shorten(err))
	}
	s, err := s3.New(s3.Options{Endpoint: c.S3.Endpoint, AccessKey: c.S3.AccessKey, SecretKey: c.S3.SecretKey,
		Bucket: c.S3.Bucket, Region: c.S3.Region, Secure: c.S3.Secure})
	if err != nil {
		return nil, nil, wrong(err)
	}
	asking, cancel := context.WithTimeout(ctx, blobWithin)
	defer cancel()
	switch err := s.Connect(asking); {
	case err == nil:
		return s, nil, nil
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case footy.CodeOf(err) != footy.CodeUnavailable && footy.CodeOf(err) != footy.CodeRateLimited:
		return nil, nil, wrong(err)
	case errors.As(err, &refused):
		return s, wrong(err), nil
	default:
		return s, footy.Errorf(footy.CodeUnavailable, op, "S3_ENDPOINT=%s does not answer (%s); start it, or correct S3_ENDPOINT", c.S3.Endpoint, network.Shorten(err)), nil
	}
}

// ClipDir is where clips are kept without an object store.
func ClipDir(c config.Config) string { return filepath.Join(c.State.Dir, "clips") }

// Room says why nothing big may be written to the disk of STATE_DIR: the database needs what is left of it.
func Room(cfg config.Config) func() error {
	dir, mark := cfg.State.Dir, cfg.Media.MinFree
	return func() error {
		if free, known := scratch.Free(dir); known && free>>20 < uint64(mark) { //nolint:gosec // config refuses what is negative
			return footy.Errorf(footy.CodeUnavailable, "look at the disk", "%d MB are left on the disk of %s, and MIN_FREE_MB keeps %d", free>>20, dir, mark)
		}
		return nil
	}
}
