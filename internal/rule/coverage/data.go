package coverage

import (
	"encoding/json"
	"fmt"
)

// Usable reports whether a search in this state looked: results and an explicit "nothing" count, everything else
// (rate limits, logins, time-outs) could not look. A state nobody wrote down counts as looked.
func Usable(state string) bool { return state == "" || state == "results" || state == "empty" }

// Text reads a string from a row's evidence; rows come back from a database, so each type of JSON occurs.
func Text(data map[string]any, keys ...string) string {
	for _, k := range keys {
		switch v := data[k].(type) {
		case nil:
		case string:
			if v != "" {
				return v
			}
		case float64, int, int64, bool, json.Number:
			return fmt.Sprint(v)
		case fmt.Stringer:
			return v.String()
		default:
			if s := fmt.Sprintf("%v", v); s != "" && s[0] != '[' && s[0] != 'm' && s[0] != '{' {
				return s // named string types of this process
			}
		}
	}
	return ""
}

// Number reads a number from a row's evidence.
func Number(data map[string]any, keys ...string) (float64, bool) {
	for _, k := range keys {
		switch v := data[k].(type) {
		case float64:
			return v, true
		case int:
			return float64(v), true
		case int64:
			return float64(v), true
		case json.Number:
			if f, err := v.Float64(); err == nil {
				return f, true
			}
		case []any:
			return float64(len(v)), true
		}
	}
	return 0, false
}
