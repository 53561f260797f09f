package xtweet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// transfer is one file on its way, over as many connections as it takes. The bytes of a second connection must prove to
// belong to those already written: by range and validator, or by repeating them.
type transfer struct {
	w        io.Writer
	progress func(int64)
	limit    int64

	file    string // host and path of the file that was begun
	url     string
	etag    string
	total   int64 // -1 = unknown
	written int64
	hash    hash.Hash

	cutAt int64 // byte at which the last connection ended short
	cuts  int   // connections in a row that ended there
}

func newTransfer(w io.Writer, limit int64, progress func(int64)) *transfer {
	return &transfer{w: w, progress: progress, limit: limit, hash: sha256.New()}
}

// continues reports whether u is the file that was begun; queries carry expiring signatures and may differ.
func (t *transfer) continues(u *url.URL) bool { return t.written == 0 || t.file == u.Host+u.Path }

func (t *transfer) fetched() source.Fetched {
	return source.Fetched{URL: t.url, Size: t.written, Digest: hex.EncodeToString(t.hash.Sum(nil))}
}

// readBody reads a 200 or 206 and returns nil only when the whole file is there.
func (t *transfer) readBody(u *url.URL, resp *http.Response) error {
	body := io.Reader(resp.Body)
	if t.written == 0 {
		if err := t.acceptFile(u, resp); err != nil {
			return err
		}
	} else if err := t.skipReceived(resp, body); err != nil {
		return t.startOver(err)
	}
	if err := t.receive(body); err != nil {
		if footy.CodeOf(err) == footy.CodeRejected || isWrite(err) {
			return err
		}
		return &retriable{t.cutShort(t.written, err)}
	}
	if t.written == 0 || t.total >= 0 && t.written != t.total {
		return &retriable{t.cutShort(t.written, io.ErrUnexpectedEOF)}
	}
	return nil
}

func (t *transfer) acceptFile(u *url.URL, resp *http.Response) error {
	if err := checkKind(resp); err != nil {
		return err
	}
	if resp.ContentLength > t.limit {
		return footy.Reject(opFile, footy.ReasonTooLarge, "%d bytes, the limit is %d", resp.ContentLength, t.limit)
	}
	t.file, t.url, t.total = u.Host+u.Path, u.String(), resp.ContentLength
	if t.etag = resp.Header.Get("ETag"); strings.HasPrefix(t.etag, "W/") {
		t.etag = ""
	}
	return nil
}

// checkKind: a page in place of a file comes from whoever stands between us and X (a provider that blocks, a hotel's log-in).
func checkKind(resp *http.Response) error {
	switch kind := resp.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "text/"):
		return &retriable{footy.Errorf(footy.CodeUnavailable, opFile, "a page (%s) came instead of the file", kind)}
	case strings.HasPrefix(kind, "image/"):
		return footy.Reject(opFile, footy.ReasonNoVideo, "the file is %s", kind)
	}
	return nil
}

var errChanged = errors.New("the file changed while it was downloaded")

// startOver empties the writer, where it can be emptied, so that the next try may begin the changed file anew.
func (t *transfer) startOver(err error) error {
	if !errors.Is(err, errChanged) {
		return err
	}
	err = footy.Wrap(footy.CodeUnavailable, opFile, err)
	f, ok := t.w.(interface {
		io.Seeker
		Truncate(size int64) error
	})
	if !ok {
		return err
	}
	if _, serr := f.Seek(0, io.SeekStart); serr != nil {
		return footy.Wrap(footy.CodeUnavailable, opFile, serr)
	}
	if terr := f.Truncate(0); terr != nil {
		return footy.Wrap(footy.CodeUnavailable, opFile, terr)
	}
	t.written = 0
	t.hash.Reset()
	return &retriable{err}
}

// skipReceived brings the body to the first byte that is still missing.
func (t *transfer) skipReceived(resp *http.Response, body io.Reader) error {
	if resp.StatusCode == http.StatusPartialContent {
		var start, end, total int64
		if _, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/%d", &start, &end, &total); err != nil ||
			start != t.written || end != total-1 || t.total >= 0 && total != t.total {
			return errChanged
		}
		t.total = total
		return nil
	}
	if t.total >= 0 && resp.ContentLength >= 0 && resp.ContentLength != t.total {
		return errChanged
	}
	again := sha256.New()
	if n, err := io.CopyN(again, body, t.written); err != nil {
		return &retriable{t.cutShort(n, err)}
	}
	if !bytes.Equal(again.Sum(nil), t.hash.Sum(nil)) {
		return errChanged
	}
	return nil
}

// cutShort: a file is cut off if two connections in a row ended at the very same byte. Ending anywhere else is the
// doing of a network that breaks connections, which says nothing about the file.
func (t *transfer) cutShort(at int64, err error) error {
	if t.cuts == 0 || at != t.cutAt {
		t.cutAt, t.cuts = at, 0
	}
	if t.cuts++; t.cuts > 1 {
		return footy.Reject(opFile, footy.ReasonTruncated, "%d of %d bytes: %w", t.written, t.total, err)
	}
	return footy.Errorf(footy.CodeUnavailable, opFile, "%d of %d bytes came: %w", t.written, t.total, err)
}
