// Package loose walks JSON whose shape changes without notice: a missing or odd field is an empty value, never a panic,
// so that one changed field does not lose a whole answer. Numbers arrive as text, an empty PHP array as [] where an object belongs. What a
// missing field means is for the caller to say.
package loose

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Value is a node of a document; the zero Value is a missing one.
type Value struct{ gjson.Result }

// Parse reads one document. gjson takes valid JSON for granted, so encoding/json checks it first; the error of junk names
// the byte offset, counted from 0.
func Parse(raw []byte) (Value, error) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if err := json.Unmarshal(raw, new(json.RawMessage)); err != nil {
		offset := 0
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			offset = max(int(syntax.Offset)-1, 0)
		}
		return Value{}, fmt.Errorf("no JSON at offset %d: %w", offset, err)
	}
	return Value{gjson.ParseBytes(raw)}, nil
}

// Get walks down object keys.
func (v Value) Get(path ...string) Value { return Value{v.Result.Get(strings.Join(path, "."))} }

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
func (v Value) Present() bool { return v.Type != gjson.Null }

// Empty reports whether there is neither a field nor an item.
func (v Value) Empty() bool {
	empty := true
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(_, _ gjson.Result) bool { empty = false; return false })
	}
	return empty
}

// List is the items of a list; anything else has none.
func (v Value) List() []Value {
	var out []Value
	if v.IsArray() {
		v.ForEach(func(_, item gjson.Result) bool { out = append(out, Value{item}); return true })
	}
	return out
}

// Text is a string, or a number as it was written: ids come as either, and must keep their digits. Spaces around it are left out.
func (v Value) Text() string {
	switch v.Type {
	case gjson.String:
		return strings.TrimSpace(strings.ToValidUTF8(v.Str, "\uFFFD"))
	case gjson.Number:
		return v.Raw
	}
	return ""
}

// Number is a whole number, also one written as a string or with a fraction; false where there is none or it is absurd.
func (v Value) Number() (n int64, known bool) {
	s := v.Text()
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f > -1e15 && f < 1e15) {
		return 0, false
	}
	return int64(f), true
}

// Int is Number; 0 where there is none.
func (v Value) Int() int { n, _ := v.Number(); return int(n) }

// Natural is Int where less than nothing makes no sense.
func (v Value) Natural() int { return max(v.Int(), 0) }

// ID is a positive number; 0 where there is none.
func (v Value) ID() int64 { n, _ := v.Number(); return max(n, 0) }

// Count is a small number that may be unknown; nil where it is, or absurd.
func (v Value) Count() *int {
	n, known := v.Number()
	if !known || n < 0 || n > 1000 {
		return nil
	}
	i := int(n)
	return &i
}
