package store

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// encodeOver encodes a value over the body that it was read from: fields that T does not have stay, at
// every depth. A program must not delete what a newer one, or a person, wrote beside its own fields.
func encodeOver[T any](id string, value T, read []byte) (Doc, error) {
	body, err := json.Marshal(value)
	if err == nil && read != nil && hasUnknown[T](read) {
		body, err = overlay(read, body, reflect.TypeFor[T]())
	}
	if err != nil {
		return Doc{}, footy.Errorf(footy.CodeInvalid, "write document", "encode %s: %w", id, err)
	}
	return Doc{ID: id, Body: body}, nil
}

// hasUnknown reports whether a body has fields that T does not know; seldom, so that the long way is seldom gone.
func hasUnknown[T any](body []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	var v T
	return dec.Decode(&v) != nil
}

// identities are the fields by which an element of a list is known again, the first one that its type has.
var identities = []string{"_uid", "id", "key"}

var marshaler = reflect.TypeFor[json.Marshaler]()

// overlay returns the JSON now with those fields of read that the type does not know.
func overlay(read, now json.RawMessage, t reflect.Type) (json.RawMessage, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler) || isNull(read) || isNull(now) {
		return now, nil
	}
	switch {
	case t.Kind() == reflect.Struct:
		return overlayObject(read, now, knownFields(t), nil)
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		return overlayObject(read, now, nil, t.Elem())
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		return overlayList(read, now, t.Elem())
	}
	return now, nil
}

func isNull(v json.RawMessage) bool {
	return len(v) == 0 || bytes.Equal(bytes.TrimSpace(v), []byte("null"))
}

// overlayObject does so for an object of known fields, or for a map, whose names are all known.
func overlayObject(read, now json.RawMessage, known map[string]reflect.Type, values reflect.Type) (json.RawMessage, error) {
	var before, after map[string]json.RawMessage
	if err := json.Unmarshal(read, &before); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(now, &after); err != nil {
		return nil, err
	}
	for name, was := range before {
		t, ours := known[name]
		if known == nil {
			t, ours = values, true
		}
		is, set := after[name]
		switch {
		case !ours:
			after[name] = was
		case set:
			var err error
			if after[name], err = overlay(was, is, t); err != nil {
				return nil, err
			}
		}
	}
	return json.Marshal(after)
}

// overlayList matches the elements of two lists; one that is gone takes its unknown fields with it.
func overlayList(read, now json.RawMessage, t reflect.Type) (json.RawMessage, error) {
	var before, after []json.RawMessage
	if err := json.Unmarshal(read, &before); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(now, &after); err != nil {
		return nil, err
	}
	was := map[string]json.RawMessage{}
	for _, b := range before {
		id, err := identityOf(b, t)
		if err != nil {
			return nil, err
		}
		if _, twice := was[id]; !twice {
			was[id] = b
		}
	}
	for i, a := range after {
		id, err := identityOf(a, t)
		if err != nil {
			return nil, err
		}
		if b, ok := was[id]; ok {
			if after[i], err = overlay(b, a, t); err != nil {
				return nil, err
			}
		}
	}
	return json.Marshal(after)
}

// identityOf is what an element is known by: its identity, or where its type has none all that the type knows of it.
func identityOf(v json.RawMessage, t reflect.Type) (string, error) {
	known := knownFields(t)
	for _, name := range identities {
		if _, ok := known[name]; !ok {
			continue
		}
		var fields map[string]json.RawMessage
		err := json.Unmarshal(v, &fields)
		return string(fields[name]), err
	}
	element := reflect.New(t)
	if err := json.Unmarshal(v, element.Interface()); err != nil {
		return "", err
	}
	text, err := json.Marshal(element.Interface())
	return string(text), err
}

// knownFields are the JSON names of a struct's fields with their types.
func knownFields(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			maps.Copy(out, knownFields(f.Type))
		case name == "":
			out[f.Name] = f.Type
		case name != "-":
			out[name] = f.Type
		}
	}
	return out
}
