package mongo

import (
	"strconv"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Fields of ours beside those of the body. Times inside the body stay text with all their digits; _at is the date
// that queries compare.
const (
	fieldID       = "_id"
	fieldRevision = "_revision"
	fieldAt       = "_at"
	fieldKeys     = "_keys"
	fieldText     = "_text"
	fieldGroup    = "_group"
	fieldSub      = "_sub"
	fieldOutbox   = "_outbox"  // log rows on their way into event_log: see outbox.go
	fieldPending  = "_pending" // a random mark of the outbox, while there is one: found by, and cleared by
)

// idOf is a document id as the database stores it: fixture ids are numbers, as the founding documents ask for.
func idOf(c store.Collection, id string) (any, error) {
	if !c.Numeric() {
		return id, nil
	}
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "read id", "%s has numeric ids, not %q", c, id)
	}
	return n, nil
}

// encode makes the stored document: the fields of the body, then ours.
func encode(c store.Collection, d store.Doc) (bson.D, error) {
	id, err := idOf(c, d.ID)
	if err != nil {
		return nil, err
	}
	body, err := fromJSON(d.Body)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "encode document "+d.ID, "%w", err)
	}
	doc := bson.D{{Key: fieldID, Value: id}}
	for _, e := range body {
		switch e.Key {
		case fieldID, fieldRevision, fieldAt, fieldKeys, fieldText, fieldGroup, fieldSub, fieldOutbox, fieldPending:
			continue // these say the same for the database
		}
		doc = append(doc, e)
	}
	if d.Revision != 0 {
		doc = append(doc, bson.E{Key: fieldRevision, Value: d.Revision})
	}
	if !d.At.IsZero() {
		doc = append(doc, bson.E{Key: fieldAt, Value: bson.NewDateTimeFromTime(d.At)})
	} else {
		doc = append(doc, bson.E{Key: fieldAt, Value: nil})
	}
	if c.Keyed() {
		keys := bson.A{}
		for _, k := range d.Keys {
			keys = append(keys, k)
		}
		doc = append(doc, bson.E{Key: fieldKeys, Value: keys}, bson.E{Key: fieldText, Value: d.Text})
	}
	if d.Group != "" {
		doc = append(doc, bson.E{Key: fieldGroup, Value: d.Group})
	}
	if d.Sub != "" {
		doc = append(doc, bson.E{Key: fieldSub, Value: d.Sub})
	}
	return doc, nil
}

// decode takes a stored document apart again.
func decode(doc bson.D) (d store.Doc) {
	var err error
	var body bson.D
	for _, e := range doc {
		switch e.Key {
		case fieldID:
			body = append(body, e)
			switch id := e.Value.(type) {
			case string:
				d.ID = id
			case int64:
				d.ID = strconv.FormatInt(id, 10)
			case int32:
				d.ID = strconv.FormatInt(int64(id), 10)
			case float64: // a fixture inserted by hand in the shell
				d.ID = strconv.FormatInt(int64(id), 10)
			}
		case fieldRevision:
			d.Revision = integer(e.Value)
		case fieldAt:
			if at, ok := e.Value.(bson.DateTime); ok {
				d.At = at.Time().UTC()
			}
		case fieldKeys, fieldText, fieldOutbox, fieldPending:
		case fieldGroup:
			d.Group, _ = e.Value.(string)
		case fieldSub:
			d.Sub, _ = e.Value.(string)
		default:
			body = append(body, e)
		}
	}
	if d.Body, err = toJSON(body); err != nil {
		d.Body = nil // damaged to whoever decodes it; those beside it are not
	}
	return d
}

func integer(v any) int64 {
	switch n := v.(type) {
	case int64:
		return n
	case int32:
		return int64(n)
	case float64:
		return int64(n)
	}
	return 0
}

// date is a time as queries compare it.
func date(t time.Time) bson.DateTime { return bson.NewDateTimeFromTime(t) }
