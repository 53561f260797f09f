package target

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// ErrUnknown says that a request reached the service, perhaps, and that nobody heard what it did.
var ErrUnknown = errors.New("nobody knows whether it was done")

const answerLimit = 1 << 20

// Answer of a service.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	Wait   time.Duration // that a body asks for; 0: its header says
}

// Into decodes a JSON body. One that cannot be read came from a service that had done its work.
func (a Answer) Into(op string, out any) error {
	if err := json.Unmarshal(a.Body, out); err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "its answer cannot be read: %w; %w", err, ErrUnknown)
	}
	return nil
}

// API is how an adapter calls its service.
type API struct {
	client  *http.Client
	remedy  string
	sign    func(*http.Request)
	refused func(*Answer) (said string, err error)
}

// NewAPI makes one; without a client it has its own. Calls end by their context: an upload takes as long as it takes. remedy is what
// a person can do about a refused login. sign gives a request its credentials. refused reads what the service says of an answer that is no success; it may correct the status, say how
// long to wait, or give an error of its own.
func NewAPI(client *http.Client, remedy string, sign func(*http.Request), refused func(*Answer) (said string, err error)) API {
	if client == nil {
		client = httpx.New(httpx.Options{Timeout: -1, UserAgent: "found-footy"})
	}
	return API{client, remedy, sign, refused}
}

// Over makes one whose exchanges go through another transport, made over its client.
func (c API) Over(transport func(*http.Client) http.RoundTripper) API {
	client := *c.client
	client.Transport = transport(c.client)
	c.client = &client
	return c
}

// Send makes one exchange; what is no success is an error.
func (c API) Send(req *http.Request, op string) (Answer, error) {
	if c.sign != nil {
		c.sign(req)
	}
	got, err := send(c.client, req, op)
	if err != nil || got.Status < http.StatusMultipleChoices {
		return got, err
	}
	said, err := c.refused(&got)
	if err == nil {
		err = c.refusal(got, op, said)
	}
	return got, err
}

// Ask makes an exchange in JSON: nil has no body, and nil out reads none.
func (c API) Ask(ctx context.Context, op, method, address string, body, out any) error {
	req, err := httpx.JSON(ctx, method, address, body)
	if err != nil {
		return err
	}
	got, err := c.Send(req, op)
	if err != nil || out == nil {
		return err
	}
	return got.Into(op, out)
}

// send makes one exchange. An error means that there was no answer: with ErrUnknown in it where the request left whole. Addresses and
// what the library says of them stay out of it: they hold secrets.
func send(client *http.Client, req *http.Request, op string) (Answer, error) {
	var left atomic.Bool
	trace := &httptrace.ClientTrace{WroteRequest: func(i httptrace.WroteRequestInfo) { left.Store(i.Err == nil) }}
	resp, body, err := httpx.Read(client, req.WithContext(httptrace.WithClientTrace(req.Context(), trace)), answerLimit) //nolint:bodyclose // it closes it
	if err == nil {
		return Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}, nil
	}
	if own, ok := errors.AsType[*footy.Error](err); ok && own.Op == readClip { // no fault of the service
		return Answer{}, own
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if left.Load() {
		return Answer{}, footy.Errorf(footy.CodeUnavailable, op, "no answer (%w); %w", err, ErrUnknown)
	}
	return Answer{}, footy.Errorf(footy.CodeUnavailable, op, "it cannot be reached: %w", err)
}

