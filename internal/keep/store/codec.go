package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/found-footy/found-footy/internal/footy"
)

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// encode makes the document of any value that is written whole; callers add what it must be found by.
func encode(op, id string, value any) (Doc, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return Doc{}, footy.Errorf(footy.CodeInvalid, op, "encode %s: %w", id, err)
	}
	return Doc{ID: id, Body: prepend(fmt.Appendf(nil, `{"_schema":%d}`, SchemaVersion), body)}, nil
}

// prepend puts the fields of one JSON object, which has some, before those of another.
func prepend(fields, object []byte) []byte {
	if len(object) == len("{}") {
		return fields
	}
	return slices.Concat(fields[:len(fields)-1], []byte(","), object[1:])
}

// decode reads a document's body. A body that cannot be read is damage, never "not found".
func decode[T any](op string, d Doc) (T, error) {
	var v T
	if err := json.Unmarshal(d.Body, &v); err != nil {
		return v, footy.Errorf(footy.CodeInvalid, op, "decode %s: %w (%w)", d.ID, err, ErrDamaged)
	}
	return v, nil
}

// decoder is decode for all documents of one kind.
func decoder[T any](op string) func(Doc) (T, error) {
	return func(d Doc) (T, error) { return decode[T](op, d) }
}

// instant is a time at the precision that every database keeps.
func instant(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}

// epoch is earlier than any time that is stored, and later than none at all.
var epoch = time.UnixMilli(0).UTC()

// storedFixture is the body of a fixture's document.
type storedFixture struct {
	Schema int `json:"_schema"`
	footy.Fixture
}

// storedPost is the body of a ledger record's document.
type storedPost struct {
	Schema int    `json:"_schema"`
	DocID  string `json:"_id"`
	footy.Post
}

// validStage refuses what no list would ever show.
func validStage(f footy.Fixture) error {
	if !slices.Contains(footy.Stages, f.Stage) {
		return footy.Errorf(footy.CodeInvalid, "write fixture "+decimal(f.ID), "there is no stage %q", f.Stage)
	}
	return nil
}

// openKey is the look-up key of fixtures with an event that is not complete.
const openKey = "open"

// teamKey and leagueKey are the look-up keys of a team's matches and of those of a competition; "" where it is not known.
func teamKey(id int64) string   { return numberedKey("team:", id) }
func leagueKey(id int64) string { return numberedKey("league:", id) }

func numberedKey(kind string, id int64) string {
	if id == 0 {
		return ""
	}
	return kind + decimal(id)
}

// clipKey is the look-up key of a clip's bytes.
func clipKey(digest string) string { return "clip:" + digest }

// encodeFixture makes a fixture's document with everything it can be looked up by. read is the body as read before, nil
// for a new one: what this program does not know of it stays.
func encodeFixture(f footy.Fixture, read []byte) (Doc, error) {
	if f.Events == nil {
		f.Events = []footy.Event{} // readers of the raw document expect a list
	}
	d, err := encodeOver(decimal(f.ID), storedFixture{SchemaVersion, f}, read)
	if err != nil {
		return Doc{}, err
	}
	indexFixture(&d, f)
	return d, nil
}

func indexFixture(d *Doc, f footy.Fixture) {
	d.Revision, d.At, d.Group, d.Sub, d.Keys = f.Revision, instant(f.Match.Kickoff), d.ID, string(f.Stage), []string{teamKey(f.Teams.Home.ID), teamKey(f.Teams.Away.ID), leagueKey(f.League.ID)}
	text := []string{f.Teams.Home.Name, f.Teams.Away.Name, f.League.Name}
	for _, e := range f.Events {
		d.Keys = append(append(d.Keys, e.UID, e.ID), e.MatchedFrom...)
		for _, c := range e.Clips {
			if c.Digest != "" {
				d.Keys = append(d.Keys, clipKey(c.Digest))
			}
		}
		if e.Standing() {
			text = append(text, e.Player.Name)
		}
		if e.Certain() && !e.Removed && !e.DownloadComplete {
			d.Keys = append(d.Keys, openKey)
		}
	}
	d.Keys = distinct(d.Keys)
	var all []string
	for _, t := range text {
		all = append(all, words(t)...)
	}
	d.Text = strings.Join(distinct(all), " ")
}

// decodeFixture reads a fixture. The revision of the row wins over the body's: it is what the database compares.
func decodeFixture(d Doc) (footy.Fixture, error) {
	f, err := decode[footy.Fixture]("read fixture", d)
	f.Revision = d.Revision
	return f, err
}

func postID(eventUID, post string) string { return eventUID + "/" + post }

// encodePost makes a ledger record's document. Only an open one has a time to be found by.
func encodePost(p footy.Post, read []byte) (Doc, error) {
	id := postID(p.EventUID, p.PostID)
	d, err := encodeOver(id, storedPost{SchemaVersion, id, p}, read)
	if err != nil {
		return Doc{}, err
	}
	d.Revision, d.Group, d.Sub = p.Revision, decimal(p.FixtureID), p.EventUID
	if !p.Ended() {
		d.At = epoch // without a next try it is due at once: an open record must never be out of sight
		if p.NextTry.After(epoch) {
			d.At = instant(p.NextTry)
		}
	}
	return d, nil
}

func decodePost(d Doc) (footy.Post, error) {
	p, err := decode[footy.Post]("read post", d)
	p.Revision = d.Revision
	return p, err
}

func distinct(list []string) []string {
	list = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
	slices.Sort(list)
	return slices.Compact(list)
}

// stroked are the letters that NFD leaves whole; dropping them instead would turn "Højlund" into nothing.
var stroked = strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ß", "ss", "ı", "i", "æ", "ae", "œ", "oe", "ð", "d", "þ", "th")

// Fold makes text comparable: lower case, no accents, single spaces between words of letters and digits.
func Fold(text string) string { return strings.Join(words(text), " ") }

func words(text string) []string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		switch {
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Fields(stroked.Replace(b.String()))
}

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
