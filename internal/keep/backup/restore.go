package backup

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/durable"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Target is where a backup is brought back to. Nobody else may use it meanwhile.
type Target struct {
	File  string        // of a SQLite database, or
	Store store.Backend // another store
	Blob  blob.Store
	// Open opens a SQLite file that is a copy; it migrates one that an older version wrote and refuses one that a newer one did.
	Open func(path string) (store.Backend, error)
	// AsIs opens the file that is replaced, and migrates nothing.
	AsIs  func(path string) (store.Backend, error)
	Force bool // replace what is there
	// Marker is a file that is there while the target is neither what it was nor the backup.
	Marker string
	// Now is noted in the documents as the time of the restore; zero: they are the backup's to the letter.
	Now time.Time
	// Chosen, if not nil, is called with the backup before anything is checked or touched.
	Chosen func(Manifest)

	// Reserve, if not nil, keeps others away from the documents of a store, and refuses where they use them.
	Reserve func(ctx context.Context) (store.Reservation, error)

	life string            // of the database that is restored
	died func(step string) // nil but in tests, which end the process at a step
}

// at is called between the steps of a restore.
func (t Target) at(step string) {
	if t.died != nil {
		t.died(step)
	}
}

// Restore brings back a backup, or the newest in a directory. Everything that can be refused is refused before the target is touched.
// Objects are added before the documents that name them, and deleted after those that named them: a restore into a file that dies
// leaves the documents of before or those of the backup, with their objects. The marker stays until all is done.
func Restore(ctx context.Context, dir string, to Target) (Manifest, error) {
	const op = "restore"
	m, err := newest(dir, time.Now())
	if err != nil {
		return m, inDir(op, dir, err)
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
	nothing := func(context.Context) error { return nil }
	reserved := store.Reservation{Done: nothing, Undo: nothing}
	if to.Reserve != nil {
		if reserved, err = to.Reserve(ctx); err != nil {
			return m, err
		}
	}
	again, err := to.mark()
	if err != nil {
		return m, errors.Join(inDir(op, to.Marker, err), reserved.Undo(ctx))
	}
	to.at("marked")
	if !to.Now.IsZero() {
		to.life = owner.NewLife()
	}
	commit, err := to.prepare(ctx, m)
	if err != nil {
		if !again { // the target is what it was
			err = errors.Join(err, to.unmark(), reserved.Undo(ctx))
		}
		return m, inDir(op, m.Path, err)
	}
	defer commit.undo()
	to.at("prepared")
	others, err := to.objects(ctx, m)
	if err != nil {
		return m, inDir(op, m.Path, err)
	}
	to.at("objects added")
	if m.Kept, err = commit.do(); err != nil {
		return m, inDir(op, m.Path, err)
	}
	to.at("documents replaced")
	for _, key := range others {
		err = errors.Join(err, to.Blob.Delete(ctx, key))
	}
	if err != nil {
		return m, inDir(op, m.Path, err)
	}
	to.at("objects deleted")
	return m, errors.Join(inDir(op, to.Marker, to.unmark()), reserved.Done(ctx))
}

// mark says of the target, also to whoever opens it after a crash, that it is not to be used. again: an interrupted restore
// said so already.
func (t Target) mark() (again bool, err error) {
	if t.Marker == "" {
		return false, nil
	}
	if _, err := os.Lstat(t.Marker); err == nil {
		return true, nil
	}
	if err := os.WriteFile(t.Marker, []byte("a restore is under way, or was interrupted\n"), 0o600); err != nil {
		return false, err
	}
	return false, durable.SyncDir(filepath.Dir(t.Marker))
}

func (t Target) unmark() error {
	if t.Marker == "" {
		return nil
	}
	return errors.Join(os.Remove(t.Marker), durable.SyncDir(filepath.Dir(t.Marker)))
}

// accepts refuses what a later version wrote.
func (t Target) accepts(m Manifest) error {
	const op = "restore"
	if m.Schema > store.SchemaVersion {
		return footy.Errorf(footy.CodeInvalid, op, "%s was made by a newer version (%s, schema %d, this one knows %d): upgrade footy", m.Path, m.Version, m.Schema, store.SchemaVersion)
	}
	unknown, err := unknownCollections(filepath.Join(m.Path, documentDir))
	if err == nil && len(unknown) > 0 {
		err = footy.Errorf(footy.CodeInvalid, op, "%s holds %s, which this version does not know: restore it with the version that made it (%s)", m.Path, strings.Join(unknown, ", "), m.Version)
	}
	return err
}

var errFound = errors.New("found one")

// empty refuses a target in use, unless it is to be replaced.
func (t Target) empty(ctx context.Context) error {
	const op = "restore"
	if t.Force {
		return nil
	}
	what := ""
	if t.File != "" {
		if _, err := os.Lstat(t.File); err == nil {
			what = t.File
		} else if !errors.Is(err, fs.ErrNotExist) {
			return inDir(op, t.File, err)
		}
	} else {
		for _, c := range store.Collections {
			docs, err := t.Store.Select(ctx, c, store.Filter{Limit: 1})
			if err != nil {
				return err
			}
			if len(docs) > 0 {
				what = "the database (" + string(c) + ")"
				break
			}
		}
	}
	err := owner.Hide(t.Blob).List(ctx, "", func(a blob.Attributes) error {
		what = cmp.Or(what, "the clip storage ("+a.Key+")")
		return errFound
	})
	if err != nil && !errors.Is(err, errFound) {
		return err
	}
	if what != "" {
		return footy.Errorf(footy.CodeConflict, op, "%s is not empty; choose an empty place with --into, or replace what is there with --force", what)
	}
	return nil
}

// commit brings the documents in place and says where those before are kept; undo, harmless after do, drops what was prepared.
type commit struct {
	do   func() (kept string, err error)
	undo func()
}

// prepare does with the documents whatever may fail without touching the target.
func (t Target) prepare(ctx context.Context, m Manifest) (commit, error) {
	if t.File == "" {
		return commit{do: func() (string, error) { return "", t.documents(ctx, m) }, undo: func() {}}, nil
	}
	if err := os.MkdirAll(filepath.Dir(t.File), 0o700); err != nil {
		return commit{}, err
	}
	temp := t.File + ".restoring"
	c := commit{undo: func() { remove(temp) }, do: func() (string, error) { return t.replace(temp) }}
	c.undo() // what a restore before left
	err := t.fill(ctx, m, temp)
	if err != nil {
		c.undo()
	}
	return c, err
}

// fill makes a database file of the documents.
func (t Target) fill(ctx context.Context, m Manifest, temp string) error {
	if m.Form == formSQLite {
		if err := copyFile(ctx, filepath.Join(m.Path, databaseFile), temp); err != nil {
			return err
		}
	}
	b, err := t.Open(temp)
	if err != nil {
		return err
	}
	if m.Form == formDump {
		err = load(ctx, m, b)
	}
	if err == nil {
		err = t.note(ctx, m, b)
	}
	return errors.Join(err, b.Close())
}

// replace puts the new file in place and keeps the old one beside it.
func (t Target) replace(temp string) (kept string, err error) {
	if kept, err = durable.SetAside(t.File, "before-restore", time.Now(), journals...); err != nil {
		return kept, err
	}
	t.at("set aside")
	if err := os.Rename(temp, t.File); err != nil {
		return kept, err
	}
	return kept, durable.SyncDir(filepath.Dir(t.File))
}

// journals are what SQLite appends to the name of a database.
var journals = []string{"-wal", "-shm"}

func remove(database string) {
	for _, end := range append([]string{""}, journals...) {
		_ = os.Remove(database + end)
	}
}

// restoredKey is where the last restore is noted.
const restoredKey = "restored"

type restored struct {
	At time.Time `json:"at"`
}

// note writes into restored documents when that was, as nobody knows what people were told after the backup, and whose the clips are. The
// directory of the daily backups may be elsewhere now: it is forgotten, and claimed again. This backup is the last that is known.
func (t Target) note(ctx context.Context, m Manifest, b store.Backend) error {
	if t.Now.IsZero() {
		return nil
	}
	s := store.New(b)
	last, err := LastOf(ctx, s)
	if footy.CodeOf(err) == footy.CodeUnavailable {
		return err
	}
	return errors.Join(s.PutState(ctx, restoredKey, restored{t.Now.UTC()}), owner.Name(ctx, s, m.Installation, t.life),
		s.PutState(ctx, stateKey, Last{At: m.Made, Bytes: m.Bytes, TriedAt: m.Made, Mark: last.Mark}))
}

// Restored is when this state was brought back from a backup; zero if it never was. Where that cannot be read it counts as now: what was
// scored before is not told twice.
func Restored(ctx context.Context, s store.State) (time.Time, error) {
	var last restored
	err := s.State(ctx, restoredKey, &last)
	if footy.IsNotFound(err) {
		return time.Time{}, nil
	}
	if err != nil {
		last.At = time.Now().UTC()
		err = store.Mend(ctx, s, restoredKey, last, err)
	}
	return last.At, err
}

// documents replaces those of a store that is no file.
func (t Target) documents(ctx context.Context, m Manifest) error {
	if err := t.copyDocuments(ctx, m); err != nil {
		return err
	}
	return t.note(ctx, m, t.Store)
}

func (t Target) copyDocuments(ctx context.Context, m Manifest) error {
	for _, c := range store.Collections {
		if err := drop(ctx, t.Store, c); err != nil {
			return err
		}
	}
	if m.Form == formDump {
		return load(ctx, m, t.Store)
	}
	// Opening a SQLite file writes to it: not in the backup.
	dir, err := os.MkdirTemp("", "footy-restore-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	temp := filepath.Join(dir, databaseFile)
	if err := copyFile(ctx, filepath.Join(m.Path, databaseFile), temp); err != nil {
		return err
	}
	from, err := t.Open(temp)
	if err != nil {
		return err
	}
	return errors.Join(transfer(ctx, from, t.Store), from.Close())
}

// drop deletes a whole collection, which a store does by ids only.
func drop(ctx context.Context, s store.Backend, c store.Collection) error {
	reserved := 0
	for {
		docs, err := s.Select(ctx, c, store.Filter{Limit: writeSize + reserved})
		if err != nil {
			return err
		}
		var ids []string
		for _, d := range docs {
			if c != store.ServiceState || !store.Reserved(d.ID) {
				ids = append(ids, d.ID)
			}
		}
		if reserved = len(docs) - len(ids); len(ids) == 0 {
			return nil
		}
		if err := s.Delete(ctx, c, store.Filter{IDs: ids}); err != nil {
			return err
		}
	}
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
	return writeFile(to, func(w io.Writer) error {
		_, err := io.Copy(w, blob.Cancellable(ctx, in))
		return err
	})
}
