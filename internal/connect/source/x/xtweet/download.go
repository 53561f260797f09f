package xtweet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source/x/tweet"
	"github.com/found-footy/found-footy/internal/footy"
)

const opFile = "download file"

// download makes one try at the best file that is within the size limit. Once bytes are written, only that very file
// can be gone on with.
func (f *Fetcher) download(ctx context.Context, files []tweet.Variant, t *transfer) error {
	var tooLarge error
	for _, file := range files {
		u, err := f.allowed(file)
		if err != nil {
			return err
		}
		if !t.continues(u) {
			continue
		}
		err = f.get(ctx, u, t)
		if footy.ReasonOf(err) != footy.ReasonTooLarge || t.written > 0 {
			return err
		}
		tooLarge = err
	}
	if tooLarge != nil {
		return tooLarge
	}
	return footy.Errorf(footy.CodeUnavailable, opFile, "the file changed while it was downloaded")
}

// allowed reads an address that a post supplied.
func (f *Fetcher) allowed(file tweet.Variant) (*url.URL, error) {
	u, err := url.Parse(file.URL)
	if err != nil {
		return nil, footy.Reject(opFile, footy.ReasonForbiddenURL, "unreadable address: %w", err)
	}
	if (u.Scheme != "https" && u.Scheme != "http") || u.User != nil || !httpx.Allowed(u.Host, f.opts.AllowedHosts) {
		return nil, footy.Reject(opFile, footy.ReasonForbiddenURL, "%s://%s is not on an allowed host", u.Scheme, u.Host)
	}
	return u, nil
}

func (f *Fetcher) get(ctx context.Context, u *url.URL, t *transfer) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return footy.Wrap(footy.CodeInvalid, opFile, err)
	}
	req.Header.Set("Accept-Encoding", "identity") // else the length would be that of the packed bytes
	if t.written > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", t.written))
		if t.etag != "" {
			req.Header.Set("If-Range", t.etag)
		}
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return connectionError(opFile, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK || resp.StatusCode == http.StatusPartialContent && t.written > 0 {
		return t.readBody(u, resp)
	}
	return statusError(fileAnswers, opFile, resp)
}

// copyChunk bounds what is read between two reports of progress.
const copyChunk = 256 << 10

// errWrite marks a failure of our side of the copy: trying the network again would not help a full disk.
var errWrite = errors.New("write")

// receive copies the body behind what is already there, up to the limit.
func (t *transfer) receive(body io.Reader) error {
	buf := make([]byte, copyChunk)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			if t.written+int64(n) > t.limit {
				return footy.Reject(opFile, footy.ReasonTooLarge, "more than %d bytes", t.limit)
			}
			if _, werr := t.w.Write(buf[:n]); werr != nil {
				return &footy.Error{Code: footy.CodeUnavailable, Op: opFile, Reason: footy.ReasonMachine, Err: fmt.Errorf("%w: %w", errWrite, werr)}
			}
			t.hash.Write(buf[:n])
			t.written += int64(n)
			if t.progress != nil {
				t.progress(t.written)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func isWrite(err error) bool { return errors.Is(err, errWrite) }
