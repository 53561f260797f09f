package store

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// encodeOver encodes a value over the body that it was read from: fields that T does not have stay, at
// every depth. A program must not delete what a newer one, or a person, wrote beside its own fields.
func encodeOver[T any](id string, value T, read []byte) (Doc, error) {
	body, err := json.Marshal(value)
	if err == nil && read != nil && hasUnknown[T](read) {
		body, err = keepUnknown[T](read, body)
	}
	if err != nil {
		return Doc{}, footy.Errorf(footy.CodeInvalid, "write document", "encode %s: %w", id, err)
	}
	return Doc{ID: id, Body: body}, nil
}

// hasUnknown reports whether a body has fields that T does not know. It is rare, so the slow path is rare.
func hasUnknown[T any](body []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	var v T
	return dec.Decode(&v) != nil
}

// keepUnknown returns the JSON now with those fields of read that T does not know: they are missing where T is decoded and encoded again.
func keepUnknown[T any](read, now []byte) ([]byte, error) {
	var v T
	if err := json.Unmarshal(read, &v); err != nil {
		return nil, err
	}
	known, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var trees [3]any
	for i, body := range [][]byte{read, known, now} {
		dec := json.NewDecoder(bytes.NewReader(body))
		dec.UseNumber() // no digit is lost
		if err := dec.Decode(&trees[i]); err != nil {
			return nil, err
		}
	}
	return json.Marshal(merge(trees[0], trees[1], trees[2]))
}

// merge adds to now what read has and known lacks.
func merge(read, known, now any) any {
	switch now := now.(type) {
	case map[string]any:
		read, _ := read.(map[string]any)
		known, _ := known.(map[string]any)
		for name, was := range read {
			is, set := now[name]
			_, ours := known[name]
			switch {
			case set:
				now[name] = merge(was, known[name], is)
			case !ours:
				now[name] = was
			}
		}
	case []any:
		read, _ := read.([]any)
		known, _ := known.([]any)
		for i, is := range now {
			at := slices.IndexFunc(known, func(was any) bool { return sameElement(was, is) })
			if at >= 0 && at < len(read) { // one that is gone takes its unknown fields with it
				now[i] = merge(read[at], known[at], is)
			}
		}
	}
	return now
}

// sameElement reports whether two elements of a list are the same one: by their identity, or where they have none by all that is known.
func sameElement(was, is any) bool {
	a, _ := was.(map[string]any)
	b, _ := is.(map[string]any)
	for _, identity := range []string{"_uid", "id", "key"} {
		if a[identity] != nil && b[identity] != nil {
			return a[identity] == b[identity]
		}
	}
	return reflect.DeepEqual(was, is)
}
