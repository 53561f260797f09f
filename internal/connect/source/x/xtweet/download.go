package xtweet

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

const opFile = "download file"

// download makes one try at a file. What was written of another one is begun anew; queries carry expiring signatures and may differ.
func (f *Fetcher) download(ctx context.Context, address string, t *transfer) error {
	u, err := f.allowed(address)
	if err != nil {
		return err
	}
	if t.out.Size > 0 && t.file != u.Host+u.Path {
		if err := t.out.Restart(); err != nil {
			return err
		}
	}
	return f.get(ctx, u, t)
}

func (f *Fetcher) allowed(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, footy.Reject(opFile, footy.ReasonForbiddenURL, "unreadable address: %w", err)
	}
	if (u.Scheme != "https" && u.Scheme != "http") || u.User != nil || !f.opts.AnyHost && !httpx.Allowed(u.Host, f.opts.AllowedHosts) {
		return nil, footy.Reject(opFile, footy.ReasonForbiddenURL, "%s://%s is not on an allowed host", u.Scheme, u.Host)
	}
	return u, nil
}

func (f *Fetcher) get(ctx context.Context, u *url.URL, t *transfer) error {
	header := http.Header{"Accept-Encoding": {"identity"}} // else the length would be that of the packed bytes
	if t.out.Size > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", t.out.Size))
		if t.etag != "" {
			header.Set("If-Range", t.etag)
		}
	}
	req := (&http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: header}).WithContext(ctx)
	resp, err := f.client.Do(req)
	if err != nil {
		return connectionError(opFile, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK && (resp.StatusCode != http.StatusPartialContent || t.out.Size == 0) {
		return statusError(opFile, resp)
	}
	return t.readBody(u, resp)
}

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

// readBody reads a 200 or 206 and returns nil only when the whole file is there.
func (t *transfer) readBody(u *url.URL, resp *http.Response) error {
	if t.out.Size > 0 && !t.goesOn(resp) {
		if err := t.out.Restart(); err != nil {
			return err
		}
	}
	body := bufio.NewReaderSize(resp.Body, source.KindBytes)
	if t.out.Size == 0 {
		if resp.StatusCode != http.StatusOK {
			return &retriable{footy.Errorf(footy.CodeUnavailable, opFile, "the file changed while it was downloaded")}
		}
		if err := t.acceptFile(u, resp, body); err != nil {
			return err
		}
	}
	_, err := io.Copy(t.out, body)
	if err == nil && (t.out.Size == 0 || t.total >= 0 && t.out.Size != t.total) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil && t.out.Err == nil {
		return &retriable{t.cutShort(err)}
	}
	return err
}

func (t *transfer) acceptFile(u *url.URL, resp *http.Response, body *bufio.Reader) error {
	head, _ := body.Peek(source.KindBytes) // what broke off is met again by who reads on
	if err := checkKind(resp, head); err != nil {
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

// checkKind: a page in place of a file comes from whoever stands between us and X (a provider that blocks, a hotel's log-in). The first bytes
// say what it is; its type is asked only where they do not.
func checkKind(resp *http.Response, head []byte) error {
	is, kind := source.KindOf(head), resp.Header.Get("Content-Type")
	switch {
	case is == source.KindVideo:
	case is == source.KindPicture, strings.HasPrefix(kind, "image/"):
		return footy.Reject(opFile, footy.ReasonNoVideo, "the file is a picture (%s)", kind)
	case is != "", strings.HasPrefix(kind, "text/"):
		return &retriable{footy.Errorf(footy.CodeUnavailable, opFile, "a page (%s) came instead of the file", kind)}
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
