package apifootball

import (
	"reflect"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
)

// Absent is why the poll of a fixture failed that was asked for and not answered.
const Absent = feed.Absent

// Collection is what a response holds: fixtures to trust and fixtures not to.
type Collection struct {
	good  map[int64]footy.Snapshot
	bad   map[int64]string
	order []int64
}

// Failure is a fixture whose poll failed.
type Failure struct {
	ID     int64
	Reason string
}

// Read reads every fixture of an envelope. A poll must list the events of each; day lists have none.
func Read(env Envelope, at time.Time, poll bool) Collection {
	c := Collection{good: make(map[int64]footy.Snapshot, len(env.Response)), bad: map[int64]string{}}
	for _, raw := range env.Response {
		s, err := parse(raw, at)
		id := s.Match.ID
		if id <= 0 {
			continue
		}
		other, twice := c.good[id]
		if !twice && c.bad[id] == "" {
			c.order = append(c.order, id)
		}
		switch {
		case err != nil:
			c.fail(id, err.Error())
		case poll && !s.HasEvents:
			c.fail(id, "no events list")
		case c.bad[id] != "":
		case twice && !reflect.DeepEqual(other, s):
			c.fail(id, "listed twice, differently")
		default:
			c.good[id] = s
		}
	}
	return c
}

func (c Collection) fail(id int64, why string) {
	delete(c.good, id)
	c.bad[id] = why
}

// All returns the fixtures to trust and why the others are not, in the order of the response.
func (c Collection) All() (snapshots []footy.Snapshot, failed []Failure) {
	for _, id := range c.order {
		if s, ok := c.good[id]; ok {
			snapshots = append(snapshots, s)
		} else {
			failed = append(failed, Failure{id, c.bad[id]})
		}
	}
	return snapshots, failed
}
