package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

const (
	mostFrames   = 8 << 20 // bytes of a document of frames
	framesRemedy = `give one document such as {"frames": [{"soccer": true, "clock": "66:12"}]}`
)

// readFrames reads a document of frames from stdin, and names the fields beside them, which are not read. What is wrong with
// it is said with the field and its first byte, counted from 0.
func readFrames(in io.Reader) (frames []footy.Reading, ignored []string, err error) {
	const op = "read frames"
	data, err := io.ReadAll(io.LimitReader(in, mostFrames+1))
	if err != nil {
		return nil, nil, footy.Errorf(footy.CodeUnavailable, op, "stdin: %w", err)
	}
	if len(data) > mostFrames {
		return nil, nil, footy.Errorf(footy.CodeInvalid, op, "stdin: more than %d bytes; %s", mostFrames, framesRemedy)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil, footy.Errorf(footy.CodeInvalid, op, "stdin: byte 0: nothing came; %s", framesRemedy)
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		at := len(data)
		if bad := (*json.SyntaxError)(nil); errors.As(err, &bad) && !strings.HasPrefix(bad.Error(), "unexpected end") {
			at = int(bad.Offset) - 1
		}
		return nil, nil, footy.Errorf(footy.CodeInvalid, op, "stdin: byte %d: %w; %s", at, err, framesRemedy)
	}
	w := walker{data: data, in: json.NewDecoder(bytes.NewReader(data))}
	frames, err = w.document()
	return frames, w.ignored, footy.Wrap(footy.CodeInvalid, op, err)
}

// walker reads JSON that is known to be well formed and remembers where it is.
type walker struct {
	data    []byte
	in      *json.Decoder
	ignored []string // fields beside the frames
}

// next is the place of the next value.
func (w *walker) next() int {
	at := int(w.in.InputOffset())
	return at + len(w.data[at:]) - len(bytes.TrimLeft(w.data[at:], " \t\r\n:,"))
}

// open enters an object or an array.
func (w *walker) open(kind json.Delim, field string) error {
	at := w.next()
	if w.data[at] != byte(kind) {
		want := "an object in {}"
		if kind == '[' {
			want = "a list in []"
		}
		return w.wrong(at, field, want)
	}
	_, err := w.in.Token()
	return err
}

// members calls read for each member of an object.
func (w *walker) members(field string, read func(name string, at int) error) error {
	if err := w.open('{', field); err != nil {
		return err
	}
	for w.in.More() {
		at := w.next()
		name, err := w.in.Token()
		if err != nil {
			return err
		}
		if err := read(fmt.Sprint(name), at); err != nil {
			return err
		}
	}
	_, err := w.in.Token()
	return err
}

func (w *walker) document() (frames []footy.Reading, err error) {
	found := false
	err = w.members("the document", func(name string, _ int) error {
		if !strings.EqualFold(name, "frames") {
			w.ignored = append(w.ignored, name)
			return w.value(name, new(any), "")
		}
		found = true
		if err := w.open('[', "frames"); err != nil {
			return err
		}
		for w.in.More() {
			frame, err := w.frame(fmt.Sprintf("frames[%d]", len(frames)))
			if err != nil {
				return err
			}
			frames = append(frames, frame)
		}
		_, err := w.in.Token()
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("stdin: byte %d: frames is missing; %s", len(w.data)-len(bytes.TrimLeft(w.data, " \t\r\n")), framesRemedy)
	}
	return frames, err
}

func (w *walker) frame(field string) (r footy.Reading, err error) {
	texts := map[string]*string{"clock": &r.Clock, "added": &r.Added, "stoppage_clock": &r.StoppageClock, "period": &r.Period}
	err = w.members(field, func(name string, at int) error {
		in := field + "." + name
		value := w.next()
		switch name = strings.ToLower(name); name {
		case "soccer":
			return w.value(in, &r.Soccer, "true or false")
		case "screen":
			return w.value(in, &r.Screen, "true or false")
		case "at":
			if err := w.value(in, &r.At, "seconds as a number"); err != nil || r.At >= 0 {
				return err
			}
			return fmt.Errorf("stdin: byte %d: %s is %v; give the seconds since the beginning of the clip, 0 or more", value, in, r.At)
		}
		text := texts[name]
		if text == nil {
			return fmt.Errorf("stdin: byte %d: %s is no field of a frame; there are soccer, screen, clock, added, stoppage_clock, period and at", at, in)
		}
		if err := w.value(in, text, `text in quotes such as "45+2", or null`); err != nil || !belowNought.MatchString(*text) {
			return err
		}
		return fmt.Errorf("stdin: byte %d: %s is %q; give what the screen shows, which is never below nought", value, in, *text)
	})
	return r, err
}

var belowNought = regexp.MustCompile(`^\s*[-−–]\d`)

// value reads one value; null leaves it as it is.
func (w *walker) value(field string, to any, want string) error {
	at := w.next()
	if err := w.in.Decode(to); err != nil {
		return w.wrong(at, field, want)
	}
	return nil
}

func (w *walker) wrong(at int, field, want string) error {
	is := "a number"
	switch w.data[at] {
	case '{':
		is = "an object"
	case '[':
		is = "a list"
	case '"':
		is = "text"
	case 't', 'f':
		is = "true or false"
	case 'n':
		is = "null"
	}
	return fmt.Errorf("stdin: byte %d: %s is %s; it must be %s", at, field, is, want)
}
