package acquire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/media"
	"github.com/found-footy/found-footy/internal/rule/phash"
	"github.com/found-footy/found-footy/internal/validate/gate"
)

// Download takes one candidate from its post to staged media. A refusal is an answer and is logged with its reason;
// an error is "could not look" and is tried again.
func (a *Activities) Download(ctx context.Context, in Fetch) (Got, error) {
	got, err := a.download(ctx, in)
	var refused *footy.Error
	if errors.As(err, &refused) && (refused.Code == footy.CodeRejected || refused.Code == footy.CodeGeoBlocked) {
		reason := refused.Reason
		if refused.Code == footy.CodeGeoBlocked {
			reason = footy.ReasonGeoBlocked
		}
		row := a.refusal(in.Input, in.Candidate, reason, cause(refused))
		if got.still != "" {
			row.Data["poster_key"] = got.still
		}
		return Got{Rejected: reason}, a.Store.Append(ctx, row)
	}
	return got, err
}

func (a *Activities) download(ctx context.Context, in Fetch) (Got, error) {
	if err := gate.Metadata(in.Candidate, a.Gate); err != nil {
		return Got{}, err
	}
	file, err := os.CreateTemp(a.TempDir, "clip-*.mp4")
	if err != nil {
		return Got{}, footy.Wrap(footy.CodeUnavailable, "create temporary file", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	fetched, err := a.Fetcher.Fetch(ctx, in.Candidate, file, func(int64) { beat(ctx) })
	if err != nil {
		return Got{}, err
	}
	if known, err := a.known(ctx, in, fetched.Digest); err != nil || known != "" {
		return Got{Known: known}, err
	}
	probe, err := a.Decoder.Probe(ctx, file.Name())
	if err != nil {
		return Got{}, err
	}
	if err := gate.File(probe, fetched.Size, a.Gate); err != nil {
		small, _ := a.Decoder.Glimpse(ctx, file.Name(), probe) // a picture of what is refused; without one it is refused all the same
		still, kept := a.keep(ctx, in.EventUID, fetched.Digest, small)
		if kept != nil {
			return Got{}, kept
		}
		return Got{still: still}, err
	}
	beat(ctx)
	decoded, err := a.Decoder.Decode(ctx, file.Name(), probe, media.Wants{}, func() { beat(ctx) })
	if err != nil {
		return Got{}, err
	}
	print := phash.Build(decoded.Samples)
	if err := a.takenDown(ctx, in, print); err != nil {
		return Got{}, err
	}
	m := footy.Media{Candidate: in.Candidate, Digest: fetched.Digest, Size: fetched.Size, Probe: probe}
	small, _ := media.Still(decoded.Poster) // none of a film that is black throughout
	if m.StillKey, err = a.keep(ctx, in.EventUID, m.Digest, small); err != nil {
		return Got{}, err
	}
	return Got{Media: &m}, a.stage(ctx, &m, file, decoded, print)
}

// keep stores a small picture of a downloaded post for the goal page, for as long as the goal itself is kept.
func (a *Activities) keep(ctx context.Context, eventUID, digest string, small []byte) (string, error) {
	if len(small) == 0 {
		return "", nil
	}
	key := blob.StillKey(eventUID, digest)
	return key, a.put(ctx, key, "image/jpeg", small)
}

// takenDown refuses a copy of content that was taken down, however it was re-encoded.
func (a *Activities) takenDown(ctx context.Context, in Fetch, print footy.Fingerprint) error {
	stones, err := a.Store.Tombstones(ctx, in.FixtureID)
	if err != nil {
		return err
	}
	for _, t := range stones {
		if t.Fingerprint.Empty() {
			continue
		}
		if m := phash.Compare(t.Fingerprint, print); m.Same {
			return footy.Reject("check content", footy.ReasonTombstone, "a copy of it was taken down: %s (%s)", t.Reason, m.Reason)
		}
	}
	return nil
}

// known answers which clip of this event has the very same bytes; taken-down content is refused for good.
func (a *Activities) known(ctx context.Context, in Fetch, digest string) (string, error) {
	stones, err := a.Store.Tombstones(ctx, in.FixtureID)
	if err != nil {
		return "", err
	}
	for _, t := range stones {
		if t.Digest == digest {
			return "", footy.Reject("check digest", footy.ReasonTombstone, "this file was taken down: %s", t.Reason)
		}
	}
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if err != nil {
		return "", err
	}
	if e := f.Event(in.EventUID); e != nil {
		for _, c := range e.Clips {
			if c.Digest == digest {
				return c.ID, nil
			}
		}
	}
	return "", nil
}

// stage puts the file and what the decode yielded into the staging area, content-addressed, so that any worker can
// go on from here and a repeated activity writes the same keys.
func (a *Activities) stage(ctx context.Context, m *footy.Media, file *os.File, d media.Decoded, print footy.Fingerprint) error {
	base := blob.StagingPrefix + m.Digest
	m.StageKey = base + "/clip.mp4"
	if _, err := file.Seek(0, 0); err != nil {
		return footy.Wrap(footy.CodeUnavailable, "rewind file", err)
	}
	if err := a.Blob.Put(ctx, m.StageKey, file, m.Size, blob.Info{ContentType: "video/mp4"}); err != nil {
		return err
	}
	text, err := json.Marshal(print)
	if err != nil {
		return footy.Wrap(footy.CodeInvalid, "encode fingerprint", err)
	}
	m.FingerprintKey = base + "/fingerprint.json"
	if err := a.put(ctx, m.FingerprintKey, "application/json", text); err != nil {
		return err
	}
	if len(d.Poster) > 0 {
		m.PosterKey = base + "/poster.jpg"
		if err := a.put(ctx, m.PosterKey, "image/jpeg", d.Poster); err != nil {
			return err
		}
	}
	for i, fr := range d.Frames {
		key := fmt.Sprintf("%s/frame-%d.jpg", base, i)
		if err := a.put(ctx, key, "image/jpeg", fr.JPEG); err != nil {
			return err
		}
		m.FrameKeys = append(m.FrameKeys, key)
		m.FrameTimes = append(m.FrameTimes, fr.At)
	}
	return nil
}

func (a *Activities) put(ctx context.Context, key, kind string, b []byte) error {
	return a.Blob.Put(ctx, key, bytes.NewReader(b), int64(len(b)), blob.Info{ContentType: kind})
}

func (a *Activities) refusal(in Input, c footy.Candidate, why footy.Reason, detail string) footy.Entry {
	return footy.Entry{
		Key: fmt.Sprintf("%s/rejected/%s/%s", in.EventUID, c.PostID, why), FixtureID: in.FixtureID, EventUID: in.EventUID, At: a.Now(),
		Kind: footy.EntryRejected, Reason: why, Text: footy.Explain(why), PostID: c.PostID,
		Data: map[string]any{"url": c.URL, "detail": detail, "download": in.Download},
	}
}

func cause(e *footy.Error) string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return string(e.Reason)
}
