package mongo

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
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
			case int64, int32, float64: // a fixture inserted by hand in the shell has one of the last two
				d.ID = strconv.FormatInt(integer(id), 10)
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

// fromJSON turns a JSON object into the BSON document of the same fields. Whole numbers become 64-bit integers and others doubles, so
// that no digit is lost; a whole number that fits neither is refused. The driver's extended JSON would round it, and take a field named
// "$date" for an instruction (docs/adr/0016).
func fromJSON(body []byte) (bson.D, error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var object map[string]any
	if err := dec.Decode(&object); err != nil || object == nil {
		return nil, fmt.Errorf("a document is a JSON object: %w", cmp.Or(err, errors.New("not null")))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text follows the JSON object")
	}
	v, err := toBSON(object)
	if err != nil {
		return nil, err
	}
	return v.(bson.D), nil // what an object becomes
}

func toBSON(v any) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		doc := bson.D{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			e, err := toBSON(v[name])
			if err != nil {
				return nil, err
			}
			doc = append(doc, bson.E{Key: escape(name), Value: e})
		}
		return doc, nil
	case []any:
		list := bson.A{}
		for _, each := range v {
			e, err := toBSON(each)
			if err != nil {
				return nil, err
			}
			list = append(list, e)
		}
		return list, nil
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
		if !strings.ContainsAny(v.String(), ".eE") {
			return nil, fmt.Errorf("number %s does not fit into 64 bits", v)
		}
		return v.Float64()
	}
	return v, nil // string, bool, nil
}

// toJSON is the way back.
func toJSON(doc bson.D) ([]byte, error) {
	v, err := fromBSON(doc)
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

func fromBSON(v any) (any, error) {
	switch v := v.(type) {
	case bson.D:
		object := make(map[string]any, len(v))
		for _, e := range v {
			value, err := fromBSON(e.Value)
			if err != nil {
				return nil, err
			}
			object[unescape(e.Key)] = value
		}
		return object, nil
	case bson.A:
		list := make([]any, len(v))
		for i, e := range v {
			var err error
			if list[i], err = fromBSON(e); err != nil {
				return nil, err
			}
		}
		return list, nil
	case bson.DateTime: // a date somebody stored by hand
		return v.Time().UTC().Format(time.RFC3339Nano), nil
	case nil, bool, string, int32, int64, float64:
		return v, nil
	}
	return nil, fmt.Errorf("a value of type %T is none of ours", v)
}

// Field names are data where a map is stored, and the server has its own use for dots, dollars and empty names.
var (
	escaper   = strings.NewReplacer("%", "%25", ".", "%2E", "$", "%24", "\x00", "%00")
	unescaper = strings.NewReplacer("%25", "%", "%2E", ".", "%24", "$", "%00", "\x00")
)

const emptyName = "%empty"

func escape(name string) string {
	if name == "" {
		return emptyName
	}
	return escaper.Replace(name)
}

func unescape(name string) string {
	if name == emptyName {
		return ""
	}
	return unescaper.Replace(name)
}
