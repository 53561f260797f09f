package upload

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/footage"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Activities of publishing.
type Activities struct {
	Store  store.Store
	Blob   blob.Store
	Page   footy.Publisher
	Prints *footage.Memory // nil: none are kept
	Delays ledger.Delays   // scaled
	Now    func() time.Time
}

// SaveInput asks to publish what a Download, and anything before it, accepted.
type SaveInput struct {
	Input
	Download string `json:"download"`
}

// Saved tells what that changed.
type Saved struct {
	Complete bool `json:"complete"`
	Copies   bool `json:"losers"` // retired copies whose bytes can go
}

// UploadVideos is Upload, as workflows call it. It goes before everything that is still to be fetched on the same queue: on a busy afternoon that
// never ends.
var UploadVideos = policy.Define[SaveInput, Saved]("upload_single_video", policy.Row{Queue: policy.QueueMedia, Timeout: time.Hour, Heartbeat: time.Minute, Priority: 1,
	Why: "moves bytes, then saves them with the clips; heartbeats while bytes move"})

// Upload publishes every post of the event that was accepted and is not in the event yet: bytes first, because a clip is never
// shown before they are there; then clips, merges and ranks in one step; then the ledger. Each part can be
// repeated, and goes on where another try ended.
func (a *Activities) Upload(ctx context.Context, in SaveInput) (Saved, error) {
	began := a.Now()
	_, e, err := in.Event(ctx, a.Store)
	if err != nil || e == nil {
		return Saved{Complete: err == nil}, err
	}
	accepted, err := a.Store.Posts(ctx, store.PostQuery{EventUID: in.EventUID, States: []footy.PostState{footy.PostJudged}})
	if err != nil {
		return Saved{}, err
	}
	items := accepted[:0:0]
	for _, p := range accepted {
		if what, waits := ledger.Suspend(p, e); waits {
			if _, err := policy.Advance(ctx, a.Store, p, what, a.Now(), a.Delays); err != nil {
				return Saved{}, err
			}
			continue
		}
		moved, err := a.move(ctx, *e, p)
		if err != nil {
			return Saved{}, err
		}
		if moved {
			items = append(items, p)
		}
	}
	crashpoint.Here(crashpoint.BytesMoved)
	refused, err := a.save(ctx, in, items, began)
	if err != nil {
		return Saved{}, err
	}
	crashpoint.Here(crashpoint.Saved)
	return a.finish(ctx, in, refused)
}

// move brings the bytes of an accepted post to their lasting keys and stores its fingerprint. Where the staged bytes are gone
// or spoiled the post is fetched anew.
func (a *Activities) move(ctx context.Context, e footy.Event, p footy.Post) (bool, error) {
	activity.RecordHeartbeat(ctx, p.PostID)
	if p.ClipID != "" { // byte for byte a clip that is there
		return true, nil
	}
	err := a.moveBytes(ctx, e, p)
	var what ledger.Move
	switch {
	case footy.IsNotFound(err):
		what = ledger.Unstage("", err.Error())
	case errors.Is(err, blob.ErrSpoiled):
		what = ledger.Spoil("", err.Error())
	default:
		return err == nil, err
	}
	_, err = policy.Advance(ctx, a.Store, p, what, a.Now(), a.Delays)
	return false, err
}

func (a *Activities) moveBytes(ctx context.Context, e footy.Event, p footy.Post) error {
	m := *p.Media
	all := []moving{{m.StageKey, clipKey(p.EventUID, m), footy.VideoType(m.StageKey)}}
	if m.PosterKey != "" {
		all = append(all, moving{m.PosterKey, posterKey(p.EventUID, m.Digest), "image/jpeg"})
	}
	var todo []moving // nothing is copied before all of it was read: what is spoiled leaves nothing behind
	for _, o := range all {
		there, err := a.there(ctx, o)
		if err != nil {
			return err
		}
		if !there {
			todo = append(todo, o)
		}
	}
	print, err := a.fingerprint(ctx, p)
	if err != nil {
		return err
	}
	for _, o := range todo {
		activity.RecordHeartbeat(ctx, o.to)
		if err := a.Blob.Copy(ctx, o.from, o.to, blob.Info{ContentType: o.kind, Metadata: metadata(e, p)}); err != nil {
			return err
		}
	}
	return a.Store.PutFingerprint(ctx, print)
}

