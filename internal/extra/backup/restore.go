package backup

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/durable"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/run/state"
)

// Target is where a backup is brought back to. No other process may use it meanwhile.
type Target struct {
	File  string // of the database
	Blob  blob.Store
	Force bool // replace what is there
	// Now is noted in the documents as the time of the restore; zero: they are the backup's to the letter.
	Now time.Time
	// Chosen, if not nil, is called with the backup before anything is checked or touched.
	Chosen func(Manifest)

	life string            // of the database that is restored
	died func(step string) // nil but in tests, which end the process at a step
}

func (t Target) at(step string) {
	if t.died != nil {
		t.died(step)
	}
}

// Restore brings back a backup, or the newest in a directory. Everything that can be refused is refused before the target is touched.
// Objects are added before the documents that name them, and deleted after those that named them: a restore that dies leaves the documents of
// before or those of the backup, with their objects. The marker stays until all is done.
func Restore(ctx context.Context, dir string, to Target) (Manifest, error) {
	m, err := newest(dir, time.Now())
	if err != nil {
		return m, inDir(restores, dir, err)
	}
	if to.Chosen != nil {
		to.Chosen(m)
	}
	if err := m.verify(ctx); err != nil {
		return m, err
	}
	if err := to.accepts(m); err != nil {
		return m, err
	}
	if err := to.empty(ctx); err != nil {
		return m, err
	}
	if m.Installation, err = to.ours(ctx, m); err != nil {
		return m, err
	}
	err = to.replace(ctx, &m)
	return m, inDir(restores, filepath.Dir(to.File), err)
}

const restores = "restore"

// replace makes the target the backup.
func (t Target) replace(ctx context.Context, m *Manifest) error {
	again, err := t.mark()
	if err != nil {
		return err
	}
	t.at("marked")
	if !t.Now.IsZero() {
		t.life = owner.NewLife()
	}
	temp := t.File + ".restoring"
	remove(temp)       // what a restore before left
	defer remove(temp) // harmless once it has its place
	if err := t.fill(ctx, *m, temp); err != nil {
		if !again { // the target is what it was
			err = errors.Join(err, t.unmark())
		}
		return err
	}
	t.at("prepared")
	others, err := t.objects(ctx, *m)
	if err != nil {
		return err
	}
	t.at("objects added")
	if m.Kept, err = durable.SetAside(t.File, "before-restore", time.Now(), journals...); err != nil {
		return err
	}
	t.at("set aside")
	if err := errors.Join(os.Rename(temp, t.File), durable.Sync(filepath.Dir(t.File))); err != nil {
		return err
	}
	t.at("documents replaced")
	for _, key := range others {
		err = errors.Join(err, t.Blob.Delete(ctx, key))
	}
	if err != nil {
		return err
	}
	t.at("objects deleted")
	return t.unmark()
}

// marker is there while the target is neither what it was nor the backup.
func (t Target) marker() string { return state.RestoreMarker(filepath.Dir(t.File)) }

// mark says of the target, also to the program that opens it after a crash, that it is not to be used. again: an interrupted restore
// said so already.
func (t Target) mark() (again bool, err error) {
	if _, err := os.Lstat(t.marker()); err == nil {
		return true, nil
	}
	if err := os.MkdirAll(filepath.Dir(t.File), 0o700); err != nil {
		return false, err
	}
	if err := os.WriteFile(t.marker(), []byte("a restore is under way, or was interrupted\n"), 0o600); err != nil {
		return false, err
	}
	return false, durable.Sync(filepath.Dir(t.File))
}

func (t Target) unmark() error {
	return errors.Join(os.Remove(t.marker()), durable.Sync(filepath.Dir(t.File)))
}

// accepts refuses what a later version wrote.
func (t Target) accepts(m Manifest) error {
	if m.Schema > store.SchemaVersion {
		return footy.Errorf(footy.CodeInvalid, restores, "%s was made by a newer version (%s, schema %d, this one knows %d): upgrade footy", m.Path, m.Version, m.Schema, store.SchemaVersion)
	}
	if m.Form != formSQLite {
		return footy.Errorf(footy.CodeInvalid, restores, "%s is a portable backup of a database server, which this version does not read: restore it with footy %s into an empty database, then start this version on that (%s)", m.Path, m.Version, manual)
	}
	return nil
}

var errFound = errors.New("found one")

