package download

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/validate/gate"
	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// DownloadVideo is Download, as workflows call it.
var DownloadVideo = policy.Define[DownloadInput, DownloadResult]("download_single_video", policy.Row{Queue: policy.QueueMedia, Timeout: 6 * time.Minute, Heartbeat: 30 * time.Second, Pause: 2 * time.Second,
	Why: "90 s for the bytes, up to 3 min for a decode that a busy machine slows; what fails outside our store is written into the ledger. The last post begins within slotTurn"})

// patience ends a fetch before the engine does: what hangs makes its post wait. Repeated, it would hold up all posts of its Download.
const patience = 5*time.Minute + 30*time.Second

// slotTurn is how long posts of one Download keep a slot before other goals have theirs. It is the machine's time, never scaled; with patience it
// is less than one try may take.
const slotTurn = 20 * time.Second

// Download takes posts to staged media, one after the other. A try that dies goes on where it stopped. After a while it hands the slot on.
func (a *Activities) Download(ctx context.Context, in DownloadInput) (DownloadResult, error) {
	var out DownloadResult
	start := a.Now()
	for i, id := range in.Posts {
		if i > 0 && a.Now().Sub(start) >= slotTurn {
			break
		}
		got, err := a.download(ctx, in.Input, id)
		if err != nil {
			return out, err
		}
		out.Posts = append(out.Posts, got)
	}
	return out, nil
}

// download takes one post to staged media. Whatever comes of it is written into the ledger: a fact about the post ends it,
// trouble of anything else makes it wait. An error is our own store's, and is tried again.
func (a *Activities) download(ctx context.Context, in Input, id string) (FetchResult, error) {
	p, err := a.Store.Post(ctx, in.EventUID, id)
	if err != nil {
		return FetchResult{}, err
	}
	if p.Download != in.Download { // another's
		return result(p), nil
	}
	if p, err = a.suspend(ctx, p); err != nil || p.State != footy.PostFetching { // done by a try whose answer got lost
		return result(p), err
	}
	stop := policy.Heartbeats(ctx) // hosts and buckets are silent for as long as they like
	defer stop()
	var got fetchYield
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	failure, rests, err := a.whyResting(limited, source.PlaceOf(p.PostID))
	if err != nil {
		return FetchResult{}, err
	}
	if failure == nil {
		got, failure = a.fetch(limited, p)
	}
	if ctx.Err() != nil {
		return FetchResult{}, ctx.Err()
	}
	if ours(failure) {
		return FetchResult{}, failure
	}
	others, err := a.noteFetch(ctx, limited, p, failure)
	if err != nil {
		return FetchResult{}, err
	}
	crashpoint.Here(crashpoint.Staged)
	what := fetched(in.Download, got, failure, others).InRest(rests)
	if passed := a.decoded.Load(); (errors.Is(failure, errBroke) || errors.Is(failure, media.ErrNoDecoder)) && passed != nil {
		what = ledger.Misfit(in.Download, footy.ReasonMachine, footy.RootCause(failure), *passed)
	}
	if p, err = a.advance(ctx, p, what); err == nil {
		p, err = a.suspend(ctx, p)
	}
	return result(p), err
}

func result(p footy.Post) FetchResult {
	return FetchResult{PostID: p.PostID, Step: ledger.NextStep(p), Waiting: p.State == footy.PostWaiting, Reason: p.Reason}
}

// fetched is what a fetch comes to. others tells of a doubtful answer that other posts could be fetched since.
func fetched(download string, got fetchYield, failure error, others bool) ledger.Move {
	switch {
	case failure == nil && got.old != nil:
		return ledger.RefuseOld(download, *got.old, got.still)
	case failure == nil && got.known != "":
		return ledger.Recognise(download, got.known)
	case failure == nil:
		return ledger.Fetch(download, *got.media)
	}
	detail := footy.RootCause(failure)
	switch why, kind := classify(failure); kind {
	case doubtful:
		return ledger.Doubt(download, why, detail, others)
	case final:
		return ledger.Refuse(download, why, detail, got.still)
	default:
		return ledger.Trouble(download, why, detail)
	}
}

// fetchYield is what a fetch yields: media, or the clip of this event that has the very same bytes, or what older match it shows.
type fetchYield struct {
	media *footy.Media
	known string
	old   *footy.Seen
	still string // picture of a file that is refused; for its log row only
}

