package ledger

import (
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// logRow makes the log row of a move; false where it has none. A repeated move makes the row with the same key. A trouble
// has a row when it begins; that it goes on stands in the ledger.
func logRow(kind footy.EntryKind, before, p footy.Post, m Move, now time.Time) (footy.Entry, bool) {
	switch {
	case kind == "":
		return footy.Entry{}, false
	case kind == footy.EntryCandidate:
		return candidateRow(p, "", footy.ReasonNone, now), true
	case kind == footy.EntryVerdict:
		r := row(p, kind, string(p.Verdict.Outcome), p.Verdict.Reason, now)
		judgedOn(&r, p)
		return r, true
	case p.State == footy.PostRefused:
		r := RefusedRow(p)
		if m.still != "" {
			r.Data.PosterKey = m.still
		}
		if m.kind == GivenUp {
			r.Data.WaitedFor = before.Reason
		}
		return r, true
	case p.Reason == before.Reason:
		return footy.Entry{}, false
	}
	r := row(p, kind, fmt.Sprintf("%s/%d", p.Reason, p.WaitingSince.UnixMilli()), p.Reason, now)
	r.Data.Detail = p.Detail
	if p.Media != nil {
		r.Data.PosterKey = p.Media.StillKey
	}
	return r, true
}

// RefusedRow is the log row that tells of the end of a refused post.
func RefusedRow(p footy.Post) footy.Entry {
	id := string(p.Reason)
	if p.Verdict != nil && p.Verdict.Outcome == footy.OutcomeRejected {
		id = string(footy.OutcomeRejected)
	}
	r := row(p, footy.EntryRejected, id, p.Reason, p.ChangedAt)
	r.Data.Detail, r.Data.Old = p.Detail, p.Old
	if p.Verdict != nil {
		judgedOn(&r, p)
	} else if p.Media != nil {
		r.Data.PosterKey = p.Media.StillKey
	}
	return r
}

func judgedOn(r *footy.Entry, p footy.Post) {
	r.Data.Judged(*p.Verdict)
	if p.Media != nil {
		r.ClipID, r.Data.PosterKey = footy.ClipID(p.Media.Digest), p.Media.StillKey
	}
}

// candidateRow tells how a post came into the ledger. id makes its key: a post can be passed over first and chosen later.
func candidateRow(p footy.Post, id string, why footy.Reason, now time.Time) footy.Entry {
	key := fmt.Sprintf("%s/%s/%s", p.EventUID, footy.EntryCandidate, p.PostID)
	if id != "" {
		key += "/" + id
	}
	r := footy.Entry{Key: key, FixtureID: p.FixtureID, EventUID: p.EventUID, At: now, Kind: footy.EntryCandidate, Reason: why,
		PostID: p.PostID, Try: p.Try, Data: footy.PostEvidence(p.Candidate)}
	r.Data.Download = p.Download
	return r
}

func row(p footy.Post, kind footy.EntryKind, id string, why footy.Reason, now time.Time) footy.Entry {
	return footy.Entry{Key: fmt.Sprintf("%s/%s/%s/%s", p.EventUID, kind, p.PostID, id), FixtureID: p.FixtureID, EventUID: p.EventUID,
		At: now, Kind: kind, Reason: why, PostID: p.PostID, Data: footy.Evidence{URL: p.Candidate.URL, Download: p.Download}}
}
