package apifootball

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// The vendor's JSON as far as we read it. Every field tolerates null, absence and the wrong shape: an empty PHP array
// arrives as [] where an object belongs, numbers arrive as text. What must be there is checked afterwards, in one place.

type wireFixture struct {
	Fixture object[wireMatch]  `json:"fixture"`
	League  object[wireLeague] `json:"league"`
	Teams   object[wireTeams]  `json:"teams"`
	Goals   object[wireScore]  `json:"goals"`
	Score   object[wirePeriod] `json:"score"`
	Events  json.RawMessage    `json:"events"`
}

type wireMatch struct {
	ID        number             `json:"id"`
	Referee   text               `json:"referee"`
	Timezone  text               `json:"timezone"`
	Date      text               `json:"date"`
	Timestamp number             `json:"timestamp"`
	Venue     object[wireVenue]  `json:"venue"`
	Status    object[wireStatus] `json:"status"`
}

type wireVenue struct {
	Name text `json:"name"`
	City text `json:"city"`
}

type wireStatus struct {
	Long    text   `json:"long"`
	Short   text   `json:"short"`
	Elapsed number `json:"elapsed"`
	Extra   number `json:"extra"`
}

type wireLeague struct {
	ID      number `json:"id"`
	Name    text   `json:"name"`
	Country text   `json:"country"`
	Logo    text   `json:"logo"`
	Season  number `json:"season"`
	Round   text   `json:"round"`
}

type wireTeams struct {
	Home object[wireTeam] `json:"home"`
	Away object[wireTeam] `json:"away"`
}

type wireTeam struct {
	ID   number `json:"id"`
	Name text   `json:"name"`
	Logo text   `json:"logo"`
}

type wireScore struct {
	Home number `json:"home"`
	Away number `json:"away"`
}

type wirePeriod struct {
	Halftime  object[wireScore] `json:"halftime"`
	Fulltime  object[wireScore] `json:"fulltime"`
	Extratime object[wireScore] `json:"extratime"`
	Penalty   object[wireScore] `json:"penalty"`
}

type wireEvent struct {
	Time     object[wireTime]   `json:"time"`
	Team     object[wireTeam]   `json:"team"`
	Player   object[wirePerson] `json:"player"`
	Assist   object[wirePerson] `json:"assist"`
	Type     text               `json:"type"`
	Detail   text               `json:"detail"`
	Comments text               `json:"comments"`
}

type wireTime struct {
	Elapsed number `json:"elapsed"`
	Extra   number `json:"extra"`
}

type wirePerson struct {
	ID   number `json:"id"`
	Name text   `json:"name"`
}

// object is a T, or its zero value where the wire has something else.
type object[T any] struct{ v T }

// UnmarshalJSON implements json.Unmarshaler.
func (o *object[T]) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '{' {
		return nil
	}
	return json.Unmarshal(data, &o.v)
}

// number is an integer that may be null, absent, or written as text.
type number struct {
	n     int64
	known bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(data []byte) error {
	s := strings.TrimSpace(string(bytes.Trim(data, `"`)))
	if i, err := strconv.ParseInt(strings.TrimPrefix(s, "+"), 10, 64); err == nil {
		n.n, n.known = i, true
	} else if f, err := strconv.ParseFloat(s, 64); err == nil && f == float64(int64(f)) {
		n.n, n.known = int64(f), true
	}
	return nil
}

// small is the number as a count of minutes or goals; nil where unknown or absurd.
func (n number) small() *int {
	if !n.known || n.n < 0 || n.n > 1000 {
		return nil
	}
	i := int(n.n)
	return &i
}

// text is a string that may be null, absent or a number.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(data []byte) error {
	switch {
	case len(data) == 0 || data[0] == 'n' || data[0] == '{' || data[0] == '[':
	case data[0] == '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*t = text(strings.TrimSpace(s))
	default:
		*t = text(data)
	}
	return nil
}
