package inspect

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/phash"
)

const (
	mostText = 16 << 20 // bytes of a written fingerprint, far more than any has
	preamble = 16       // lines that may stand before it, as facts do
)

// written reads a file that holds a fingerprint in its dense: form in place of a video, as --text prints it.
func written(file string) (fp footy.Fingerprint, found bool, err error) {
	f, err := os.Open(file)
	if err != nil {
		return fp, false, nil // whoever opens it as a video tells what is wrong with it
	}
	defer f.Close()
	in := bufio.NewReader(io.LimitReader(f, mostText))
	at := 0
	for range preamble {
		head, _ := in.Peek(512)
		if strings.ContainsRune(string(head), 0) {
			return fp, false, nil // no text
		}
		line, err := in.ReadString('\n')
		if strings.HasPrefix(strings.TrimSpace(line), "dense:") {
			fp, err := phash.Parse(line, at)
			if err == nil && fp.Empty() {
				err = footy.Errorf(footy.CodeInvalid, "parse fingerprint", "byte %d: no samples after the interval; write the fingerprint anew with: footy inspect clip --text", at+len(strings.TrimRight(line, "\r\n")))
			}
			return fp, true, footy.Wrap(footy.CodeInvalid, "read "+file, err)
		}
		at += len(line)
		if errors.Is(err, io.EOF) {
			break
		}
	}
	return fp, false, nil
}
