package operator

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// TakeDown deletes a clip's bytes, those of its copies and the pictures of their posts, wherever one of these files is a clip,
// and keeps the content from coming back. Tombstones come first, hiding second, bytes last: a crash leaves content that is
// out of sight and can be taken down again, never content that returns.
func (o *Operator) TakeDown(ctx context.Context, uid, clip, reason string) error {
	f, err := o.Store.FixtureOfEvent(ctx, uid)
	if err != nil {
		return err
	}
	uid = f.Event(uid).UID // it may be one of the goal's public names
	c := f.Event(uid).Clip(clip)
	if c == nil {
		return missing("take down", clip)
	}
	reason = strings.TrimSpace(reason)
	if err := o.takeDown(ctx, f, uid, clip, reason); err != nil {
		return err
	}
	for _, c := range f.Event(uid).Clips {
		if !copyOf(f.Event(uid), c.ID, clip) {
			continue
		}
		if err := o.takeDownElsewhere(ctx, uid, c, reason); err != nil {
			return err
		}
	}
	return nil
}

// takeDownElsewhere takes the same file down where it is a clip of another goal.
func (o *Operator) takeDownElsewhere(ctx context.Context, uid string, c footy.Clip, reason string) error {
	others, err := o.Store.FixturesWithClip(ctx, c.Digest)
	if err != nil {
		return err
	}
	for _, f := range others {
		for _, e := range f.Events {
			if same := e.Clip(c.ID); same == nil || same.Digest != c.Digest || e.UID == uid {
				continue
			}
			if err := o.takeDown(ctx, f, e.UID, c.ID, reason); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeDown takes a clip of one event down with its copies.
func (o *Operator) takeDown(ctx context.Context, f footy.Fixture, uid, clip, reason string) error {
	if err := o.writeTombstones(ctx, f.ID, f.Event(uid), clip, reason); err != nil {
		return err
	}
	crashpoint.Here(crashpoint.TombstoneWritten)
	f, err := o.change(ctx, uid, clip, "take down", reason, func(now *footy.Event, _ time.Time) error {
		for i := range now.Clips {
			if c := &now.Clips[i]; copyOf(now, c.ID, clip) {
				c.Hidden, c.Swept, c.Pinned = true, true, false
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	keys, err := o.traces(ctx, f.ID, f.Event(uid), clip)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := o.Blob.Delete(ctx, key); err != nil {
			return err
		}
	}
	crashpoint.Here(crashpoint.BytesDeleted)
	return nil
}

// writeTombstones writes a tombstone for the clip and for each copy that it stands for. One that is there stays: it tells who claimed
// the content first, and when.
func (o *Operator) writeTombstones(ctx context.Context, fixture int64, e *footy.Event, clip, reason string) error {
	prints, err := o.Store.Fingerprints(ctx, e.UID)
	if err != nil {
		return err
	}
	tombstones, err := o.Store.Tombstones(ctx)
	if err != nil {
		return err
	}
	for _, c := range e.Clips {
		there := slices.ContainsFunc(tombstones, func(t footy.Tombstone) bool { return t.Digest == c.Digest && t.EventUID == e.UID })
		if there || !copyOf(e, c.ID, clip) {
			continue
		}
		t := footy.Tombstone{Digest: c.Digest, EventUID: e.UID, FixtureID: fixture, Reason: reason, At: o.Now().UTC()}
		for _, p := range prints {
			if p.ClipID == c.ID && (c.ID == clip || !c.Compiled) { // a compilation holds more than what was taken down
				t.Fingerprint = p.Fingerprint
			}
		}
		if err := o.Store.PutTombstone(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// traces lists the objects that show the content: clips, posters and the stills of every post that was merged into it.
func (o *Operator) traces(ctx context.Context, fixture int64, e *footy.Event, clip string) ([]string, error) {
	var keys []string
	for _, c := range e.Clips {
		if !copyOf(e, c.ID, clip) {
			continue
		}
		for _, key := range append(blob.Traces(e.UID, c.Digest), c.Key, c.PosterKey) {
			if key != "" {
				keys = append(keys, key)
			}
		}
	}
	rows, err := o.Store.Entries(ctx, store.LogQuery{FixtureID: fixture, EventUID: e.UID})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		key := r.Data.PosterKey
		if strings.HasPrefix(key, blob.PosterPrefix) && r.ClipID != "" && copyOf(e, r.ClipID, clip) {
			keys = append(keys, blob.Traces(e.UID, blob.DigestOf(key))...)
		}
	}
	return keys, nil
}

// copyOf reports whether a clip is the other one, or was merged into it.
func copyOf(e *footy.Event, id, clip string) bool { return slices.Contains(e.Replacements(id), clip) }
