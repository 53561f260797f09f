// Package bluesky posts to an account of the AT protocol, a clip as its picture. Posts are never edited: the network shows a post as it was first.
package bluesky

import (
	"context"
	"encoding/json"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options of an account.
type Options struct {
	URL      string // of its server
	Handle   string
	Password string // an app password
	Client   *http.Client
}

// Account implements target.Service.
type Account struct {
	target.API
	opt Options

	mu sync.Mutex
	in session
}

type session struct {
	DID   string `json:"did"`
	Token string `json:"accessJwt"`
}

const (
	maxText    = 300 // graphemes, which are never more than code points
	maxPicture = 1_000_000
	collection = "app.bsky.feed.post"
	remedy     = "make a new app password (Settings, Privacy and security, App passwords) and write it in POST_BLUESKY_PASSWORD, with the account's handle in POST_BLUESKY_HANDLE"
)

// New makes a client.
func New(o Options) *Account {
	o.URL = strings.TrimRight(o.URL, "/")
	return &Account{API: target.NewAPI(o.Client, remedy, nil, refused), opt: o}
}

// Traits implements target.Service.
func (a *Account) Traits() target.Traits {
	return target.Traits{Name: "Bluesky", Target: a.opt.URL + " " + a.opt.Handle,
		Text: rule.Limit{Max: maxText, Unit: rule.Runes}, MaxPicture: maxPicture}
}

// Upload implements target.Uploader: the handle is the blob as the server names it, with what it shows.
func (a *Account) Upload(ctx context.Context, f target.File) (string, error) {
	var got struct {
		Blob json.RawMessage `json:"blob"`
	}
	err := a.call(ctx, "hand a file to Bluesky", func(ctx context.Context, _ session) (*http.Request, error) {
		return target.Whole(ctx, http.MethodPost, a.opt.URL+"/xrpc/com.atproto.repo.uploadBlob", f)
	}, &got)
	if err != nil {
		return "", err
	}
	handle, err := json.Marshal(image{got.Blob, f.About})
	return string(handle), err
}

// image is a picture as a post names it.
type image struct {
	Blob  json.RawMessage `json:"image"`
	About string          `json:"alt"`
}

// Create implements target.Service.
func (a *Account) Create(ctx context.Context, p target.Post) (target.Ref, error) {
	record := map[string]any{"$type": collection, "text": p.Text, "createdAt": p.At.UTC().Format("2006-01-02T15:04:05.000Z")}
	if i := strings.Index(p.Text, p.Link); p.Link != "" && i >= 0 { // links are marked by their bytes
		record["facets"] = []any{map[string]any{"index": map[string]int{"byteStart": i, "byteEnd": i + len(p.Link)},
			"features": []any{map[string]any{"$type": "app.bsky.richtext.facet#link", "uri": p.Link}}}}
	}
	if p.Handle != "" {
		record["embed"] = map[string]any{"$type": "app.bsky.embed.images", "images": []any{json.RawMessage(p.Handle)}}
	}
	var got struct {
		URI string `json:"uri"` // at://<account>/<collection>/<key>
	}
	var did string
	err := a.call(ctx, "post at Bluesky", func(ctx context.Context, in session) (*http.Request, error) {
		did = in.DID
		return httpx.JSON(ctx, http.MethodPost, a.opt.URL+"/xrpc/com.atproto.repo.createRecord",
			map[string]any{"repo": in.DID, "collection": collection, "record": record})
	}, &got)
	key := path.Base(got.URI)
	return target.Ref{ID: key, URL: "https://bsky.app/profile/" + did + "/post/" + key}, err
}

// Delete implements target.Service: one that is gone is deleted, too.
func (a *Account) Delete(ctx context.Context, at target.Ref) error {
	return a.call(ctx, "delete a post at Bluesky", func(ctx context.Context, in session) (*http.Request, error) {
		return httpx.JSON(ctx, http.MethodPost, a.opt.URL+"/xrpc/com.atproto.repo.deleteRecord",
			map[string]any{"repo": in.DID, "collection": collection, "rkey": at.ID})
	}, nil)
}

// Test implements target.Service.
func (a *Account) Test(ctx context.Context) (string, error) {
	_, err := a.signIn(ctx)
	return "the account was signed in to; nothing was posted", err
}

// call makes a call as the account. A session that is no longer taken is replaced once.
func (a *Account) call(ctx context.Context, op string, make func(context.Context, session) (*http.Request, error), out any) error {
	for try := 1; ; try++ {
		in, err := a.session(ctx)
		if err != nil {
			return err
		}
		req, err := make(ctx, in)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+in.Token)
		got, err := a.Send(req, op)
		switch {
		case footy.CodeOf(err) == footy.CodeAuthRequired && try == 1:
			a.forget(in)
		case err != nil || out == nil:
			return err
		default:
			return got.Into(op, out)
		}
	}
}

func refused(a *target.Answer) (string, error) {
	var e struct{ Error, Message string }
	_ = json.Unmarshal(a.Body, &e) // a proxy answers in HTML
	switch e.Error {
	case "ExpiredToken", "InvalidToken":
		a.Status = http.StatusUnauthorized
	case "BlobTooLarge", "PayloadTooLarge":
		a.Status = http.StatusRequestEntityTooLarge
	}
	return e.Error + " " + e.Message, nil
}

// session is the one that there is, or a new one: signing in is limited, so one lasts until it is refused.
func (a *Account) session(ctx context.Context) (session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.in.Token != "" {
		return a.in, nil
	}
	in, err := a.signIn(ctx)
	a.in = in
	return in, err
}

func (a *Account) forget(in session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.in == in {
		a.in = session{}
	}
}

func (a *Account) signIn(ctx context.Context) (in session, err error) {
	err = a.Ask(ctx, "sign in to Bluesky", http.MethodPost, a.opt.URL+"/xrpc/com.atproto.server.createSession",
		map[string]string{"identifier": a.opt.Handle, "password": a.opt.Password}, &in)
	return in, target.Harmless(err) // nothing was posted by it
}
