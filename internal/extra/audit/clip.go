package audit

import "github.com/found-footy/found-footy/internal/footy"

// clips checks the clips of one event against objects, fingerprints and ledger.
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
