// Package owner keeps a clip store from a program whose database it does not belong to. Database and clip store hold the id of their
// installation; while they do not agree, the clip store is read, and neither written nor deleted from.
package owner

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// StateKey is where the database keeps its Installation.
const StateKey = "installation"

// Installation is what a database knows of itself.
type Installation struct {
	ID string `json:"id,omitempty"` // "" until the clip store was seen
	// Began is when the database was empty; zero where it is from before ids.
	Began time.Time `json:"began,omitzero"`
	// Lives are what this copy of the database wrote into the mark, or was about to, the latest last.
	Lives []string `json:"lives,omitempty"`
	// Contested is when another copy was found to use the clip store, too.
	Contested time.Time `json:"contested,omitzero"`
}

func (i Installation) empty() bool { return i.ID == "" && i.Began.IsZero() }

// mark is the object in the clip store.
type mark struct {
	ID        string    `json:"installation"`
	At        time.Time `json:"at"`
	Life      string    `json:"life,omitempty"`
	Contested bool      `json:"contested,omitempty"`
}

// ErrUnread is in the error over an id that is there and cannot be read: the owner of the clip store is not known.
var ErrUnread = errors.New("cannot be read")

// How long an answer is believed.
const (
	oursFor    = time.Minute
	refusedFor = 15 * time.Second
	failedFor  = 2 * time.Second
	within     = 10 * time.Second // that a look has
)

// Guard is a clip store that is changed only while it is this installation's.
type Guard struct {
	blob.Store // Open and Stat go through
	Settings   Settings
	docs       store.Store
	now        func() time.Time
	looksOnly  bool

	mu    sync.Mutex
	last  error // nil: it was ours
	until time.Time
}

// New guards a clip store for the installation of a database.
func New(b blob.Store, docs store.Store, now func() time.Time) *Guard {
	return &Guard{Store: b, docs: docs, now: now}
}

// ReadOnly decides as a Guard does, and writes no id.
func ReadOnly(b blob.Store, docs store.Store, now func() time.Time) *Guard {
	return &Guard{Store: b, docs: docs, now: now, looksOnly: true}
}

// Begin notes that a database which holds nothing yet begins now.
func Begin(ctx context.Context, docs store.Store, now time.Time) error {
	is, err := InstallationOf(ctx, docs)
	if err == nil && !is.Began.After(now) || err != nil && !footy.IsNotFound(err) {
		return err
	}
	found := err == nil
	if !found {
		fixtures, err := docs.List(ctx, store.FixtureQuery{Limit: 1})
		if err != nil || len(fixtures) > 0 {
			return err
		}
	}
	return change(ctx, docs, func(is *Installation) bool {
		begins := !found && is.empty() || is.Began.After(now) // the clock was ahead
		is.Began = now.UTC()
		return begins
	})
}

// InstallationOf reads what a database knows of itself; CodeNotFound: nothing yet. One that cannot be read is no missing one.
func InstallationOf(ctx context.Context, docs store.State) (is Installation, err error) {
	switch err = docs.State(ctx, StateKey, &is); {
	case err == nil && is.empty():
		err = errors.New("it is empty")
	case err == nil, footy.IsNotFound(err), footy.CodeOf(err) == footy.CodeUnavailable, errors.Is(err, store.ErrDatabase):
		return is, err
	}
	return Installation{}, footy.Errorf(footy.CodeInvalid, "", "the id of this installation (service_state %s) %w: %w", StateKey, ErrUnread, err)
}

func change(ctx context.Context, docs store.State, do func(*Installation) bool) error {
	_, err := store.ChangeState(ctx, docs, StateKey, func(is *Installation) error {
		if !do(is) {
			return store.ErrUnchanged
		}
		return nil
	})
	return err
}

