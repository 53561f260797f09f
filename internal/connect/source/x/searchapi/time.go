package searchapi

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Moment is a time that clients write as RFC 3339 or as Unix time, in seconds or milliseconds.
type Moment struct{ time.Time }

// latestSeconds is a number that means milliseconds beyond: as seconds it would be the year 5138.
const latestSeconds = 1e11

// UnmarshalJSON reads any of the spellings; "" and null are no time.
func (m *Moment) UnmarshalJSON(raw []byte) error {
	text := strings.Trim(string(raw), `"`)
	if text == "" || text == "null" {
		return nil
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		if n < latestSeconds {
			n *= 1000
		}
		if !(n >= 0) || n > latestSeconds*1000 {
			return fmt.Errorf("%s is no moment", text)
		}
		m.Time = time.UnixMilli(int64(n)).UTC()
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return fmt.Errorf("%q is neither RFC 3339 nor Unix time", text)
	}
	m.Time = at
	return nil
}
