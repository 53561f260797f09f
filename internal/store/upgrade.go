package store

import (
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// fixtureV1 is what schema 1 said of a fixture and schema 2 says elsewhere.
type fixtureV1 struct {
	MovingTo footy.Stage `json:"_moving_to"` // set while it went from one collection to another
	Events   []struct {
		UID      string      `json:"_uid"`
		Attempts []attemptV1 `json:"_attempts"`
	} `json:"events"`
}

// attemptV1 is one batch of an event: candidates of a search, or media whose verdict was missing.
type attemptV1 struct {
	Download   string            `json:"download"`
	Round      int               `json:"round"`
	Try        int               `json:"try"`
	At         time.Time         `json:"at"`
	Candidates []footy.Candidate `json:"candidates"`
	Media      []mediaV1         `json:"media"`
	Owed       bool              `json:"owed"` // settled without verdicts, to be judged once a model answers
}

// mediaV1 is a downloaded file with the further posts of the same batch that had the very same bytes.
type mediaV1 struct {
	footy.Media
	SamePosts []footy.Candidate `json:"same_posts"`
}

// FixtureFromV1 makes the documents of schema 2 from the copies of one fixture that the collections of schema 1 hold: its
// own and the ledger records of its open batches. Of several copies, rests of a move, the highest revision counts; a
// move that was begun is made.
func FixtureFromV1(copies []Doc, now time.Time) (Doc, []Doc, error) {
	var best footy.Fixture
	var body []byte
	for _, d := range copies {
		f, err := decodeFixture(d)
		if err != nil {
			return Doc{}, nil, err
		}
		later := slices.Index(footy.Stages, f.Stage) < slices.Index(footy.Stages, best.Stage)
		if body == nil || f.Revision > best.Revision || f.Revision == best.Revision && later {
			best, body = f, d.Body
		}
	}
	old, err := decode[fixtureV1]("migrate fixture", Doc{ID: decimal(best.ID), Body: body})
	if err != nil {
		return Doc{}, nil, err
	}
	if old.MovingTo != "" {
		best.Stage = old.MovingTo
		if best.Stage == footy.StageCompleted && best.CompletedAt.IsZero() {
			best.CompletedAt = best.UpdatedAt
		}
	}
	var posts []Doc
	for i, e := range old.Events {
		ev := &best.Events[i] // the same list, read twice
		for _, p := range postsFromV1(best.ID, ev, e.Attempts, now) {
			d, err := encodePost(p, nil)
			if err != nil {
				return Doc{}, nil, err
			}
			posts = append(posts, d)
		}
	}
	if err := validStage(best); err != nil {
		return Doc{}, nil, err
	}
	d, err := encodeFixture(best, body)
	return d, posts, err
}

// postsFromV1 writes down each open batch's posts and notes in the event those batches that are not settled.
func postsFromV1(fixtureID int64, e *footy.Event, attempts []attemptV1, now time.Time) []footy.Post {
	var posts []footy.Post
	add := func(a attemptV1, c footy.Candidate, m *footy.Media) {
		p := footy.Post{
			EventUID: e.UID, PostID: c.PostID, FixtureID: fixtureID, Revision: 1, State: footy.PostOffered,
			Candidate: c, Round: a.Round, Try: a.Try, Batch: a.Download, FirstSeen: a.At, ChangedAt: now, NextTry: now,
		}
		if p.FirstSeen.IsZero() {
			p.FirstSeen = now
		}
		if m != nil {
			own := *m
			own.Candidate = c
			p.Media, p.State = &own, footy.PostFetched
		}
		if a.Owed {
			p.State, p.Reason, p.WaitingSince = footy.PostWaiting, footy.ReasonNoModel, p.FirstSeen
		}
		at := slices.IndexFunc(posts, func(o footy.Post) bool { return o.PostID == p.PostID })
		switch {
		case p.PostID == "":
		case at < 0:
			posts = append(posts, p)
		case posts[at].Media == nil && m != nil: // the further one counts
			posts[at] = p
		}
	}
	for _, a := range attempts {
		if !a.Owed && slices.Contains(e.SettledBatches, a.Download) {
			continue
		}
		if !a.Owed {
			e.Batches = append(e.Batches, footy.Batch{Key: a.Download, Round: a.Round, Try: a.Try, At: a.At})
		}
		for _, c := range a.Candidates {
			add(a, c, nil)
		}
		for _, m := range a.Media {
			for _, c := range append([]footy.Candidate{m.Candidate}, m.SamePosts...) {
				add(a, c, &m.Media)
			}
		}
	}
	return posts
}

// TombstoneFromV1 makes the document of schema 2, whose key names content and event, from one of schema 1, which a second
// takedown of the same content overwrote.
func TombstoneFromV1(d Doc) (Doc, error) {
	t, err := decode[footy.Tombstone]("migrate tombstone", d)
	if err != nil {
		return Doc{}, err
	}
	if t.Digest == "" { // it was the document's id
		t.Digest, _, _ = strings.Cut(d.ID, "/")
	}
	return encodeTombstone(t)
}

// CheckSchema refuses a database that a newer program wrote; where names it.
func CheckSchema(where string, version int) error {
	if version <= SchemaVersion {
		return nil
	}
	return footy.Errorf(footy.CodeInvalid, "open database", "%s was written by a newer version (schema %d, this one knows %d): upgrade footy", where, version, SchemaVersion)
}
