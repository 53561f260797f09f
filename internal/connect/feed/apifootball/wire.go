package apifootball

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// The vendor's JSON tolerates no schema: every field may be null, absent or of the wrong shape. An empty PHP array arrives as []
// where an object belongs, numbers arrive as text. What must be there is checked afterwards, in one place.

// list is an array, or what an array becomes whose keys have gaps: an object with numbers for keys. An empty object says
// nothing.
func list(r gjson.Result) (items []gjson.Result, known bool) {
	if r.IsArray() {
		return r.Array(), true
	}
	known = r.IsObject()
	r.ForEach(func(k, v gjson.Result) bool {
		_, err := strconv.Atoi(k.String())
		known = known && err == nil
		items = append(items, v)
		return known
	})
	return items, known && len(items) > 0
}

// text is a string, or a number as it is written; "" for everything else.
func text(r gjson.Result) string {
	if r.Type == gjson.String || r.Type == gjson.Number {
		return strings.TrimSpace(r.String())
	}
	return ""
}

// number is an integer that may be written as text or as a float.
func number(r gjson.Result) (n int64, known bool) {
	if r.Type != gjson.String && r.Type != gjson.Number {
		return 0, false
	}
	s := strings.TrimPrefix(strings.TrimSpace(r.String()), "+")
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && f == float64(int64(f)) {
		return int64(f), true
	}
	return 0, false
}

// id is a positive number, 0 where there is none.
func id(r gjson.Result) int64 {
	n, _ := number(r)
	return max(0, n)
}

// small is a count of minutes or goals; nil where unknown or absurd.
func small(r gjson.Result) *int {
	n, known := number(r)
	if !known || n < 0 || n > 1000 {
		return nil
	}
	i := int(n)
	return &i
}
