package upload

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/sdk/activity"
)

// Activities of publishing.
type Activities struct {
	Store  store.Store
	Blob   blob.Store
	Page   footy.Publisher
	Delays ledger.Delays // scaled
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
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if footy.IsNotFound(err) {
		return Saved{Complete: true}, nil
	}
	if err != nil {
		return Saved{}, err
	}
	e := f.Event(in.EventUID)
	if e == nil {
		return Saved{Complete: true}, nil
	}
	accepted, err := a.Store.Posts(ctx, store.PostQuery{EventUID: in.EventUID, States: []footy.PostState{footy.PostJudged}})
	if err != nil {
		return Saved{}, err
	}
	items := accepted[:0:0]
	for _, p := range accepted {
		moved, err := a.move(ctx, *e, p)
		if err != nil {
			return Saved{}, err
		}
		if moved {
			items = append(items, p)
		}
	}
	crashpoint.Here(crashpoint.BytesMoved)
	refused, err := a.save(ctx, in, items)
	if err != nil {
		return Saved{}, err
	}
	crashpoint.Here(crashpoint.Saved)
	return a.finish(ctx, in, refused)
}

// move brings the bytes of an accepted post to their lasting keys and stores its fingerprint. Where the staged bytes are gone
// the post is fetched anew.
func (a *Activities) move(ctx context.Context, e footy.Event, p footy.Post) (bool, error) {
	activity.RecordHeartbeat(ctx, p.PostID)
	if p.ClipID != "" { // byte for byte a clip that is there
		return true, nil
	}
	err := a.moveBytes(ctx, e, p)
	if !footy.IsNotFound(err) {
		return err == nil, err
	}
	return false, a.advance(ctx, p, ledger.Unstage("", err.Error()))
}

func (a *Activities) moveBytes(ctx context.Context, e footy.Event, p footy.Post) error {
	m, meta := *p.Media, metadata(e, p)
	if err := a.copy(ctx, m.StageKey, clipKey(p.EventUID, m.Digest), blob.Info{ContentType: "video/mp4", Metadata: meta}); err != nil {
		return err
	}
	if m.PosterKey != "" {
		if err := a.copy(ctx, m.PosterKey, posterKey(p.EventUID, m.Digest), blob.Info{ContentType: "image/jpeg", Metadata: meta}); err != nil {
			return err
		}
	}
	return a.fingerprint(ctx, p)
}

// copy has the store give an object another key, unless it is there already: a repeated try need not do it again. Temporal hears of each:
// a storage that hangs is seen within a minute.
func (a *Activities) copy(ctx context.Context, from, to string, info blob.Info) error {
	activity.RecordHeartbeat(ctx, to)
	staged, err := a.Blob.Stat(ctx, from)
	if err != nil {
		return err
	}
	if there, err := a.Blob.Stat(ctx, to); err == nil && there.Size == staged.Size {
		return nil
	}
	return a.Blob.Copy(ctx, from, to, info)
}

func (a *Activities) fingerprint(ctx context.Context, p footy.Post) error {
	o, err := a.Blob.Open(ctx, p.Media.FingerprintKey)
	if err != nil {
		return err
	}
	defer o.Close()
	row := footy.StoredFingerprint{ClipID: footy.ClipID(p.Media.Digest), EventUID: p.EventUID, FixtureID: p.FixtureID, Digest: p.Media.Digest}
	if err := json.NewDecoder(o).Decode(&row.Fingerprint); err != nil {
		return footy.Wrap(footy.CodeUnavailable, "read fingerprint "+p.Media.FingerprintKey, err)
	}
	return a.Store.PutFingerprint(ctx, row)
}

// save writes clips, merges and ranks into the event, in one step, and returns the posts whose content was taken
// down. Tombstones are read inside of it: a takedown that comes meanwhile changes the fixture, and then they are read again.
func (a *Activities) save(ctx context.Context, in SaveInput, items []footy.Post) (refused map[string]string, err error) {
	prints, err := a.prints(ctx, in.EventUID)
	if err != nil {
		return nil, err
	}
	now := a.Now()
	_, err = a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(in.EventUID)
		if e == nil {
			return nil, store.ErrUnchanged
		}
		tombstones, err := a.Store.Tombstones(ctx)
		if err != nil {
			return nil, err
		}
		var welcome []footy.Post
		welcome, refused = withoutTakenDown(items, tombstones, prints)
		if !slices.ContainsFunc(welcome, func(p footy.Post) bool { return !supports(e, p) }) {
			return nil, store.ErrUnchanged
		}
		return publish(f, e, in.Download, welcome, prints, now), nil
	})
	if footy.IsNotFound(err) {
		return refused, nil
	}
	return refused, err
}

// finish writes into the ledger what became of the posts, and completes the event if nothing is open.
func (a *Activities) finish(ctx context.Context, in SaveInput, refused map[string]string) (Saved, error) {
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if footy.IsNotFound(err) {
		return Saved{Complete: true}, nil
	}
	if err != nil {
		return Saved{}, err
	}
	e := f.Event(in.EventUID)
	if e == nil {
		return Saved{Complete: true}, nil
	}
	if err := a.deleteRefused(ctx, *e, refused); err != nil {
		return Saved{}, err
	}
	if err := a.closePosts(ctx, *e, refused); err != nil {
		return Saved{}, err
	}
	a.Page.Publish(ctx, "event", in.EventUID)
	complete, err := Complete(ctx, a.Store, in.FixtureID, in.EventUID, in.Timing.Limits(), a.Now())
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
		for _, key := range append(blob.Traces(e.UID, p.Media.Digest), clipKey(e.UID, p.Media.Digest), posterKey(e.UID, p.Media.Digest)) {
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
		if what, ok := whatBecame(p, e, refused); ok {
			if err := a.advance(ctx, p, what); err != nil {
				return err
			}
		}
	}
	return nil
}

// whatBecame is what the event's clips and the takedowns say of a post; false if there is nothing to say.
func whatBecame(p footy.Post, e footy.Event, refused map[string]string) (ledger.Event, bool) {
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

// advance moves a post, unless somebody else moved it meanwhile.
func (a *Activities) advance(ctx context.Context, p footy.Post, what ledger.Event) error {
	_, err := a.Store.Advance(ctx, p.EventUID, p.PostID, ledger.Moved(what, a.Now(), a.Delays))
	if errors.Is(err, ledger.ErrIllegal) {
		return nil
	}
	return err
}

// MarkComplete is Mark, as workflows call it.
var MarkComplete = policy.Define[Input, bool]("check_and_mark_download_complete", policy.Row{Queue: policy.QueueMain, Timeout: 30 * time.Second,
	Why: "one read, rarely a write"})

// Mark completes the event if nothing is open; UploadWorkflow's last look.
func (a *Activities) Mark(ctx context.Context, in Input) (bool, error) {
	defer crashpoint.Here(crashpoint.UploadLeaving)
	return Complete(ctx, a.Store, in.FixtureID, in.EventUID, in.Timing.Limits(), a.Now())
}

func (a *Activities) prints(ctx context.Context, uid string) (map[string]footy.Fingerprint, error) {
	stored, err := a.Store.Fingerprints(ctx, uid)
	if err != nil {
		return nil, err
	}
	out := make(map[string]footy.Fingerprint, len(stored))
	for _, s := range stored {
		out[s.ClipID] = s.Fingerprint
	}
	return out, nil
}

func clipKey(uid, digest string) string   { return blob.ClipPrefix + uid + "/" + digest + ".mp4" }
func posterKey(uid, digest string) string { return blob.PosterPrefix + uid + "/" + digest + ".jpg" }
