package audit

import (
	"path"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Owners collects who needs which objects.
type Owners struct {
	goals  map[string]bool
	keys   map[string]bool
	staged map[string]bool      // digests whose staged bytes an open post needs
	ended  map[string]time.Time // digests by when the last post that needed them ended
	open   map[string]bool      // events with a post that is fetched just now: its traces have no record yet
}

// Add takes up what one fixture needs.
func (o *Owners) Add(m Match) {
	if o.keys == nil {
		o.goals, o.keys, o.staged, o.ended, o.open = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]time.Time{}, map[string]bool{}
	}
	gone := map[string]bool{}    // events whose objects are to go
	swept := map[string]string{} // "event/digest" of clips that were taken down or retired for good
	for _, e := range m.Fixture.Events {
		o.goals[e.UID], gone[e.UID] = true, e.Removed && e.Swept
		for _, c := range e.Clips {
			if c.Swept && c.Hidden {
				swept[e.UID+"/"+c.Digest] = c.ID
			}
			if !c.Swept && !gone[e.UID] {
				o.keys[c.Key], o.keys[c.PosterKey] = true, true
			}
		}
	}
	still := func(uid, key string) {
		if key != "" && !gone[uid] && swept[uid+"/"+blob.DigestOf(key)] == "" {
			o.keys[key] = true
		}
	}
	for _, p := range m.Posts {
		if p.Media != nil {
			still(p.EventUID, p.Media.StillKey)
			still(p.EventUID, p.Media.FootageKey)
			if c := p.Media.Clock; c != nil {
				still(p.EventUID, c.PictureKey)
			}
		}
		if p.Ended() {
			if p.Media != nil && p.ChangedAt.After(o.ended[p.Media.Digest]) {
				o.ended[p.Media.Digest] = p.ChangedAt
			}
			continue
		}
		o.open[p.EventUID] = o.open[p.EventUID] || p.Media == nil
		if p.Media != nil {
			o.staged[p.Media.Digest] = true
			if !gone[p.EventUID] { // on its way into the event
				o.keys[blob.ClipPrefix+p.EventUID+"/"+p.Media.Digest+footy.VideoKind(p.Media.StageKey)] = true
				o.keys[blob.PosterPrefix+p.EventUID+"/"+p.Media.Digest+".jpg"] = true
			}
		}
	}
	for _, r := range m.Rows {
		if key := r.Data.PosterKey; strings.HasPrefix(key, blob.PosterPrefix) {
			still(r.EventUID, key)
		}
	}
}

// owns reports whether somebody needs the object.
func (o *Owners) owns(key string) bool {
	if digest, staged := stagedOf(key); staged {
		return o.staged[digest]
	}
	return o.keys[key] || blob.IsTrace(key) && o.open[path.Base(path.Dir(key))]
}

// alone is how long nobody has needed the object: since it was put, or since the last post that needed it ended.
func (o *Owners) alone(key string, put, now time.Time) time.Duration {
	if digest, staged := stagedOf(key); staged && o.ended[digest].After(put) {
		put = o.ended[digest]
	}
	return now.Sub(put)
}

// stagedOf is the digest whose staged bytes lie there.
func stagedOf(key string) (digest string, staged bool) {
	rest, staged := strings.CutPrefix(key, blob.StagingPrefix)
	digest, _, _ = strings.Cut(rest, "/")
	return digest, staged
}

// ours reports whether the pipeline put an object of this key.
func ours(key string) bool {
	return strings.HasPrefix(key, blob.ClipPrefix) || strings.HasPrefix(key, blob.PosterPrefix) || strings.HasPrefix(key, blob.StagingPrefix)
}

// CheckObjects finds objects that nobody needs, and bytes of what was taken down.
func CheckObjects(objects Objects, owners *Owners, tombstones []footy.Tombstone, opts Options) []Breach {
	takenDown := map[string]footy.Tombstone{}
	for _, t := range tombstones {
		takenDown[t.Digest] = t
	}
	var out []Breach
	for key, o := range objects {
		if !ours(key) || owners.owns(key) {
			continue
		}
		b := Breach{Check: ObjectOwner, Key: key}
		age, most := owners.alone(key, o.ModTime, opts.Now), opts.Grace
		if _, staged := stagedOf(key); !staged && !owners.goals[strings.Split(key, "/")[1]] {
			most = opts.Unknown
		}
		if t, found := takenDown[blob.DigestOf(key)]; found && !strings.HasPrefix(key, blob.StagingPrefix) {
			b.Check, b.Detail = TakedownBytes, "taken down "+explain.Span(opts.Now.Sub(t.At))+" ago: "+t.Reason
		} else if age <= most {
			continue
		} else {
			b.Detail = "nobody has needed it for " + explain.Span(age)
		}
		b.Remedy = remedies[b.Check]
		out = append(out, b)
	}
	return sorted(out)
}

// CheckTombstones finds clips that have what was taken down.
func CheckTombstones(f footy.Fixture, tombstones []footy.Tombstone) []Breach {
	l := look{Match: Match{Fixture: f}}
	for _, e := range f.Events {
		for _, c := range e.Clips {
			for _, t := range tombstones {
				if t.Digest == c.Digest && (!c.Hidden || !c.Swept) {
					l.tell(TakedownClip, Breach{EventUID: e.UID, ClipID: c.ID}, "taken down %s: %s", t.At.UTC().Format("2006-01-02 15:04 UTC"), t.Reason)
					break
				}
			}
		}
	}
	return l.out
}