func (a *Activities) fetch(ctx context.Context, p footy.Post) (fetchYield, error) {
	if err := gate.Metadata(p.Candidate); err != nil {
		return fetchYield{}, err
	}
	if a.Room != nil {
		if err := a.Room(); err != nil {
			return fetchYield{}, because(footy.ReasonMachine, "find room for a clip", err)
		}
	}
	file, err := os.CreateTemp(a.TempDir, "clip-*.mp4")
	if err != nil {
		return fetchYield{}, because(footy.ReasonMachine, "create temporary file", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	began := a.Now()
	fetched, err := a.Fetcher.Fetch(ctx, p.Candidate, file)
	if err != nil {
		return fetchYield{}, because(footy.ReasonFetchFailed, "fetch post", err)
	}
	crashpoint.Here(crashpoint.Fetched)
	there := a.Now()
	tombstones, err := a.Store.Tombstones(ctx)
	if err != nil {
		return fetchYield{}, err
	}
	if err := takenDown(tombstones, fetched.Digest, footy.Fingerprint{}); err != nil {
		return fetchYield{}, err
	}
	if known, err := a.known(ctx, p, fetched.Digest); err != nil || known != "" {
		return fetchYield{known: known}, err
	}
	var probe footy.Probe
	err = guard("probe file", func() error { probe, err = a.Decoder.Probe(ctx, file.Name()); return err })
	if err != nil {
		return fetchYield{}, because(footy.ReasonMachine, "probe file", err)
	}
	if err := gate.File(probe, fetched.Size); err != nil {
		small, _ := a.Decoder.Glimpse(ctx, file.Name(), probe) // a picture of what is refused; without one it is refused all the same
		return a.refused(ctx, p, fetched.Digest, small, err)
	}
	var decoded media.Decoded
	var print footy.Fingerprint
	err = guard("decode file", func() error {
		decoded, err = a.Decoder.Decode(ctx, file.Name(), probe, media.Wants{Clock: a.Clock})
		if err == nil {
			print = phash.Build(decoded.Samples)
		}
		return err
	})
	if err != nil {
		return fetchYield{}, because(footy.ReasonMachine, "decode file", err)
	}
	small, _ := media.Still(decoded.Poster) // none of a film that is black throughout
	if err := gate.Decoded(decoded.Length); err != nil {
		return a.refused(ctx, p, fetched.Digest, small, err)
	}
	probe = decoded.Of(probe)
	if err := takenDown(tombstones, fetched.Digest, print); err != nil {
		return fetchYield{}, err
	}
	var old *footy.Seen
	if a.Footage != nil {
		if old, err = a.Footage.Before(ctx, p, print); err != nil {
			return fetchYield{}, err
		}
	}
	m := footy.Media{Digest: fetched.Digest, Probe: probe}
	if m.StillKey, err = a.keep(ctx, p.EventUID, m.Digest, small); err != nil {
		return fetchYield{}, err
	}
	if old != nil {
		return fetchYield{old: old, still: m.StillKey}, nil
	}
	if a.Clock {
		if m.Clock, err = a.keepClock(ctx, p.EventUID, m.Digest, decoded.Clock); err != nil {
			return fetchYield{}, err
		}
	}
	if m.FootageKey, err = a.remember(ctx, p.EventUID, m.Digest, print); err != nil {
		return fetchYield{}, err
	}
	if err := a.stage(ctx, p, &m, file.Name(), decoded, print); err != nil {
		return fetchYield{}, err
	}
	staged := a.Now()
	a.decoded.Store(&staged)
	m.FetchBegan, m.FetchSeconds, m.DecodeSeconds = began, there.Sub(began).Seconds(), staged.Sub(there).Seconds()
	return fetchYield{media: &m}, nil
}

// refused is what a fetch of a file comes to that the gate refuses.
func (a *Activities) refused(ctx context.Context, p footy.Post, digest string, small []byte, why error) (fetchYield, error) {
	still, err := a.keep(ctx, p.EventUID, digest, small)
	return fetchYield{still: still}, cmp.Or(err, why)
}

// keep stores a small picture of a downloaded post for the goal page, for as long as the goal itself is kept.
func (a *Activities) keep(ctx context.Context, eventUID, digest string, small []byte) (string, error) {
	if len(small) == 0 {
		return "", nil
	}
	key := blob.StillKey(eventUID, digest)
	return key, a.put(ctx, key, "image/jpeg", small)
}

// takenDown refuses content that was taken down, however it was re-encoded.
func takenDown(tombstones []footy.Tombstone, digest string, print footy.Fingerprint) error {
	t := dedup.TakenDown(tombstones, digest, print)
	if t == nil {
		return nil
	}
	return footy.Reject("check content", footy.ReasonTombstone, "%s", t.Reason)
}

// known answers which clip of this event has the very same bytes.
func (a *Activities) known(ctx context.Context, p footy.Post, digest string) (string, error) {
	f, err := a.Store.Fixture(ctx, p.FixtureID)
	if err != nil {
		return "", err
	}
	if e := f.Event(p.EventUID); e != nil {
		if i := slices.IndexFunc(e.Clips, func(c footy.Clip) bool { return c.Digest == digest }); i >= 0 {
			return e.Clips[i].ID, nil
		}
	}
	return "", nil
}

// stage puts the file and what the decode yielded into the staging area, content-addressed, so that any worker can
// go on from here and a repeated activity writes the same keys.
func (a *Activities) stage(ctx context.Context, p footy.Post, m *footy.Media, path string, d media.Decoded, print footy.Fingerprint) error {
	if err := a.stageFilm(ctx, p, m, path, print); err != nil {
		return err
	}
	text, err := json.Marshal(print)
	if err != nil {
		return footy.Wrap(footy.CodeInvalid, "encode fingerprint", err)
	}
	m.FingerprintKey = blob.StagedPart(m.Digest, "fingerprint.json", text)
	if err := a.put(ctx, m.FingerprintKey, "application/json", text); err != nil {
		return err
	}
	if len(d.Poster) > 0 {
		m.PosterKey = blob.StagedPart(m.Digest, "poster.jpg", d.Poster)
		if err := a.put(ctx, m.PosterKey, "image/jpeg", d.Poster); err != nil {
			return err
		}
	}
	for i, fr := range d.Frames {
		key := blob.StagedPart(m.Digest, fmt.Sprintf("frame-%d.jpg", i), fr.JPEG)
		if err := a.put(ctx, key, "image/jpeg", fr.JPEG); err != nil {
			return err
		}
		m.FrameKeys = append(m.FrameKeys, key)
		m.FrameTimes = append(m.FrameTimes, fr.At)
	}
	return nil
}

// stageFilm stages what is shown of a file. Digest and fingerprint stay those of the file: by them it is known again.
func (a *Activities) stageFilm(ctx context.Context, p footy.Post, m *footy.Media, path string, print footy.Fingerprint) error {
	film, err := a.Decoder.Film(ctx, path, m.Probe, func() (bool, error) { return a.best(ctx, p, *m, print) })
	if err != nil {
		return because(footy.ReasonMachine, "make a film that plays", err)
	}
	defer film.Remove()
	m.Size, m.Probe, m.Unplayed = film.Size, film.Probe, film.Unplayed
	if m.StageKey = blob.StagedFilm(m.Digest, film.Kind); film.Digest != "" {
		m.StageKey = blob.StagedMade(m.Digest, film.Digest, film.Kind)
	}
	shown, err := os.Open(film.Path)
	if err != nil {
		return because(footy.ReasonMachine, "open film", err)
	}
	defer shown.Close()
	return because(footy.ReasonStorage, "stage file", a.Blob.Put(ctx, m.StageKey, shown, m.Size, blob.Info{ContentType: footy.VideoType(m.StageKey)}))
}

// best reports whether a file would be a clip: its clock does not refuse it, and it is no copy behind one of the goal that plays.
func (a *Activities) best(ctx context.Context, p footy.Post, m footy.Media, print footy.Fingerprint) (bool, error) {
	f, err := a.Store.Fixture(ctx, p.FixtureID)
	if err != nil {
		return false, err
	}
	e := f.Event(p.EventUID)
	if e == nil {
		return true, nil
	}
	if v, ruling, err := a.byClock(ctx, m.Clock, f, *e); e.Certain() && ruling == clock.Decided && !a.modelFirst() && v.Outcome == footy.OutcomeRejected || err != nil {
		return false, err
	}
	prints, err := a.Store.Fingerprints(ctx, p.EventUID)
	return !dedup.Covered(footy.ClipOf(m), print, *e, prints, a.Prints.Prepare), err
}

func (a *Activities) put(ctx context.Context, key, kind string, b []byte) error {
	return because(footy.ReasonStorage, "store "+key, a.Blob.Put(ctx, key, bytes.NewReader(b), int64(len(b)), blob.Info{ContentType: kind}))
}
