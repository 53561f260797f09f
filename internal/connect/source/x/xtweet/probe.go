package xtweet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/found-footy/found-footy/internal/connect/source/x/tweet"
	"github.com/found-footy/found-footy/internal/footy"
)

// probeBytes is what is fetched of a file to know that it could be had: the header of an MP4 is shorter.
const probeBytes = 4 << 10

// Probe implements source.Fetcher: one look-up and the first bytes of the smallest file, each tried once.
func (f *Fetcher) Probe(ctx context.Context, c footy.Candidate) error {
	op := "probe post " + c.PostID
	limited, cancel := context.WithTimeout(ctx, f.opts.Timeout)
	defer cancel()
	files, err := f.resolve(limited, c.PostID)
	if err == nil {
		err = f.firstBytes(limited, files[len(files)-1])
	}
	var again *retriable
	if errors.As(err, &again) {
		err = again.final
	}
	return withReason(ctx, op, err)
}

func (f *Fetcher) firstBytes(ctx context.Context, file tweet.Variant) error {
	u, err := f.allowed(file)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return footy.Wrap(footy.CodeInvalid, opFile, err)
	}
	req.Header.Set("Range", fmt.Sprintf("bytes=0-%d", probeBytes-1))
	resp, err := f.client.Do(req)
	if err != nil {
		return connectionError(opFile, err)
	}
	defer resp.Body.Close() // not drained: a server that ignores the range sends the whole file
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusPartialContent {
		return statusError(fileAnswers, opFile, resp)
	}
	if err := checkKind(resp); err != nil {
		return err
	}
	n, err := io.Copy(io.Discard, io.LimitReader(resp.Body, probeBytes))
	if err != nil || n == 0 {
		return footy.Errorf(footy.CodeUnavailable, opFile, "only %d of the first %d bytes came: %v", n, probeBytes, err)
	}
	return nil
}
