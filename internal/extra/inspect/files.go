package inspect

import (
	"bytes"
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
	if p, ok := errors.AsType[*fs.PathError](err); ok {
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
			if ext := strings.ToLower(filepath.Ext(e.Name())); !e.IsDir() && (ext == ".json" || ext == ".jsonl" || ext == ".ndjson") {
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

// polls hands every poll of a file to each: one response, or an array of them. A .json file is one, a .jsonl file has one a line.
func polls(path string, each func(responses []json.RawMessage) error) error {
	data, err := readFile(path)
	if err != nil {
		return err
	}
	text := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // which some editors put before a text
	begin, found := len(data)-len(text), false
	for in := json.NewDecoder(bytes.NewReader(text)); ; {
		var poll json.RawMessage
		switch err := in.Decode(&poll); {
		case errors.Is(err, io.EOF) && !found:
			return unreadable(path, 0, errors.New("holds no poll"))
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return unreadable(path, begin+syntaxAt(text, err), fmt.Errorf("%w; an answer as the feed sent it is wanted", err))
		}
		responses, err := responsesOf(path, begin+int(in.InputOffset())-len(poll), poll)
		if err != nil {
			return err
		}
		if err := each(responses); err != nil {
			return err
		}
		found = found || len(responses) > 0
	}
}

// responsesOf takes one response, or an array of them, that stands at a byte of a file.
func responsesOf(path string, at int, poll json.RawMessage) (list []json.RawMessage, err error) {
	take := func(_ string, one json.RawMessage, inside int) error {
		if one[0] != '{' {
			return unreadable(path, at+inside, errors.New("neither a response nor an array of responses"))
		}
		list = append(list, one)
		return nil
	}
	if poll[0] == '[' {
		err = values(poll, take)
	} else {
		err = take("", poll, 0)
	}
	return list, err
}

// syntaxAt is the byte of JSON that is wrong, or its end where it breaks off.
func syntaxAt(data []byte, err error) int {
	if bad, ok := errors.AsType[*json.SyntaxError](err); ok && !strings.HasPrefix(bad.Error(), "unexpected end") {
		return int(bad.Offset) - 1 // it counts the bytes read, the wrong one among them
	}
	return len(data)
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
	_ = json.Unmarshal(raw, &kept) // what else it holds is for the reader of the body
	status = max(kept.HTTP, kept.Status)
	if kept.Errors != nil || len(kept.Body) == 0 && status == 0 {
		return raw, 0, nil
	}
	return kept.Body, status, kept.Headers
}