// Writable says whether the clip store may be changed; a *Refusal where it is not this installation's.
func (g *Guard) Writable(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.now().Before(g.until) {
		return g.last
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	whose, refusal, err := g.decide(ctx)
	keep := oursFor
	switch {
	case err != nil:
		g.last, keep = footy.Wrap(footy.CodeUnavailable, "look whose the clip store is", err), failedFor
	case !whose.Writable():
		g.last, keep = g.refuse(refusal), refusedFor
	default:
		g.last = nil
	}
	if g.until = g.now().Add(keep); ctx.Err() != nil {
		g.until = time.Time{} // the caller gave up: that says nothing
	}
	return g.last
}

// decide looks at both sides, and fills in ids that are missing.
func (g *Guard) decide(ctx context.Context) (keeping.Whose, *Refusal, error) {
	// The mark is read first: another process names the database before it marks the store, so its mark is never seen without its name.
	m, err := g.mark(ctx)
	if err != nil {
		return "", nil, err
	}
	is, missing := InstallationOf(ctx, g.docs)
	if missing != nil && !footy.IsNotFound(missing) {
		return "", nil, missing
	}
	c := keeping.Claim{Own: is.ID, Mark: m.ID}
	if c.Undecided() {
		if c.Content, c.Known, err = g.content(ctx, footy.IsNotFound(missing)); err != nil {
			return "", nil, err
		}
	}
	whose := c.Whose()
	if g.looksOnly {
		return whose, &Refusal{Whose: whose, Since: m.At}, nil
	}
	if is.ID == "" {
		id := NewID()
		if whose == keeping.Inherit {
			id = m.ID
		}
		err = change(ctx, g.docs, func(now *Installation) bool { // another process may have been first
			if now.ID != "" {
				id = now.ID
				return false
			}
			now.ID = id
			return true
		})
		if err != nil {
			return "", nil, err
		}
		is.ID = id
	}
	switch {
	case whose == keeping.Unmarked:
		err = g.Create(ctx, blob.MarkKey, mark{ID: is.ID, At: g.now()}.body())
		if err != nil && footy.CodeOf(err) != footy.CodeConflict {
			return "", nil, err
		}
		if m, err = g.mark(ctx); err != nil { // what is there counts: a server may not know conditions
			return "", nil, err
		}
		whose = keeping.Claim{Own: is.ID, Mark: m.ID}.Whose()
	case whose == keeping.Inherit && is.ID != m.ID:
		whose = keeping.Others
	}
	return whose, &Refusal{Whose: whose, Since: m.At}, nil
}

// NewID is the id of a new installation.
func NewID() string { return rand.Text() }

// Name gives a database the id of its installation, and a life of its own, whatever it had: another copy may have what a backup had.
func Name(ctx context.Context, docs store.State, id, life string) error {
	is, err := InstallationOf(ctx, docs)
	if footy.CodeOf(err) == footy.CodeUnavailable {
		return err
	}
	is.ID, is.Lives = id, nil
	is.live(life)
	return docs.PutState(ctx, StateKey, is)
}

func (m mark) body() []byte {
	m.At = m.At.UTC().Truncate(time.Second)
	b, _ := json.Marshal(m) // plain fields
	return append(b, '\n')
}

// MarkOf reads the id in a clip store; "" if there is none. One that cannot be read is an error.
func MarkOf(ctx context.Context, b blob.Store) (id string, err error) {
	m, err := (&Guard{Store: b}).mark(ctx)
	return m.ID, err
}

func (g *Guard) mark(ctx context.Context) (m mark, err error) {
	if s, ok := g.Store.(interface{ Connect(context.Context) error }); ok { // a bucket may have to be made
		if err := s.Connect(ctx); err != nil {
			return m, err
		}
	}
	o, err := g.Open(ctx, blob.MarkKey)
	if footy.IsNotFound(err) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	defer o.Close()
	raw, err := io.ReadAll(io.LimitReader(o, 1<<12))
	if err != nil {
		return m, err
	}
	if json.Unmarshal(raw, &m) != nil || m.ID == "" {
		return mark{}, footy.Errorf(footy.CodeInvalid, "", "the id in the clip storage (%s) %w", blob.MarkKey, ErrUnread)
	}
	return m, nil
}

// Adopt makes the clip store this installation's, whatever its mark says. Another installation that uses it stops changing it.
func (g *Guard) Adopt(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.until = time.Time{}
	is, err := InstallationOf(ctx, g.docs)
	life := NewLife()
	switch {
	case err != nil && footy.CodeOf(err) == footy.CodeUnavailable:
		return err
	case is.ID == "":
		is.ID = NewID()
		err = Name(ctx, g.docs, is.ID, life)
	default:
		err = change(ctx, g.docs, func(is *Installation) bool { is.live(life); return true })
	}
	if err != nil {
		return err
	}
	return Mark(ctx, g.Store, is.ID, life, g.now())
}

// Mark writes the id of an installation and a life of its database into a clip store.
func Mark(ctx context.Context, b blob.Store, id, life string, now time.Time) error {
	return mark{ID: id, At: now, Life: life}.write(ctx, b)
}

func (m mark) write(ctx context.Context, b blob.Store) error {
	body := m.body()
	return b.Put(ctx, blob.MarkKey, bytes.NewReader(body), int64(len(body)), blob.Info{ContentType: "application/json"})
}

// Put implements blob.Store.
func (g *Guard) Put(ctx context.Context, key string, r io.Reader, size int64, info blob.Info) error {
	if err := g.Writable(ctx); err != nil {
		return err
	}
	return g.Store.Put(ctx, key, r, size, info)
}

// Copy implements blob.Store.
func (g *Guard) Copy(ctx context.Context, from, to string, info blob.Info) error {
	if err := g.Writable(ctx); err != nil {
		return err
	}
	return g.Store.Copy(ctx, from, to, info)
}

// Delete implements blob.Store.
func (g *Guard) Delete(ctx context.Context, key string) error {
	if err := errors.Join(g.docs.Corrupt(), g.Writable(ctx)); err != nil {
		return err // a corrupt database may have lost who needs it
	}
	return g.Store.Delete(ctx, key)
}

// Tidy implements blob.Store.
func (g *Guard) Tidy(ctx context.Context, before time.Time) error {
	if err := errors.Join(g.docs.Corrupt(), g.Writable(ctx)); err != nil {
		return err
	}
	return g.Store.Tidy(ctx, before)
}

// Ping implements blob.Store.
func (g *Guard) Ping(ctx context.Context) error {
	if err := g.Writable(ctx); err != nil {
		return err
	}
	return g.Store.Ping(ctx)
}

// List implements blob.Store.
func (g *Guard) List(ctx context.Context, prefix string, fn func(blob.Attributes) error) error {
	return hiding{g.Store}.List(ctx, prefix, fn)
}

type hiding struct{ blob.Store }

// Hide leaves the mark out of lists, so that it is neither backed up nor swept: a restore writes it anew.
func Hide(b blob.Store) blob.Store { return hiding{b} }

// List implements blob.Store.
func (h hiding) List(ctx context.Context, prefix string, fn func(blob.Attributes) error) error {
	return h.Store.List(ctx, prefix, func(a blob.Attributes) error {
		if a.Key == blob.MarkKey {
			return nil
		}
		return fn(a)
	})
}

// Settings are the names of those that choose the database and the clip storage here.
type Settings struct{ Database, Clips string }

// Refusal says that a clip store is not this installation's, or not its alone.
type Refusal struct {
	Whose keeping.Whose
	Since time.Time // of its mark

	settings Settings
	unread   error
}

func (g *Guard) refuse(r *Refusal) error {
	r.settings = g.Settings
	return footy.Wrap(footy.CodeUnavailable, "", r)
}

// Error implements error.
func (r *Refusal) Error() string { return r.Reason() }

// Reason says what is wrong.
func (r *Refusal) Reason() string {
	by := "the clip storage belongs to another installation, or to a database that was here before"
	switch {
	case r.Whose == keeping.Unread:
		by = footy.UserMessage(r.unread)
	case r.Whose == keeping.Unknown:
		by = "the clip storage holds clips that this database knows nothing of"
	case r.Whose == keeping.Copied:
		return "another copy of this database uses this clip storage: what no record of this one names is not deleted there, it may be the other's"
	case !r.Since.IsZero():
		by += " (since " + r.Since.UTC().Format("2006-01-02 15:04 UTC") + ")"
	}
	return by + ": nothing is written there or deleted"
}

// Remedy says what an operator can do.
func (r *Refusal) Remedy() string {
	clips := cmp.Or(r.settings.Clips, "S3_BUCKET or STATE_DIR")
	switch r.Whose {
	case keeping.Unread:
		return "Goals wait. Restore a backup, or footy clips adopt if these clips are this database's."
	case keeping.Copied:
		return fmt.Sprintf("Stop the other copy, or give one of them other clip storage (%s). Then footy clips adopt makes this one this database's alone.", clips)
	}
	return fmt.Sprintf("Goals wait. Do one of three. If the database is the wrong or a new one, set %s right, or footy restore a backup. If the clips are another installation's, set another %s. "+
		"If they are yours and stay with this database, footy clips adopt.", cmp.Or(r.settings.Database, "STATE_DIR, POSTGRES_SCHEMA or MONGODB_DB"), clips)
}

// Refused finds a Refusal in the chain of an error; nil if there is none.
func Refused(err error) *Refusal {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r
	}
	if errors.Is(err, ErrUnread) {
		return &Refusal{Whose: keeping.Unread, unread: err}
	}
	return nil
}
