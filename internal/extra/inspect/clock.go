package inspect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	clockrule "github.com/found-footy/found-footy/internal/recognize/clock"
)

// ClockAnswer is the verdict on frames that a reader read.
type ClockAnswer struct {
	Outcome        footy.Outcome `json:"outcome"`
	ExpectedMinute *int          `json:"expected_minute"` // what a broadcast clock shows at the goal
	MatchedMinute  *int          `json:"matched_minute"`  // what the frames show, where it fits
	ReadMinute     *int          `json:"read_minute,omitempty"`
	Sibling        string        `json:"sibling,omitempty"` // API minute of the goal it belongs to instead
	Compiled       bool          `json:"compiled,omitempty"`
	Code           footy.Reason  `json:"code,omitempty"`
	Reason         string        `json:"reason"`

	Ignored []string `json:"-"` // for people: fields beside the frames, which nothing reads
}

// Clock judges the frames read from in: {"frames": [{"soccer", "screen", "clock", "added", "stoppage_clock", "period", "at"}]}.
func Clock(in io.Reader, q clockrule.Question) (ClockAnswer, error) {
	if err := checkQuestion(q); err != nil {
		return ClockAnswer{}, err
	}
	q.Minute.Elapsed = max(0, q.Minute.Elapsed)
	frames, ignored, err := readFrames(in)
	if err != nil {
		return ClockAnswer{}, err
	}
	v := clockrule.Check(frames, q)
	out := ClockAnswer{Outcome: v.Outcome, Compiled: v.Compiled, Code: v.Reason, Reason: v.Detail, ReadMinute: v.Minute, Sibling: v.Sibling, Ignored: ignored}
	if q.HasMinute() {
		out.ExpectedMinute = &v.Expected
	}
	if v.Outcome != footy.OutcomeRejected {
		out.MatchedMinute, out.ReadMinute = v.Minute, nil
	}
	return out, nil
}

// mostTolerance is far more than broadcasts differ.
const mostTolerance = 15

// checkQuestion refuses what no goal can have. No minute at all is one: the feed gave none.
func checkQuestion(q clockrule.Question) error {
	const op = "read question"
	switch m := q.Minute; {
	case m.Elapsed < -1 || m.Elapsed > clockrule.LastMinute:
		return footy.Errorf(footy.CodeInvalid, op, "--elapsed=%d is no minute of a match; give 1 to %d, or leave it out where the feed gave none", m.Elapsed, clockrule.LastMinute)
	case m.Extra < 0 || m.Extra > clockrule.LastExtra:
		return footy.Errorf(footy.CodeInvalid, op, "--extra=%d is no minute of stoppage time; give 1 to %d, or leave it out", m.Extra, clockrule.LastExtra)
	case q.Tolerance < 0 || q.Tolerance > mostTolerance:
		return footy.Errorf(footy.CodeInvalid, op, "--tolerance=%d is no number of minutes that a clock may differ; give 0 to %d", q.Tolerance, mostTolerance)
	}
	return nil
}

// ParseMinute reads an API minute: 67 or 45+2.
func ParseMinute(s string) (footy.Minute, error) {
	a, b, stoppage := strings.Cut(strings.TrimSuffix(strings.TrimSpace(s), "'"), "+")
	elapsed, err := strconv.Atoi(strings.TrimSpace(a))
	extra := 0
	if err == nil && stoppage {
		extra, err = strconv.Atoi(strings.TrimSpace(b))
	}
	if err != nil || elapsed < 0 || extra < 0 || elapsed > clockrule.LastMinute || extra > clockrule.LastExtra {
		return footy.Minute{}, footy.Errorf(footy.CodeInvalid, "read minute", "%q is no minute such as 67 or 45+2", s)
	}
	return footy.Minute{Elapsed: elapsed, Extra: extra}, nil
}

const (
	mostFrames   = 8 << 20 // bytes of a document of frames
	framesRemedy = `give one document such as {"frames": [{"soccer": true, "clock": "66:12"}]}`
)

