package publish

import (
	"context"
	"encoding/json"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/acquire"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/found-footy/found-footy/internal/store"
	"go.temporal.io/sdk/activity"
)

// Notifier tells readers that something changed.
type Notifier interface {
	Notify(ctx context.Context, entity string, ids ...string)
}

// Activities of publishing.
type Activities struct {
	Store  store.Store
	Blob   blob.Store
	Notify Notifier
	Now    func() time.Time
}

// Saved tells what a batch changed.
type Saved struct {
	Complete bool `json:"complete"`
	Losers   bool `json:"losers"` // retired copies whose bytes can go
}

// Upload moves the bytes of a batch to their lasting keys and saves the batch once they are there: a clip is never
// shown before its bytes, and the save is one step of the history less.
func (a *Activities) Upload(ctx context.Context, in acquire.Handover) (Saved, error) {
	if err := a.move(ctx, in); err != nil {
		return Saved{}, err
	}
	return a.Save(ctx, in)
}

// move takes the bytes of accepted videos from staging and stores their fingerprints. Keys and rows are the same when
// it is repeated.
func (a *Activities) move(ctx context.Context, in acquire.Handover) error {
	for _, it := range in.Items {
		activity.RecordHeartbeat(ctx, it.Media.Digest)
		clip := key(blob.ClipPrefix, in, it.Media.Digest, ".mp4")
		meta := map[string]string{"event": in.EventUID, "post": it.Media.Candidate.PostID, "source": it.Media.Candidate.URL}
		if err := a.copy(ctx, it.Media.StageKey, clip, blob.Info{ContentType: "video/mp4", Metadata: meta}); err != nil {
			return err
		}
		if it.Media.PosterKey != "" {
			if err := a.copy(ctx, it.Media.PosterKey, key(blob.PosterPrefix, in, it.Media.Digest, ".jpg"), blob.Info{ContentType: "image/jpeg"}); err != nil {
				return err
			}
		}
		if err := a.fingerprint(ctx, in, it.Media); err != nil {
			return err
		}
	}
	return nil
}

func (a *Activities) copy(ctx context.Context, from, to string, info blob.Info) error {
	o, err := a.Blob.Open(ctx, from)
	if err != nil {
		return err
	}
	defer o.Close()
	return a.Blob.Put(ctx, to, o, o.Attributes().Size, info)
}

func (a *Activities) fingerprint(ctx context.Context, in acquire.Handover, m footy.Media) error {
	o, err := a.Blob.Open(ctx, m.FingerprintKey)
	if err != nil {
		return err
	}
	defer o.Close()
	row := footy.StoredFingerprint{ClipID: footy.ClipID(m.Digest), EventUID: in.EventUID, FixtureID: in.FixtureID, Digest: m.Digest}
	if err := json.NewDecoder(o).Decode(&row.Fingerprint); err != nil {
		return footy.Wrap(footy.CodeInvalid, "read fingerprint "+m.FingerprintKey, err)
	}
	return a.Store.PutFingerprint(ctx, row)
}

// Save writes one batch into the event: clips, merges, ranks, settlement and perhaps completion, in one atomic write.
func (a *Activities) Save(ctx context.Context, in acquire.Handover) (Saved, error) {
	prints, err := a.prints(ctx, in.EventUID)
	if err != nil {
		return Saved{}, err
	}
	var out Saved
	now := a.Now()
	_, err = a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) error {
		e := f.Event(in.EventUID)
		if e == nil {
			return store.ErrUnchanged
		}
		out = Saved{Complete: e.DownloadComplete, Losers: losers(e)}
		if round.Settled(e, in.Download) {
			return store.ErrUnchanged
		}
		rows := settle(f, e, in, prints, now)
		if round.Complete(e, in.Timing.Attempts, now) {
			rows = append(rows, footy.CompletedEntry(f.ID, *e, now))
		}
		out = Saved{Complete: e.DownloadComplete, Losers: losers(e)}
		return a.Store.Append(ctx, rows...)
	})
	if footy.IsNotFound(err) {
		return Saved{Complete: true}, nil
	}
	if err == nil {
		a.Notify.Notify(ctx, "event", in.EventUID)
	}
	return out, err
}

// Cleanup deletes the bytes of copies that lost for good: the event is complete.
func (a *Activities) Cleanup(ctx context.Context, in acquire.UploadInput) error {
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if err != nil {
		return err
	}
	e := f.Event(in.EventUID)
	if e == nil || !e.DownloadComplete {
		return nil
	}
	for _, c := range e.Clips {
		if c.ReplacedBy == "" || c.Swept {
			continue
		}
		activity.RecordHeartbeat(ctx, c.ID)
		if err := a.Blob.Delete(ctx, c.Key); err != nil {
			return err
		}
		if err := a.Blob.Delete(ctx, c.PosterKey); err != nil && c.PosterKey != "" {
			return err
		}
	}
	_, err = a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) error {
		e := f.Event(in.EventUID)
		if e == nil || !losers(e) {
			return store.ErrUnchanged
		}
		for i := range e.Clips {
			e.Clips[i].Swept = e.Clips[i].Swept || e.Clips[i].ReplacedBy != ""
		}
		return nil
	})
	return err
}

// Mark completes the event if nothing is owed; UploadWorkflow's last look.
func (a *Activities) Mark(ctx context.Context, in acquire.UploadInput) (bool, error) {
	complete := false
	now := a.Now()
	_, err := a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) error {
		e := f.Event(in.EventUID)
		if e == nil {
			complete = true
			return store.ErrUnchanged
		}
		if !round.Complete(e, in.Timing.Attempts, now) {
			complete = e.DownloadComplete
			return store.ErrUnchanged
		}
		complete = true
		return a.Store.Append(ctx, footy.CompletedEntry(f.ID, *e, now))
	})
	if footy.IsNotFound(err) {
		return true, nil
	}
	return complete, err
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

func losers(e *footy.Event) bool {
	for _, c := range e.Clips {
		if c.ReplacedBy != "" && !c.Swept {
			return true
		}
	}
	return false
}

func key(prefix string, in acquire.Handover, digest, suffix string) string {
	return prefix + in.EventUID + "/" + digest + suffix
}