// refusal makes an error of an answer that is no success.
func (c API) refusal(a Answer, op, said string) error {
	said = strings.TrimSpace(said)
	if said == "" {
		said = http.StatusText(a.Status)
	}
	said = fmt.Sprintf("HTTP %d, %s", a.Status, cutSaid(said))
	switch s := a.Status; {
	case s == http.StatusTooManyRequests, s == http.StatusServiceUnavailable:
		code := footy.CodeRateLimited
		if s != http.StatusTooManyRequests {
			code = footy.CodeUnavailable
		}
		return &footy.Error{Code: code, Op: op, RetryAfter: cmp.Or(a.Wait, wait(a.Header, time.Now())), Err: fmt.Errorf("it wants to be left alone for a while (%s); it is tried again", said)}
	case s >= http.StatusInternalServerError:
		return footy.Errorf(footy.CodeUnavailable, op, "%s; %w", said, ErrUnknown)
	case s == http.StatusUnauthorized, s == http.StatusForbidden:
		return footy.Errorf(footy.CodeAuthRequired, op, "%s: %s", said, c.remedy)
	case s == http.StatusNotFound, s == http.StatusGone:
		return footy.Errorf(footy.CodeNotFound, op, "%s", said)
	case s == http.StatusRequestEntityTooLarge:
		return footy.Reject(op, footy.ReasonTooLarge, "%s", said)
	}
	return footy.Errorf(footy.CodeRejected, op, "%s", said)
}

func cutSaid(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}

// wait is how long the service wants to be left alone, by whichever header it uses.
func wait(h http.Header, now time.Time) time.Duration {
	if d := httpx.RetryAfter(h, now); d > 0 {
		return d
	}
	for _, name := range []string{"Retry-After", "X-RateLimit-Reset-After"} { // of Discord: seconds with a fraction
		if s, err := strconv.ParseFloat(h.Get(name), 64); err == nil && s > 0 {
			return time.Duration(s * float64(time.Second))
		}
	}
	for _, name := range []string{"X-Rate-Limit-Reset", "RateLimit-Reset", "X-RateLimit-Reset"} { // of X, Bluesky, Mastodon
		v := h.Get(name)
		at, err := time.Parse(time.RFC3339, v)
		if s, no := strconv.ParseInt(v, 10, 64); no == nil {
			at, err = time.Unix(s, 0), nil
		}
		if err == nil {
			return max(at.Sub(now), time.Second) // its clock may be behind ours
		}
	}
	return time.Minute
}

// Form makes a multipart request of fields and a file; nil has none.
func Form(ctx context.Context, method, address string, fields map[string]string, name string, f *File) (*http.Request, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for k, v := range fields {
		_ = w.WriteField(k, v) // into memory
	}
	if f != nil {
		h := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name=%q; filename=%q`, name, f.Name)}, "Content-Type": {f.Type}}
		if _, err := w.CreatePart(h); err != nil {
			return nil, footy.Wrap(footy.CodeInvalid, "write request", err)
		}
	}
	head := b.Len()
	_ = w.Close()
	return streamed(ctx, method, address, w.FormDataContentType(), b.Bytes()[:head], f, b.Bytes()[head:])
}

// Whole makes a request whose body is a file.
func Whole(ctx context.Context, method, address string, f File) (*http.Request, error) {
	return streamed(ctx, method, address, f.Type, nil, &f, nil)
}

// streamed makes a request whose body is a file, nil is none, between two others. The file is read while it is sent, and opened anew for
// each try.
func streamed(ctx context.Context, method, address, kind string, head []byte, f *File, tail []byte) (*http.Request, error) {
	if f == nil {
		f = &File{Open: func(int64) (io.ReadCloser, error) { return http.NoBody, nil }}
	}
	open := func() (io.ReadCloser, error) {
		file, err := f.Open(0)
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(head), io.LimitReader(file, f.Size), bytes.NewReader(tail)), file}, nil
	}
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "write request", "its address cannot be read")
	}
	if req.Body, err = open(); err != nil {
		return nil, err
	}
	req.GetBody, req.ContentLength = open, int64(len(head)+len(tail))+f.Size
	req.Header.Set("Content-Type", kind)
	return req, nil
}

// Harmless says of a failed request that it changes nothing that anybody sees, whatever became of it.
func Harmless(err error) error {
	if err == nil || !errors.Is(err, ErrUnknown) {
		return err
	}
	e, ok := errors.AsType[*footy.Error](err)
	if !ok {
		return footy.Errorf(footy.CodeUnavailable, "", "no answer")
	}
	return &footy.Error{Code: e.Code, Op: e.Op, RetryAfter: e.RetryAfter, Err: errors.New(strings.TrimSuffix(footy.RootCause(err), "; "+ErrUnknown.Error()))}
}