// readFrames reads a document of frames from stdin, and names the fields beside them, which are not read. What is wrong with
// it is said with the byte, counted from 0, at which the value or the frame begins.
func readFrames(in io.Reader) (frames []footy.Reading, ignored []string, err error) {
	wrong := func(at int, format string, args ...any) error {
		return footy.Errorf(footy.CodeInvalid, "read frames", "stdin: byte %d: %w", at, fmt.Errorf(format, args...))
	}
	data, err := io.ReadAll(io.LimitReader(in, mostFrames+1))
	switch {
	case err != nil:
		return nil, nil, footy.Errorf(footy.CodeUnavailable, "read frames", "stdin: %w", err)
	case len(data) > mostFrames:
		return nil, nil, wrong(mostFrames, "it is too long; %s", framesRemedy)
	case len(bytes.TrimSpace(data)) == 0:
		return nil, nil, wrong(0, "nothing came; %s", framesRemedy)
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, nil, wrong(syntaxAt(data, err), "%w; %s", err, framesRemedy)
	}
	start := len(data) - len(bytes.TrimLeft(data, " \t\r\n"))
	if data[start] != '{' {
		return nil, nil, wrong(start, "the document is no object in {}; %s", framesRemedy)
	}
	found := false
	err = values(data, func(name string, value json.RawMessage, at int) error {
		if !strings.EqualFold(name, "frames") {
			ignored = append(ignored, name)
			return nil
		}
		if found = true; value[0] != '[' {
			return wrong(at, "frames is no list in []")
		}
		return values(value, func(_ string, value json.RawMessage, inside int) error {
			frame, err := readFrame(value)
			if err != nil {
				return wrong(at+inside, "frames[%d]%w", len(frames), err)
			}
			frames = append(frames, frame)
			return nil
		})
	})
	if err == nil && !found {
		err = wrong(start, "frames is missing; %s", framesRemedy)
	}
	return frames, ignored, err
}

// values visits the members of an object, or of a list (without a name), that is well formed.
func values(data []byte, visit func(name string, value json.RawMessage, at int) error) error {
	in := json.NewDecoder(bytes.NewReader(data))
	object, err := in.Token()
	for err == nil && in.More() {
		var name json.Token
		if object == json.Delim('{') {
			if name, err = in.Token(); err != nil {
				return err
			}
		}
		var value json.RawMessage
		if err = in.Decode(&value); err == nil {
			text, _ := name.(string)
			err = visit(text, value, int(in.InputOffset())-len(value))
		}
	}
	return err
}

var belowZero = regexp.MustCompile(`^\s*[-−–]\d`)

// readFrame reads one frame; its error is the rest of a sentence that begins with the frame's name.
func readFrame(data []byte) (r footy.Reading, err error) {
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	var mistyped *json.UnmarshalTypeError
	switch err := in.Decode(&r); {
	case data[0] != '{':
		return r, errors.New(" is no object in {}")
	case errors.As(err, &mistyped):
		want := map[reflect.Kind]string{reflect.Bool: "true or false", reflect.Float64: "seconds as a number"}[mistyped.Type.Kind()]
		want = cmp.Or(want, `text in quotes such as "45+2", or null`)
		return r, fmt.Errorf(".%s is a JSON %s; it must be %s", mistyped.Field, mistyped.Value, want)
	case err != nil:
		return r, fmt.Errorf(" has an %s; there are soccer, screen, clock, added, stoppage_clock, period and at", strings.TrimPrefix(err.Error(), "json: "))
	case r.At < 0:
		return r, fmt.Errorf(".at is %v; give the seconds since the beginning of the clip, 0 or more", r.At)
	}
	for _, text := range []string{r.Clock, r.Added, r.StoppageClock} {
		if belowZero.MatchString(text) {
			return r, fmt.Errorf(" has %q; give what the screen shows, which is never below zero", text)
		}
	}
	return r, nil
}
