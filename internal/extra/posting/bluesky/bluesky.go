// Package bluesky posts to an account of the AT protocol, a clip as its picture. The key of a post is chosen here, and putting it twice is
// putting it once. Posts are never edited: the network shows a post as it was first.
package bluesky

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
)

// Options of an account.
type Options struct {
	URL      string // of its server
	Handle   string
	Password string // an app password
	Client   *http.Client
	Now      func() time.Time
}

// Account implements target.Service.
type Account struct {
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
	repeats    = 24 * time.Hour
	collection = "app.bsky.feed.post"
	remedy     = "make a new app password (Settings, Privacy and security, App passwords) and write it in POST_BLUESKY_PASSWORD, with the account's handle in POST_BLUESKY_HANDLE"
)

// New makes a client.
func New(o Options) *Account {
	o.URL = strings.TrimRight(o.URL, "/")
	o.Client, o.Now = target.Defaults(o.Client, o.Now)
	return &Account{opt: o}
}

// Traits implements target.Service.
func (a *Account) Traits() target.Traits {
	return target.Traits{Name: "Bluesky", Target: a.opt.URL + " " + a.opt.Handle,
		Text: rule.Limit{Max: maxText, Unit: rule.Runes}, MaxPicture: maxPicture, Repeats: repeats}
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
	key := recordKey(p)
	var did string
	err := a.call(ctx, "post at Bluesky", func(ctx context.Context, in session) (*http.Request, error) {
		did = in.DID
		return target.JSON(ctx, http.MethodPost, a.opt.URL+"/xrpc/com.atproto.repo.putRecord",
			map[string]any{"repo": in.DID, "collection": collection, "rkey": key, "record": record})
	}, nil)
	return ref(did, key), err
}

// Delete implements target.Service: one that is gone is deleted, too.
func (a *Account) Delete(ctx context.Context, at target.Ref) error {
	return a.call(ctx, "delete a post at Bluesky", func(ctx context.Context, in session) (*http.Request, error) {
		return target.JSON(ctx, http.MethodPost, a.opt.URL+"/xrpc/com.atproto.repo.deleteRecord",
			map[string]any{"repo": in.DID, "collection": collection, "rkey": at.ID})
	}, nil)
}

// Test implements target.Service.
func (a *Account) Test(ctx context.Context) (string, error) {
	if _, err := a.signIn(ctx, session{}, true); err != nil {
		return "", err
	}
	return "the account was signed in to; nothing was posted", nil
}

func ref(did, key string) target.Ref {
	return target.Ref{ID: key, URL: "https://bsky.app/profile/" + did + "/post/" + key}
}

// recordKey is the key of a post, the same at each try: its time in microseconds, and ten bits of its own, in letters that sort.
func recordKey(p target.Post) string {
	const letters = "234567abcdefghijklmnopqrstuvwxyz"
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.Key))
	n := uint64(p.At.UnixMicro())<<10 | uint64(h.Sum32()%1024) //nolint:gosec // it is after 1970
	var key [13]byte
	for i := len(key) - 1; i >= 0; i-- {
		key[i] = letters[n&31]
		n >>= 5
	}
	return string(key[:])
}

// call makes a call as the account. A token that is no longer taken is replaced once.
func (a *Account) call(ctx context.Context, op string, make func(context.Context, session) (*http.Request, error), out any) error {
	for try := 1; ; try++ {
		in, err := a.signIn(ctx, session{}, false)
		if err != nil {
			return err
		}
		req, err := make(ctx, in)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+in.Token)
		got, err := target.Send(a.opt.Client, req, op)
		switch {
		case err != nil:
			return err
		case got.Status < http.StatusMultipleChoices && out != nil:
			return got.Into(op, out)
		case got.Status < http.StatusMultipleChoices:
			return nil
		}
		expired, err := a.refused(got, op)
		if !expired || try > 1 {
			return err
		}
		if _, err := a.signIn(ctx, in, true); err != nil {
			return err
		}
	}
}

// refused reads an error; expired: the token is to be replaced.
func (a *Account) refused(got target.Answer, op string) (expired bool, err error) {
	var e struct{ Error, Message string }
	_ = json.Unmarshal(got.Body, &e) // a proxy answers in HTML
	switch e.Error {
	case "ExpiredToken", "InvalidToken":
		got.Status, expired = http.StatusUnauthorized, true
	case "BlobTooLarge", "PayloadTooLarge":
		got.Status = http.StatusRequestEntityTooLarge
	}
	return expired, target.Refusal(got, op, e.Error+" "+e.Message, remedy, a.opt.Now())
}

// signIn gives the session that there is, or a new one: signing in is limited, so one lasts until it is refused.
func (a *Account) signIn(ctx context.Context, stale session, anew bool) (session, error) {
	const op = "sign in to Bluesky"
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.in.Token != "" && (!anew || stale.Token != "" && a.in.Token != stale.Token) {
		return a.in, nil
	}
	req, err := target.JSON(ctx, http.MethodPost, a.opt.URL+"/xrpc/com.atproto.server.createSession", map[string]string{"identifier": a.opt.Handle, "password": a.opt.Password})
	if err != nil {
		return session{}, err
	}
	got, err := target.Send(a.opt.Client, req, op)
	if err == nil && got.Status >= http.StatusMultipleChoices {
		_, err = a.refused(got, op)
	}
	var in session
	if err == nil {
		err = got.Into(op, &in)
	}
	if err != nil {
		return session{}, target.Harmless(err) // nothing was posted by it
	}
	a.in = in
	return in, nil
}
