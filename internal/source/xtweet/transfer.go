package xtweet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/source"
)

// transfer is a file on its way: what has come so far, with its digest.
type transfer struct {
	w        io.Writer
	sum      hash.Hash
	have     int64
	max      int64
	progress func(int64)
	kind     string
	tag      string // validator of the bytes we have; bytes of another file must not follow them
}

func newTransfer(w io.Writer, limit int64, progress func(int64)) *transfer {
	return &transfer{w: w, sum: sha256.New(), max: limit, progress: progress}
}

func (t *transfer) fetched(from string) source.Fetched {
	return source.Fetched{URL: from, Size: t.have, Digest: hex.EncodeToString(t.sum.Sum(nil)), ContentType: t.kind}
}

// transfer moves the bytes of one address, from where we are. again says whether another try may help.
func (f *Fetcher) transfer(ctx context.Context, addr string, t *transfer) (again bool, err error) {
	const op = "download video"
	u, err := url.Parse(addr)
	if err != nil || !httpx.Allowed(u.Host, f.opts.AllowedHosts) {
		return false, footy.Reject(op, footy.ReasonForbiddenURL, "%q is not on an allowed host", addr)
	}
	span := ""
	if t.have > 0 {
		span = fmt.Sprintf("bytes=%d-", t.have)
	}
	res, err := f.get(ctx, addr, span)
	if err != nil {
		return true, httpx.Fault(op, err)
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusForbidden:
		return true, footy.Errorf(footy.CodeGeoBlocked, op, "HTTP 403, also after looking the post up anew")
	case res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusGone:
		return false, footy.Reject(op, footy.ReasonDeleted, "the file is gone: HTTP %d", res.StatusCode)
	case res.StatusCode != http.StatusOK && res.StatusCode != http.StatusPartialContent:
		return true, footy.Errorf(footy.CodeUnavailable, op, "HTTP %d", res.StatusCode)
	}
	if err := t.take(res); err != nil {
		return retryable(err), err
	}
	return false, nil
}

// take appends what res brings and compares it with what was announced.
func (t *transfer) take(res *http.Response) error {
	const op = "download video"
	tag := res.Header.Get("ETag")
	if res.StatusCode == http.StatusOK || tag != t.tag {
		if err := t.rewind(); err != nil {
			return err
		}
		if res.StatusCode == http.StatusPartialContent {
			return footy.Reject(op, footy.ReasonTruncated, "the file changed while it was fetched")
		}
	}
	t.tag, t.kind = tag, res.Header.Get("Content-Type")
	if strings.HasPrefix(t.kind, "text/") || strings.HasPrefix(t.kind, "image/") {
		return footy.Reject(op, footy.ReasonNoVideo, "the file is %s", t.kind)
	}
	want := int64(-1)
	if res.ContentLength >= 0 {
		want = t.have + res.ContentLength
	}
	if want > t.max {
		return footy.Reject(op, footy.ReasonTooLarge, "%d bytes, at most %d are fetched", want, t.max)
	}
	if err := t.copy(res.Body); err != nil {
		return err
	}
	if want >= 0 && t.have < want {
		return footy.Reject(op, footy.ReasonTruncated, "%d bytes announced, %d came", want, t.have)
	}
	return nil
}

func (t *transfer) copy(r io.Reader) error {
	const op = "download video"
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		if t.have+int64(n) > t.max {
			return footy.Reject(op, footy.ReasonTooLarge, "more than %d bytes", t.max)
		}
		if n > 0 {
			if _, werr := t.w.Write(buf[:n]); werr != nil {
				return footy.Errorf(footy.CodeUnavailable, op, "write: %w", werr)
			}
			t.sum.Write(buf[:n])
			t.have += int64(n)
			if t.progress != nil {
				t.progress(t.have)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return footy.Reject(op, footy.ReasonTruncated, "the connection ended after %d bytes", t.have)
		case err != nil:
			return httpx.Fault(op, err)
		}
	}
}

// rewind begins the file anew.
func (t *transfer) rewind() error {
	if t.have == 0 {
		return nil
	}
	f, ok := t.w.(interface {
		io.Seeker
		Truncate(int64) error
	})
	if !ok {
		return footy.Reject("download video", footy.ReasonTruncated, "the connection broke and the server cannot resume")
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return footy.Wrap(footy.CodeUnavailable, "download video", err)
	}
	if err := f.Truncate(0); err != nil {
		return footy.Wrap(footy.CodeUnavailable, "download video", err)
	}
	t.sum.Reset()
	t.have = 0
	return nil
}

// retryable tells whether a broken transfer may go better: truncation and lost connections may, refusals do not.
func retryable(err error) bool {
	var e *footy.Error
	if errors.As(err, &e) && e.Code == footy.CodeRejected {
		return e.Reason == footy.ReasonTruncated
	}
	return true
}
