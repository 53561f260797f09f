package audit

import (
	"maps"
	"slices"

	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/decide/clip/rank"
	"github.com/found-footy/found-footy/internal/footy"
)

// clips checks the clips of one event against objects, fingerprints, ledger and rules.
func (l *look) clips(e *footy.Event) {
	if e.Swept { // about to be struck from the record
		return
	}
	for _, c := range e.Clips {
		at := Breach{EventUID: e.UID, ClipID: c.ID}
		if !c.Swept {
			l.bytes(c, at)
			l.kept(e, c, at)
		}
		for _, id := range c.Posts {
			at.PostID = id
			switch p := l.posts[e.UID][id]; {
			case p == nil:
				l.tell(ClipPost, at, "the ledger has no record of it")
			case p.State == footy.PostRefused || p.State == footy.PostPassed:
				l.tell(ClipPost, at, "%s by the ledger: %s", p.State, p.Reason)
			}
		}
	}
	if decidable(e, l.prints[e.UID]) {
		l.redirects(e)
	}
	l.ranks(e)
}

func (l *look) bytes(c footy.Clip, at Breach) {
	missing := func(check Check, key string) {
		at.Key = key
		l.tell(check, at, "%s is not there", key)
	}
	switch o, there := l.objects[c.Key]; {
	case !there:
		missing(ClipBytes, c.Key)
	case c.Size > 0 && o.Size != c.Size:
		at.Key = c.Key
		l.tell(ClipBytes, at, "%s has %d bytes instead of %d", c.Key, o.Size, c.Size)
	}
	if _, there := l.objects[c.PosterKey]; c.PosterKey != "" && !there {
		missing(ClipPoster, c.PosterKey)
	}
	if _, there := l.prints[at.EventUID][c.ID]; !there {
		at.Key = ""
		l.tell(ClipFingerprint, at, "no fingerprint is stored")
	}
}

// kept finds what Monitor's sweep should have deleted: the clips of a removed goal, and retired copies of a complete one.
func (l *look) kept(e *footy.Event, c footy.Clip, at Breach) {
	switch {
	case e.Removed && l.age(e.RemovedAt) > l.Removed:
		l.tell(ClipKept, at, "the goal was removed %s ago", span(l.age(e.RemovedAt)))
	case !e.Removed && e.DownloadComplete && c.ReplacedBy != "" && l.age(l.lastWrite(e)) > l.Grace:
		l.tell(ClipKept, at, "replaced by %s, and the goal is complete for %s", c.ReplacedBy, span(l.age(e.CompletedAt)))
	}
}

// redirects compares who stands for whom with what the rule computes.
func (l *look) redirects(e *footy.Event) {
	should := recompute(*e, l.prints[e.UID])
	for _, c := range e.Clips {
		s := should.Clip(c.ID)
		switch {
		case s.ReplacedBy != c.ReplacedBy:
			l.tell(ClipRedirect, Breach{EventUID: e.UID, ClipID: c.ID}, "replaced by %s, should be by %s", orNone(c.ReplacedBy), orNone(s.ReplacedBy))
		case s.Popularity != c.Popularity:
			l.tell(ClipRedirect, Breach{EventUID: e.UID, ClipID: c.ID}, "popularity %d, should be %d", c.Popularity, s.Popularity)
		}
	}
	if !maps.Equal(e.Redirects, should.Redirects) {
		l.tell(ClipRedirect, Breach{EventUID: e.UID}, "links lead to %v, should lead to %v", e.Redirects, should.Redirects)
	}
}

// decidable reports whether the rules can say anything: fingerprints of an older version, or lost ones, have no say.
func decidable(e *footy.Event, prints map[string]footy.Fingerprint) bool {
	return !slices.ContainsFunc(e.Clips, func(c footy.Clip) bool {
		_, there := prints[c.ID]
		return !there || c.HashVersion != footy.FingerprintVersion
	})
}

// recompute is the event as the rule would have it.
func recompute(e footy.Event, prints map[string]footy.Fingerprint) footy.Event {
	e.Clips, e.Redirects = slices.Clone(e.Clips), maps.Clone(e.Redirects)
	dedup.Apply(&e, prints)
	return e
}

// ranks compares order and numbers with what the rule computes.
func (l *look) ranks(e *footy.Event) {
	should := *e
	should.Clips = slices.Clone(e.Clips)
	rank.Apply(&should)
	for i, c := range e.Clips {
		if s := should.Clips[i]; s.ID != c.ID || s.Rank != c.Rank {
			l.tell(ClipRank, Breach{EventUID: e.UID}, "clip %s has rank %d, should be %s with %d", c.ID, c.Rank, s.ID, s.Rank)
			return
		}
	}
}

func orNone(id string) string {
	if id == "" {
		return "none"
	}
	return id
}

// ids finds what was given twice.
func (l *look) ids() {
	uids, names := map[string]bool{}, map[string]string{}
	for i := range l.Fixture.Events {
		e := &l.Fixture.Events[i]
		if uids[e.UID] {
			l.tell(DoubleID, Breach{EventUID: e.UID, Key: e.UID}, "two events have it")
		}
		uids[e.UID] = true
		for _, id := range append([]string{e.ID}, e.MatchedFrom...) {
			if owner, given := names[id]; given {
				l.tell(DoubleID, Breach{EventUID: e.UID, Key: id}, "event %s has it, too", owner)
			}
			names[id] = e.UID
		}
		l.clipIDs(e)
	}
}

func (l *look) clipIDs(e *footy.Event) {
	ids, posts := map[string]bool{}, map[string]string{}
	for _, c := range e.Clips {
		if ids[c.ID] {
			l.tell(DoubleID, Breach{EventUID: e.UID, ClipID: c.ID, Key: c.ID}, "two clips have it")
		}
		ids[c.ID] = true
		for _, p := range c.Posts {
			if other, given := posts[p]; given {
				l.tell(DoubleID, Breach{EventUID: e.UID, ClipID: c.ID, PostID: p, Key: p}, "the post is counted by clip %s, too", other)
			}
			posts[p] = c.ID
		}
	}
}
