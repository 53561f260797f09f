package store

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// encodeOver encodes a value over the body that it was read from: fields that T does not have stay where they were, at
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
	before, err := fieldsOf(read)
	if err != nil {
		return nil, err
	}
	after, err := fieldsOf(now)
	if err != nil {
		return nil, err
	}
	for i, f := range after {
		t := values
		if known != nil {
			t = known[f.name]
		}
		if at := indexOf(before, f.name); at >= 0 {
			if after[i].value, err = overlay(before[at].value, f.value, t); err != nil {
				return nil, err
			}
		}
	}
	for _, f := range before {
		if _, ok := known[f.name]; known != nil && !ok {
			after = append(after, f)
		}
	}
	return objectOf(after)
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
		fields, err := fieldsOf(v)
		if err != nil {
			return "", err
		}
		if at := indexOf(fields, name); at >= 0 {
			return string(fields[at].value), nil
		}
		return "", nil
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
			for n, inner := range knownFields(f.Type) {
				out[n] = inner
			}
		case name == "":
			out[f.Name] = f.Type
		case name != "-":
			out[name] = f.Type
		}
	}
	return out
}

// jsonField is one field of an object, in its place.
type jsonField struct {
	name  string
	value json.RawMessage
}

func indexOf(list []jsonField, name string) int {
	return slices.IndexFunc(list, func(f jsonField) bool { return f.name == name })
}

func fieldsOf(object json.RawMessage) ([]jsonField, error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	var out []jsonField
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		f := jsonField{}
		f.name, _ = name.(string)
		if err := dec.Decode(&f.value); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

func objectOf(fields []jsonField) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