// moving is a staged object that the store is to give another key.
type moving struct{ from, to, kind string }

// there reports whether an object was moved by an earlier try, and reads it otherwise.
func (a *Activities) there(ctx context.Context, o moving) (bool, error) {
	staged, err := a.Blob.Stat(ctx, o.from)
	if err != nil {
		return false, err
	}
	if there, err := a.Blob.Stat(ctx, o.to); err == nil && there.Size == staged.Size {
		return true, nil
	}
	return false, a.read(ctx, o.from, io.Discard)
}

// read brings a staged object. Temporal hears of each piece: a storage that hangs is seen within a minute.
func (a *Activities) read(ctx context.Context, key string, to io.Writer) error {
	activity.RecordHeartbeat(ctx, key)
	return blob.Read(ctx, a.Blob, key, io.MultiWriter(to, beats{ctx}))
}

// beats has each write heard of.
type beats struct{ ctx context.Context }

func (b beats) Write(p []byte) (int, error) {
	activity.RecordHeartbeat(b.ctx)
	return len(p), nil
}

func (a *Activities) fingerprint(ctx context.Context, p footy.Post) (footy.StoredFingerprint, error) {
	row := footy.StoredFingerprint{ClipID: footy.ClipID(p.Media.Digest), EventUID: p.EventUID, FixtureID: p.FixtureID, Digest: p.Media.Digest}
	var text bytes.Buffer
	if err := a.read(ctx, p.Media.FingerprintKey, &text); err != nil {
		return row, err
	}
	if err := json.Unmarshal(text.Bytes(), &row.Fingerprint); err != nil {
		return row, fmt.Errorf("%s: %w: %w", p.Media.FingerprintKey, blob.ErrSpoiled, err)
	}
	return row, nil
}

// save writes clips, merges and ranks into the event, in one step, and returns the posts whose content was taken
// down. Tombstones are read inside of it: a takedown that comes meanwhile changes the fixture, and then they are read again.
func (a *Activities) save(ctx context.Context, in SaveInput, items []footy.Post, began time.Time) (refused map[string]string, err error) {
	prints, err := policy.Prints(ctx, a.Store, in.EventUID)
	if err != nil {
		return nil, err
	}
	now := a.Now()
	_, err = in.Change(ctx, a.Store, func(f *footy.Fixture, e *footy.Event) ([]footy.Entry, error) {
		tombstones, err := a.Store.Tombstones(ctx)
		if err != nil {
			return nil, err
		}
		var welcome []footy.Post
		welcome, refused = withoutTakenDown(items, tombstones, prints)
		if !slices.ContainsFunc(welcome, func(p footy.Post) bool { return !supports(e, p) }) {
			return nil, store.ErrUnchanged
		}
		return publish(f, e, in.Download, welcome, prints, a.Prints.Prepare, began, now), nil
	})
	return refused, err
}

// finish writes into the ledger what became of the posts, and completes the event if nothing is open.
func (a *Activities) finish(ctx context.Context, in SaveInput, refused map[string]string) (Saved, error) {
	_, e, err := in.Event(ctx, a.Store)
	if err != nil || e == nil {
		return Saved{Complete: err == nil}, err
	}
	if err := a.deleteRefused(ctx, *e, refused); err != nil {
		return Saved{}, err
	}
	if err := a.closePosts(ctx, *e, refused); err != nil {
		return Saved{}, err
	}
	a.Page.Publish(ctx, "event", in.EventUID)
	complete, err := Complete(ctx, a.Store, in.Input, a.Now())
	return Saved{Complete: complete, Copies: HasCopies(e)}, err
}

