package inspect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxFile = 256 << 20 // a recorded day is 2 MB
	maxLine = 64 << 20
)

// InputError names the file and the byte where reading stopped making sense.
type InputError struct {
	Path   string
	Offset int64
	Err    error
}

// Error renders "path: byte n: cause".
func (e *InputError) Error() string {
	if e.Offset == unread {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s: byte %d: %v", e.Path, e.Offset, e.Err)
}

// unread is the offset of what could not be opened.
const unread = -1

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.Err }

// expand lists the files behind the arguments: a directory stands for its .json and .jsonl files in order of name.
func expand(paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, errors.New("no file given")
	}
	var out []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, &InputError{Path: p, Offset: unread, Err: withoutPath(err)}
		}
		if !info.IsDir() {
			out = append(out, p)
			continue
		}
		entries, err := os.ReadDir(p)
		if err != nil {
			return nil, &InputError{Path: p, Offset: unread, Err: withoutPath(err)}
		}
		n := len(out)
		for _, e := range entries {
			if ext := strings.ToLower(filepath.Ext(e.Name())); !e.IsDir() && (ext == ".json" || ext == ".jsonl" || ext == ".ndjson") {
				out = append(out, filepath.Join(p, e.Name()))
			}
		}
		if len(out) == n {
			return nil, &InputError{Path: p, Offset: unread, Err: errors.New("the directory holds no .json or .jsonl file")}
		}
		slices.SortFunc(out[n:], natural)
	}
	return out, nil
}

// natural orders poll2 before poll10.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := head(a), head(b)
		if x != y {
			if dx, dy := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0"); digit(x[0]) && digit(y[0]) && dx != dy {
				if len(dx) != len(dy) {
					return len(dx) - len(dy)
				}
				return strings.Compare(dx, dy)
			}
			return strings.Compare(x, y)
		}
		a, b = a[len(x):], b[len(y):]
	}
	return len(a) - len(b)
}

// head is the leading run of digits, or the leading byte.
func head(s string) string {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	return s[:max(n, 1)]
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// bom is what some editors put before a text.
var bom = []byte("\xef\xbb\xbf")

// polls hands every poll of a file to each: a .json file is one, a .jsonl file has one a line.
func polls(path string, each func(responses []json.RawMessage) error) error {
	f, err := os.Open(path)
	if err != nil {
		return &InputError{Path: path, Offset: unread, Err: withoutPath(err)}
	}
	defer f.Close()
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		return &InputError{Path: path, Err: errors.New("gzip is not read; unpack it")}
	}
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".jsonl" || ext == ".ndjson" {
		return lines(path, f, each)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return &InputError{Path: path, Err: withoutPath(err)}
	}
	if len(data) > maxFile {
		return &InputError{Path: path, Offset: maxFile, Err: errors.New("the file is too large")}
	}
	skipped := len(data)
	data = bytes.TrimPrefix(data, bom)
	skipped -= len(data)
	responses, err := split(path, int64(skipped), data)
	switch {
	case err != nil:
		return err
	case len(responses) == 0:
		return &InputError{Path: path, Err: errNoPoll}
	}
	return each(responses)
}

func lines(path string, r io.Reader, each func([]json.RawMessage) error) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var offset int64
	if start, _ := in.Peek(len(bom)); bytes.Equal(start, bom) {
		n, _ := in.Discard(len(bom))
		offset += int64(n)
	}
	found := false
	for {
		line, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return &InputError{Path: path, Offset: offset, Err: err}
		}
		if len(bytes.TrimSpace(line)) > 0 {
			responses, bad := split(path, offset, line)
			found = found || len(responses) > 0
			if bad != nil {
				return bad
			}
			if bad := each(responses); bad != nil {
				return bad
			}
		}
		offset += int64(len(line))
		if err != nil && !found {
			return &InputError{Path: path, Err: errNoPoll}
		}
		if err != nil {
			return nil //nolint:nilerr // the end of the file; readLine gives what came before it
		}
	}
}

func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, errors.New("the line is too long")
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// split takes one response or an array of them.
func split(path string, offset int64, data []byte) ([]json.RawMessage, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, bad(path, offset, data, err)
	}
	start := int64(len(data) - len(bytes.TrimLeft(data, " \t\r\n")))
	whole = bytes.TrimSpace(whole)
	switch whole[0] {
	case '{':
		return []json.RawMessage{whole}, nil
	case '[':
		list, at, err := entries(whole)
		if err != nil {
			return nil, &InputError{Path: path, Offset: offset + start + at, Err: err}
		}
		return list, nil
	}
	return nil, bad(path, offset+start, nil, errors.New("neither a response nor an array of responses"))
}

var errNoPoll = errors.New("holds no poll")

// entries cuts an array into its responses; at is where an entry is that is none.
func entries(array []byte) (list []json.RawMessage, at int64, err error) {
	dec := json.NewDecoder(bytes.NewReader(array))
	if _, err := dec.Token(); err != nil {
		return nil, 0, err
	}
	for dec.More() {
		var r json.RawMessage
		if err := dec.Decode(&r); err != nil {
			return nil, dec.InputOffset(), err
		}
		if r[0] != '{' {
			return nil, dec.InputOffset() - int64(len(r)), errors.New("an array of responses must hold objects")
		}
		list = append(list, r)
	}
	return list, 0, nil
}

// bad places an error: the offset is that of the offending byte, the first byte of a file being 0.
func bad(path string, offset int64, data []byte, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset += min(syntax.Offset, int64(len(data)))
		if syntax.Offset > 0 && !strings.Contains(syntax.Error(), "unexpected end") {
			offset-- // it counts the bytes read, the offending one among them
		}
	}
	if what := notJSON(data); what != "" {
		err = errors.New(what)
	}
	return &InputError{Path: path, Offset: offset, Err: err}
}

// notJSON says what a file is that does not even begin as a recorded answer does; "" where it begins so.
func notJSON(data []byte) string {
	const shown = 40
	text := strings.TrimSpace(string(data))
	switch {
	case data == nil:
		return ""
	case text == "":
		return "nothing is in it; an answer as the feed sent it is wanted"
	case text[0] == '{' || text[0] == '[':
		return ""
	case text[0] == '<':
		return "this is a web page, no JSON; an answer as the feed sent it is wanted"
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "this is no text, so no JSON; an answer as the feed sent it is wanted"
	}
	text, _, _ = strings.Cut(text, "\n")
	if r := []rune(text); len(r) > shown {
		text = string(r[:shown]) + "…"
	}
	return fmt.Sprintf("this is no JSON but begins with %q; an answer as the feed sent it is wanted", text)
}

// withoutPath drops the path that an operating system's error repeats.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
