package lookup

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/web/view"
)

// PageSize is how much a list holds if nobody asks for more or less, PageSizeMax the most it may.
const (
	PageSize    = 50
	PageSizeMax = 500
)

// Cursor is the place after the last thing of a page: a fixture by kickoff and id, a clip by when it was added and a
// number made of its id.
type Cursor struct {
	At time.Time
	ID int64
}

func (c Cursor) String() string {
	if c.ID == 0 {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%d", c.At.UnixMicro(), c.ID))
}

// ParseCursor reads what String wrote.
func ParseCursor(raw string) (c Cursor, err error) {
	if raw == "" {
		return c, nil
	}
	body, err := base64.RawURLEncoding.DecodeString(raw)
	at, id, ok := strings.Cut(string(body), ".")
	unix, err1 := strconv.ParseInt(at, 10, 64)
	c.ID, _ = strconv.ParseInt(id, 10, 64)
	if err != nil || err1 != nil || !ok || c.ID == 0 {
		return c, footy.Errorf(footy.CodeInvalid, "read cursor", "cursor is not one that this API gave")
	}
	c.At = time.UnixMicro(unix).UTC()
	return c, nil
}

// Before orders by time, then by id.
func (c Cursor) Before(o Cursor) bool {
	a, b := c.At.UnixMicro(), o.At.UnixMicro()
	return a < b || (a == b && c.ID < o.ID)
}

// Searchable reports whether a text holds anything to search for: punctuation alone would match everything.
func Searchable(text string) bool { return len(text) <= 200 && store.Fold(text) != "" }

// Search finds the matches in whose team, competition or scorer names every word occurs, newest first; next is where the
// following page begins.
func (r *Reader) Search(ctx context.Context, text string, zone *time.Location, after Cursor, limit int) (out []view.Fixture, next string, err error) {
	list, err := r.Store.List(ctx, store.FixtureQuery{Text: text})
	if err != nil {
		return nil, "", err
	}
	out = []view.Fixture{}
	var last Cursor
	for i := len(list) - 1; i >= 0; i-- {
		at := Cursor{list[i].Match.Kickoff, list[i].ID}
		if after.ID != 0 && !at.Before(after) {
			continue
		}
		if len(out) == limit {
			return out, last.String(), nil
		}
		out, last = append(out, view.FixtureOf(&list[i], zone)), at
	}
	return out, "", nil
}