// deleteRefused deletes what was moved for posts whose content was taken down meanwhile. It comes before their end is written
// down: a try that dies in between finds them again.
func (a *Activities) deleteRefused(ctx context.Context, e footy.Event, refused map[string]string) error {
	for id := range refused {
		p, err := a.Store.Post(ctx, e.UID, id)
		if err != nil {
			return err
		}
		if p.Media == nil {
			continue
		}
		if c := e.Clip(footy.ClipID(p.Media.Digest)); c != nil && !c.Swept {
			continue // a clip has them
		}
		for _, key := range append(blob.Traces(e.UID, p.Media.Digest), clipKey(e.UID, *p.Media), posterKey(e.UID, p.Media.Digest)) {
			if err := a.Blob.Delete(ctx, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// closePosts gives every judged, published or merged post the state that follows from the event's clips, also where a later Upload
// changed it.
func (a *Activities) closePosts(ctx context.Context, e footy.Event, refused map[string]string) error {
	posts, err := a.Store.Posts(ctx, store.PostQuery{EventUID: e.UID,
		States: []footy.PostState{footy.PostJudged, footy.PostPublished, footy.PostMerged}})
	if err != nil {
		return err
	}
	for _, p := range posts {
		if _, ok := whatBecame(p, e, refused); !ok {
			continue
		}
		if err := a.closePost(ctx, p, refused); err != nil {
			return err
		}
	}
	return nil
}

// closePost goes by the event as it is in the same step: a process that was frozen must not write down what it knew before.
func (a *Activities) closePost(ctx context.Context, p footy.Post, refused map[string]string) error {
	_, err := a.Store.Advance(ctx, p.EventUID, p.PostID, func(p footy.Post) (footy.Post, []footy.Entry, error) {
		f, err := a.Store.Fixture(ctx, p.FixtureID)
		if err != nil {
			return p, nil, err
		}
		e := f.Event(p.EventUID)
		if e == nil {
			return p, nil, store.ErrUnchanged
		}
		what, ok := whatBecame(p, *e, refused)
		if !ok {
			return p, nil, store.ErrUnchanged
		}
		return ledger.Advance(p, what, a.Now(), a.Delays)
	})
	if errors.Is(err, ledger.ErrIllegal) || footy.IsNotFound(err) {
		return nil // somebody else moved it, or its match is not kept any more
	}
	return err
}

// whatBecame is what the event's clips and the takedowns say of a post; false if there is nothing to say.
func whatBecame(p footy.Post, e footy.Event, refused map[string]string) (ledger.Move, bool) {
	if p.State == footy.PostJudged {
		if p.Media == nil && e.Clip(p.ClipID) == nil {
			return ledger.Unstage("", "the clip of the same file is gone"), true
		}
		if why, gone := refused[p.PostID]; gone {
			return ledger.TakeDown(why), true
		}
	}
	return ledger.ByClips(p, e)
}

// MarkComplete is Mark, as workflows call it.
var MarkComplete = policy.Define[Input, bool]("check_and_mark_download_complete", policy.Row{Queue: policy.QueueMain, Local: true, Timeout: 30 * time.Second,
	Why: "one read, rarely a write"})

// Mark completes the event if nothing is open; UploadWorkflow's last look.
func (a *Activities) Mark(ctx context.Context, in Input) (bool, error) {
	defer crashpoint.Here(crashpoint.UploadLeaving)
	return Complete(ctx, a.Store, in, a.Now())
}

func clipKey(uid string, m footy.Media) string {
	return blob.ClipPrefix + uid + "/" + m.Digest + footy.VideoKind(m.StageKey)
}
func posterKey(uid, digest string) string { return blob.PosterPrefix + uid + "/" + digest + ".jpg" }
