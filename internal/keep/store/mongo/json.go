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
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

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