// empty refuses a target in use, unless it is to be replaced.
func (t Target) empty(ctx context.Context) error {
	if t.Force {
		return nil
	}
	what := ""
	if _, err := os.Lstat(t.File); err == nil {
		what = t.File
	} else if !errors.Is(err, fs.ErrNotExist) {
		return inDir(restores, t.File, err)
	}
	err := owner.Hide(t.Blob).List(ctx, "", func(a blob.Attributes) error {
		what = cmp.Or(what, "the clip storage ("+a.Key+")")
		return errFound
	})
	if err != nil && !errors.Is(err, errFound) {
		return err
	}
	if what != "" {
		return footy.Errorf(footy.CodeConflict, restores, "%s is not empty; choose an empty place with --into, or replace what is there with --force", what)
	}
	return nil
}

// fill makes the restored database.
func (t Target) fill(ctx context.Context, m Manifest, temp string) error {
	if err := copyFile(ctx, filepath.Join(m.Path, databaseFile), temp); err != nil {
		return err
	}
	b, err := sqlite.OpenUnshared(temp)
	if err != nil {
		return err
	}
	return errors.Join(t.note(ctx, m, b), b.Close())
}

// journals are what SQLite appends to the name of a database.
var journals = []string{"-wal", "-shm"}

func remove(database string) {
	for _, end := range append([]string{""}, journals...) {
		_ = os.Remove(database + end)
	}
}

// note writes into restored documents when that was, since what was notified after the backup is not known, and whose the clips are. The
// directory of the daily backups may be elsewhere now: it is forgotten, and claimed again. This backup is the last that is known.
func (t Target) note(ctx context.Context, m Manifest, b store.Backend) error {
	if t.Now.IsZero() {
		return nil
	}
	s := store.New(b)
	return errors.Join(store.NoteRestored(ctx, s, t.Now), owner.Name(ctx, s, m.Installation, t.life),
		s.PutState(ctx, stateKey, Last{At: m.Made, Bytes: m.Bytes, TriedAt: m.Made}))
}

// objects makes the object store hold those of the backup, and lists the others that are to go.
func (t Target) objects(ctx context.Context, m Manifest) (others []string, err error) {
	wanted := map[string]bool{}
	err = readLines(filepath.Join(m.Path, objectsFile), func(o object) error {
		wanted[o.Key] = true
		f, err := os.Open(bytesAt(filepath.Dir(m.Path), o.SHA256))
		if err != nil {
			return err
		}
		defer f.Close()
		return t.Blob.Put(ctx, o.Key, f, o.Size, blob.Info{ContentType: o.ContentType, Metadata: o.Metadata})
	})
	if err == nil && m.Installation != "" {
		err = owner.Mark(ctx, t.Blob, m.Installation, t.life, time.Now())
	}
	if err != nil || !t.Force {
		return nil, err
	}
	err = owner.Hide(t.Blob).List(ctx, "", func(a blob.Attributes) error {
		if !wanted[a.Key] {
			others = append(others, a.Key)
		}
		return nil
	})
	return others, err
}

func copyFile(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return writeFile(to, blob.Cancellable(ctx, in))
}

// ours refuses a clip store that belongs neither to the backup's installation nor to the database that is replaced: what lies there is
// written over and deleted. It returns the id that both have after the restore: the backup's; else, of one from before ids, the clip
// store's or a new one.
func (t Target) ours(ctx context.Context, m Manifest) (id string, err error) {
	_, err = os.Lstat(t.marker())
	interrupted := err == nil // it has asked, and may have written another id
	mark, err := owner.MarkOf(ctx, t.Blob)
	if interrupted && footy.CodeOf(err) == footy.CodeInvalid {
		err = nil
	}
	if id = cmp.Or(m.Installation, mark); id == "" && !t.Now.IsZero() {
		id = owner.NewID()
	}
	if err != nil || interrupted || mark == "" || mark == m.Installation {
		return id, err
	}
	if replaced, err := t.replaced(ctx); err != nil || replaced == mark {
		return id, err
	}
	return "", footy.Errorf(footy.CodeConflict, restores, "the clip storage belongs to another installation, whose clips would be deleted; choose another with S3_BUCKET or --into, or, if it is yours, run footy clips adopt first")
}

// replaced is the id of the installation whose database is replaced; "" where there is none.
func (t Target) replaced(ctx context.Context) (string, error) {
	if _, err := os.Lstat(t.File); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	docs, err := sqlite.OpenAsIs(t.File)
	if err != nil {
		return "", nil // one that cannot be opened is why a backup is restored
	}
	defer docs.Close() //nolint:errcheck // it was only read
	is, err := owner.InstallationOf(ctx, store.New(docs))
	if footy.CodeOf(err) == footy.CodeUnavailable {
		return "", err
	}
	return is.ID, nil
}
