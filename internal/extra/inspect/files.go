package inspect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/found-footy/found-footy/internal/footy"
)

// maxFile is the most that is read of a file: a recorded day has 2 MB.
const maxFile = 256 << 20

// unreadable names the file and the byte, counted from 0, where it stops making sense.
func unreadable(path string, at int, err error) error {
	return footy.Errorf(footy.CodeInvalid, "", "%s: byte %d: %w", path, at, err)
}

// unopened names a file of which nothing could be read; the path that an operating system's error repeats is dropped.
func unopened(path string, err error) error {
	code := footy.CodeUnavailable
	if errors.Is(err, fs.ErrNotExist) {
		code = footy.CodeNotFound
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	return footy.Errorf(code, "", "%s: %w", path, err)
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unopened(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, unopened(path, err)
	case len(data) > maxFile:
		return nil, unreadable(path, maxFile, errors.New("the file is too large"))
	}
	return data, nil
}

// expand lists the files behind the arguments: a directory stands for its .json and .jsonl files in order of name.
func expand(paths []string) ([]string, error) {
	var out []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, unopened(p, err)
		}
		if !info.IsDir() {
			out = append(out, p)
			continue
		}
		entries, err := os.ReadDir(p)
		if err != nil {
			return nil, unopened(p, err)
		}
		n := len(out)
		for _, e := range entries {
			if !e.IsDir() && (isLines(e.Name()) || strings.EqualFold(filepath.Ext(e.Name()), ".json")) {
				out = append(out, filepath.Join(p, e.Name()))
			}
		}
		if len(out) == n {
			return nil, footy.Errorf(footy.CodeNotFound, "", "%s: the directory holds no .json or .jsonl file", p)
		}
		slices.SortFunc(out[n:], func(a, b string) int { return strings.Compare(natural(a), natural(b)) })
	}
	return out, nil
}

var numbers = regexp.MustCompile(`\d+`)

// natural is a key that sorts poll2 before poll10.
func natural(name string) string {
	return numbers.ReplaceAllStringFunc(name, func(n string) string { return fmt.Sprintf("%020s", n) })
}

// isLines reports a file with one poll a line.
func isLines(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".jsonl" || ext == ".ndjson"
}

// polls hands every poll of a file to each: a .json file is one, a .jsonl file has one a line.
func polls(path string, each func(responses []json.RawMessage) error) error {
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		return unreadable(path, 0, errors.New("gzip is not read; unpack it"))
	}
	data, err := readFile(path)
	if err != nil {
		return err
	}
	text := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // which some editors put before a text
	at, found := len(data)-len(text), false
	parts := [][]byte{text}
	if isLines(path) {
		parts = slices.Collect(bytes.Lines(text))
	}
	for _, part := range parts {
		if isLines(path) && len(bytes.TrimSpace(part)) == 0 {
			at += len(part)
			continue
		}
		responses, err := split(path, at, part)
		if err != nil {
			return err
		}
		if err := each(responses); err != nil {
			return err
		}
		found = found || len(responses) > 0
		at += len(part)
	}
	if !found {
		return unreadable(path, 0, errors.New("holds no poll"))
	}
	return nil
}

// split takes one response, or an array of them, that stands at a byte of a file.
func split(path string, at int, data []byte) (list []json.RawMessage, err error) {
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return nil, unreadable(path, at+syntaxAt(data, err), cmp.Or(notJSON(data), err))
	}
	in := json.NewDecoder(bytes.NewReader(data))
	if bytes.TrimSpace(data)[0] == '[' {
		_, _ = in.Token()
	}
	for in.More() {
		var one json.RawMessage
		if err := in.Decode(&one); err != nil {
			return nil, unreadable(path, at, err)
		}
		if one[0] != '{' {
			return nil, unreadable(path, at+int(in.InputOffset())-len(one), errors.New("neither a response nor an array of responses"))
		}
		list = append(list, one)
	}
	return list, nil
}

// syntaxAt is the byte of JSON that is wrong, or its end where it breaks off.
func syntaxAt(data []byte, err error) int {
	var bad *json.SyntaxError
	if errors.As(err, &bad) && !strings.HasPrefix(bad.Error(), "unexpected end") {
		return int(bad.Offset) - 1 // it counts the bytes read, the wrong one among them
	}
	return len(data)
}

// notJSON says what a file is that does not even begin as a recorded answer does; nil where it begins so.
func notJSON(data []byte) error {
	const shown = 40
	text := strings.TrimSpace(string(data))
	var what string
	switch {
	case text == "":
		what = "nothing is in it"
	case text[0] == '{' || text[0] == '[':
		return nil
	case text[0] == '<':
		what = "this is a web page, no JSON"
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		what = "this is no text, so no JSON"
	default:
		text, _, _ = strings.Cut(text, "\n")
		if r := []rune(text); len(r) > shown {
			text = string(r[:shown]) + "…"
		}
		what = fmt.Sprintf("this is no JSON but begins with %q", text)
	}
	return errors.New(what + "; an answer as the feed sent it is wanted")
}

// unwrap takes a recording that keeps the HTTP status and the headers beside the body; another is its own body.
func unwrap(raw json.RawMessage) (body json.RawMessage, status int, headers map[string]any) {
	var kept struct {
		HTTP    int             `json:"http"`
		Status  int             `json:"status"`
		Headers map[string]any  `json:"headers"`
		Body    json.RawMessage `json:"body"`
		Errors  json.RawMessage `json:"errors"`
	}
	_ = json.Unmarshal(raw, &kept) // what else it holds is for whoever opens the body
	status = max(kept.HTTP, kept.Status)
	if kept.Errors != nil || len(kept.Body) == 0 && status == 0 {
		return raw, 0, nil
	}
	return kept.Body, status, kept.Headers
}
