// Package loose walks JSON whose shape changes without notice: a missing or odd field is an empty value, never a panic,
// so that one changed field does not lose a whole answer. What a missing field means is for the caller to say.
package loose

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Value is a node of a document; the zero Value is a missing one.
type Value struct{ v any }

// Parse reads one document. The error of junk names the byte offset.
func Parse(raw []byte) (Value, error) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return Value{}, located(err, len(raw))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Value{}, fmt.Errorf("JSON goes on after its end at offset %d", d.InputOffset())
	}
	return Value{v}, nil
}

// located counts from 0; the decoder counts what it has read.
func located(err error, size int) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON at offset %d: %w", max(syntax.Offset-1, 0), err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("JSON ends too early at offset %d", size)
	}
	return fmt.Errorf("no JSON: %w", err)
}

// Get walks down object keys.
func (v Value) Get(path ...string) Value {
	for _, key := range path {
		m, _ := v.v.(map[string]any)
		v = Value{m[key]}
	}
	return v
}

// Or is v, or the first of the others that is present.
func (v Value) Or(others ...Value) Value {
	for _, o := range others {
		if v.Present() {
			return v
		}
		v = o
	}
	return v
}

// Present reports whether there is anything but null.
func (v Value) Present() bool { return v.v != nil }

// Object reports whether the value is an object.
func (v Value) Object() bool { _, ok := v.v.(map[string]any); return ok }

// Array reports whether the value is a list.
func (v Value) Array() bool { _, ok := v.v.([]any); return ok }

// Size is the number of fields or items.
func (v Value) Size() int {
	switch x := v.v.(type) {
	case map[string]any:
		return len(x)
	case []any:
		return len(x)
	}
	return 0
}

// List is the items of a list; anything else has none.
func (v Value) List() []Value {
	items, _ := v.v.([]any)
	out := make([]Value, len(items))
	for i, it := range items {
		out[i] = Value{it}
	}
	return out
}

// Text is a string, or a number as it was written: ids come as either.
func (v Value) Text() string {
	switch x := v.v.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	}
	return ""
}

// Int is a whole number, also one written as a string or with a fraction; 0 where there is none or it is absurd.
func (v Value) Int() int {
	s := strings.TrimSpace(v.Text())
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return int(n)
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && f > -1e15 && f < 1e15 {
		return int(f)
	}
	return 0
}

// Natural is Int where less than nothing makes no sense.
func (v Value) Natural() int { return max(v.Int(), 0) }
