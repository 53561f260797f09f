package store

import (
	"context"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

func (s *documents) AddPosts(ctx context.Context, posts []footy.Post, rows ...footy.Entry) error {
	const op = "add posts"
	docs := make([]Doc, 0, len(posts))
	seen := map[string]bool{}
	for _, p := range posts {
		if p.EventUID == "" || p.PostID == "" {
			return footy.Errorf(footy.CodeInvalid, op, "a record of fixture %d lacks its event (%q) or post (%q)", p.FixtureID, p.EventUID, p.PostID)
		}
		if !slices.Contains(footy.PostStates, p.State) {
			return footy.Errorf(footy.CodeInvalid, op, "there is no state %q", p.State)
		}
		p.Revision = 1
		d, err := encodePost(p, nil)
		if err != nil {
			return err
		}
		if !seen[d.ID] {
			seen[d.ID] = true
			docs = append(docs, d)
		}
	}
	log, err := encodeRows(rows)
	if err != nil || len(docs)+len(log) == 0 {
		return err
	}
	return footy.Wrap(footy.CodeUnavailable, op, s.InsertNew(ctx, PostsColl, docs, log...))
}

func (s *documents) Post(ctx context.Context, eventUID, post string) (footy.Post, error) {
	id := postID(eventUID, post)
	return one(ctx, s, PostsColl, id, "find post "+id, decodePost)
}

func (s *documents) Advance(ctx context.Context, eventUID, post string, move func(footy.Post) (footy.Post, []footy.Entry, error)) (footy.Post, error) {
	id := postID(eventUID, post)
	return update(ctx, s, aggregate[footy.Post]{
		in: PostsColl, id: id, what: "post " + id, decode: decodePost,
		encode: func(read, p footy.Post, body []byte) (footy.Post, Doc, error) {
			if !slices.Contains(footy.PostStates, p.State) {
				return p, Doc{}, footy.Errorf(footy.CodeInvalid, "advance post "+id, "there is no state %q", p.State)
			}
			p.EventUID, p.PostID, p.FixtureID, p.Revision = read.EventUID, read.PostID, read.FixtureID, read.Revision+1
			d, err := encodePost(p, body)
			return p, d, err
		},
	}, func(p *footy.Post) (rows []footy.Entry, err error) {
		*p, rows, err = move(*p)
		return rows, err
	})
}

func (s *documents) Posts(ctx context.Context, q PostQuery) ([]footy.Post, error) {
	f := Filter{}
	if q.FixtureID != 0 {
		f.Group = decimal(q.FixtureID)
	}
	if q.EventUID != "" {
		f.Subs = []string{q.EventUID}
	}
	ended := func(s footy.PostState) bool { return (&footy.Post{State: s}).Ended() }
	if q.Open || !q.Due.IsZero() || len(q.States) > 0 && !slices.ContainsFunc(q.States, ended) {
		f.From = epoch
	}
	if !q.After.IsZero() {
		f.From = instant(q.After)
	}
	if !q.All && f.Group == "" && f.Subs == nil && f.From.IsZero() {
		return nil, footy.Errorf(footy.CodeInvalid, "list posts", "the query names no fixture, event or open state; All asks for every record")
	}
	if !q.Due.IsZero() {
		f.To = instant(q.Due).Add(time.Millisecond)
	}
	if len(q.States) == 0 && q.After.IsZero() {
		f.Limit = q.Limit // else the limit counts only records of the states asked for
	}
	list, _, err := all(ctx, s, PostsColl, f, "list posts", decodePost)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(p footy.Post) bool {
		return len(q.States) > 0 && !slices.Contains(q.States, p.State) || !q.Due.IsZero() && p.NextTry.After(q.Due) ||
			!q.After.IsZero() && !p.NextTry.After(q.After)
	})
	if q.Limit > 0 && len(list) > q.Limit {
		list = list[:q.Limit]
	}
	return list, nil
}
