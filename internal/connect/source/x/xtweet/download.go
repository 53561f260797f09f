package xtweet

import (
	"context"
	"fmt"
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
		if footy.ReasonOf(err) != footy.ReasonTooLarge || t.out.Size > 0 {
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
	if t.out.Size > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", t.out.Size))
		if t.etag != "" {
			req.Header.Set("If-Range", t.etag)
		}
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return connectionError(opFile, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK || resp.StatusCode == http.StatusPartialContent && t.out.Size > 0 {
		return t.readBody(u, resp)
	}
	return statusError(fileAnswers, opFile, resp)
}
