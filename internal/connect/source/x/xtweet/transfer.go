package xtweet

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// transfer is one file on its way, over as many connections as it takes. A second connection goes on where the first broke only if range and
// validator prove that it is the same file; else the file is begun anew.
type transfer struct {
	out   *source.Sink
	file  string // host and path of the file that was begun
	url   string
	etag  string
	total int64 // -1 = unknown

	cutAt int64 // byte at which the last connection ended short
	cuts  int   // connections in a row that ended there
}

// continues reports whether u is the file that was begun; queries carry expiring signatures and may differ.
func (t *transfer) continues(u *url.URL) bool { return t.out.Size == 0 || t.file == u.Host+u.Path }

// readBody reads a 200 or 206 and returns nil only when the whole file is there.
func (t *transfer) readBody(u *url.URL, resp *http.Response) error {
	if t.out.Size > 0 && !t.goesOn(resp) {
		if err := t.out.Restart(); err != nil {
			return err
		}
	}
	if t.out.Size == 0 {
		if resp.StatusCode != http.StatusOK {
			return &retriable{footy.Errorf(footy.CodeUnavailable, opFile, "the file changed while it was downloaded")}
		}
		if err := t.acceptFile(u, resp); err != nil {
			return err
		}
	}
	_, err := io.Copy(t.out, resp.Body)
	if err == nil && (t.out.Size == 0 || t.total >= 0 && t.out.Size != t.total) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil && t.out.Err == nil {
		return &retriable{t.cutShort(err)}
	}
	return err
}

func (t *transfer) acceptFile(u *url.URL, resp *http.Response) error {
	if err := checkKind(resp); err != nil {
		return err
	}
	if resp.ContentLength > t.out.Limit {
		return footy.Reject(opFile, footy.ReasonTooLarge, "%d bytes, the limit is %d", resp.ContentLength, t.out.Limit)
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

// goesOn reports whether an answer begins at the first byte that is still missing.
func (t *transfer) goesOn(resp *http.Response) bool {
	var start, end, total int64
	if resp.StatusCode != http.StatusPartialContent {
		return false
	}
	_, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/%d", &start, &end, &total)
	return err == nil && start == t.out.Size && end == total-1 && (t.total < 0 || total == t.total)
}

// cutShort: a file is cut off if two connections in a row ended at the very same byte. Ending anywhere else is the
// doing of a network that breaks connections, which says nothing about the file.
func (t *transfer) cutShort(err error) error {
	at := t.out.Size
	if t.cuts == 0 || at != t.cutAt {
		t.cutAt, t.cuts = at, 0
	}
	if t.cuts++; t.cuts > 1 {
		return footy.Reject(opFile, footy.ReasonTruncated, "%d of %d bytes: %w", t.out.Size, t.total, err)
	}
	return footy.Errorf(footy.CodeUnavailable, opFile, "%d of %d bytes came: %w", t.out.Size, t.total, err)
}
