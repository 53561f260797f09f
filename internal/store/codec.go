package store

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// decimal is a numeric id as document id.
func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// encode makes the document of any value; callers add what it must be found by.
func encode(op, id string, value any) (Doc, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return Doc{}, footy.Errorf(footy.CodeInvalid, op, "encode %s: %w", id, err)
	}
	return Doc{ID: id, Body: body}, nil
}

// decode reads a document's body. A body that cannot be read is damage, never "not found".
func decode[T any](op string, d Doc) (T, error) {
	var v T
	if err := json.Unmarshal(d.Body, &v); err != nil {
		return v, footy.Errorf(footy.CodeInvalid, op, "decode %s: %w", d.ID, err)
	}
	return v, nil
}

// decodeAll reads the answer of a Select.
func decodeAll[T any](op string, docs []Doc, err error) ([]T, error) {
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	out := make([]T, 0, len(docs))
	for _, d := range docs {
		v, err := decode[T](op, d)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// instant is a time at the precision that every database keeps.
func instant(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}

// encodeFixture makes a fixture's document with everything it can be looked up by.
func encodeFixture(f footy.Fixture) (Doc, error) {
	if f.Events == nil {
		f.Events = []footy.Event{} // readers of the raw document expect a list
	}
	d, err := encode("write fixture", decimal(f.ID), f)
	if err != nil {
		return Doc{}, err
	}
	d.Revision, d.At = f.Revision, instant(f.Match.Kickoff)
	text := []string{f.Teams.Home.Name, f.Teams.Away.Name, f.League.Name}
	for _, e := range f.Events {
		d.Keys = append(append(d.Keys, e.UID, e.ID), e.MatchedFrom...)
		if e.Live() {
			text = append(text, e.Player.Name)
		}
	}
	d.Keys = distinct(d.Keys)
	var all []string
	for _, t := range text {
		all = append(all, words(t)...)
	}
	for i, w := range distinct(all) {
		if i > 0 {
			d.Text += " "
		}
		d.Text += w
	}
	return d, nil
}

// decodeFixture reads a fixture. Id and revision of the row win over the body's: they are what the database compares.
func decodeFixture(d Doc) (footy.Fixture, error) {
	f, err := decode[footy.Fixture]("read fixture", d)
	if err != nil {
		return footy.Fixture{}, err
	}
	f.Revision = d.Revision
	return f, nil
}

// distinct sorts and drops repetitions and empty strings.
func distinct(list []string) []string {
	list = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
	slices.Sort(list)
	return slices.Compact(list)
}
