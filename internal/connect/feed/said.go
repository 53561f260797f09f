package feed

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// Object opens what a feed said of one match. What a database cannot hold is replaced: a number of too many digits by its text, a NUL by nothing.
func Object(said []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(said))
	dec.UseNumber()
	var object map[string]any
	if err := dec.Decode(&object); err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "open what the feed said", err)
	}
	if object == nil {
		return nil, footy.Errorf(footy.CodeInvalid, "open what the feed said", "it is no object")
	}
	return storable(object).(map[string]any), nil // what an object becomes
}

func storable(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, each := range v {
			delete(v, name)
			v[strings.ReplaceAll(name, "\x00", "")] = storable(each)
		}
	case []any:
		for i := range v {
			v[i] = storable(v[i])
		}
	case string:
		return strings.ReplaceAll(v, "\x00", "")
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return v
		}
		if _, err := strconv.ParseFloat(v.String(), 64); err != nil || !strings.ContainsAny(v.String(), ".eE") {
			return v.String()
		}
	}
	return v
}

// SetIDs puts the id of each of our events beside the one that the feed listed; "" where there is none.
func SetIDs(events []any, ids []string) {
	for i := range min(len(events), len(ids)) {
		if e, ok := events[i].(map[string]any); ok && ids[i] != "" {
			e["_event_id"] = ids[i]
		}
	}
}
