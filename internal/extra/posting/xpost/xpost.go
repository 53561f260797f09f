// Package xpost posts to an account of X through its official API, which is paid by the post: without a link, which costs thirteen times as
// much. Posts are never edited.
package xpost

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/dghubble/oauth1"

	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options of an account: the keys of an app and the account's tokens for it (OAuth 1.0a).
type Options struct {
	URL                                string // of the API
	Key, KeySecret, Token, TokenSecret string
	Client                             *http.Client
}

// Account implements target.Service.
type Account struct {
	target.API
	opt Options
}

// Name of the service.
const Name = "X"

const (
	maxText    = 280
	linkCounts = 23 // characters, whatever its length
	maxVideo   = 100 << 20
	maxPicture = 5 << 20
	chunk      = 4 << 20
	remedy     = "give your app at developer.x.com the permission to read and write, make its four keys and tokens anew and write them in POST_X_KEY, POST_X_KEY_SECRET, POST_X_TOKEN and POST_X_TOKEN_SECRET"
)

// New makes a client.
func New(o Options) *Account {
	o.URL = strings.TrimRight(o.URL, "/")
	sign := oauth1.NewConfig(o.Key, o.KeySecret)
	return &Account{target.NewAPI(o.Client, remedy, nil, refused).Over(func(c *http.Client) http.RoundTripper {
		return sign.Client(context.WithValue(oauth1.NoContext, oauth1.HTTPClient, c), oauth1.NewToken(o.Token, o.TokenSecret)).Transport
	}), o}
}

// Traits implements target.Service.
func (a *Account) Traits() target.Traits {
	return target.Traits{Name: Name, Target: a.opt.Token,
		Text: rule.Limit{Max: maxText, Unit: weight, Link: linkCounts}, MaxVideo: maxVideo, MaxPicture: maxPicture}
}

// weight counts as X does: letters of European scripts and some marks one, all others two.
func weight(s string) int {
	n := 0
	for _, r := range s {
		if r <= 4351 || 8192 <= r && r <= 8205 || 8208 <= r && r <= 8223 || 8242 <= r && r <= 8247 {
			n++
		} else {
			n += 2
		}
	}
	return n
}

// media is a file as X tells of it.
type media struct {
	Data struct {
		ID         string `json:"id"`
		Processing *struct {
			State string `json:"state"` // pending, in_progress, succeeded, failed
			After int    `json:"check_after_secs"`
			Error *struct {
				Message string `json:"message"`
			} `json:"error"`
		} `json:"processing_info"`
	} `json:"data"`
}

// Upload implements target.Uploader: in pieces, and then X looks at it for a while.
func (a *Account) Upload(ctx context.Context, f target.File) (string, error) {
	id, err := a.upload(ctx, f)
	return id, target.Harmless(err) // it is not shown before the post
}

func (a *Account) upload(ctx context.Context, f target.File) (string, error) {
	const op, base = "hand a file to X", "/2/media/upload"
	category := "tweet_image"
	if f.Video {
		category = "tweet_video"
	}
	var m media
	what := map[string]any{"media_type": f.Type, "media_category": category, "total_bytes": f.Size}
	err := a.json(ctx, op, http.MethodPost, base+"/initialize", what, &m)
	if err != nil {
		return "", err
	}
	id := m.Data.ID
	for from := int64(0); from < f.Size; from += chunk {
		piece := f
		piece.Size, piece.Open = min(chunk, f.Size-from), func(int64) (io.ReadCloser, error) { return f.Open(from) }
		index := map[string]string{"segment_index": fmt.Sprint(from / chunk)}
		req, err := target.Form(ctx, http.MethodPost, a.opt.URL+base+"/"+id+"/append", index, "media", &piece)
		if err != nil {
			return "", err
		}
		if _, err := a.Send(req, op); err != nil {
			return "", err
		}
	}
	if err := a.json(ctx, op, http.MethodPost, base+"/"+id+"/finalize", nil, &m); err != nil {
		return "", err
	}
	return id, target.Processed(ctx, op, func(again bool) (done bool, wait time.Duration, err error) {
		if again {
			m = media{}
			err = a.json(ctx, op, http.MethodGet, base+"?"+url.Values{"command": {"STATUS"}, "media_id": {id}}.Encode(), nil, &m)
		}
		p := m.Data.Processing
		switch {
		case err != nil:
			return false, 0, err
		case p == nil || p.State == "succeeded":
			return true, 0, nil
		case p.State == "failed" && p.Error != nil:
			return false, 0, footy.Errorf(footy.CodeRejected, op, "X cannot process the file: %s", p.Error.Message)
		case p.State == "failed":
			return false, 0, footy.Errorf(footy.CodeRejected, op, "X cannot process the file")
		}
		return false, time.Duration(p.After) * time.Second, nil
	})
}

// Create implements target.Service.
func (a *Account) Create(ctx context.Context, p target.Post) (target.Ref, error) {
	body := map[string]any{"text": p.Text}
	if p.Handle != "" {
		body["media"] = map[string]any{"media_ids": []string{p.Handle}}
	}
	var got struct {
		Data struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	err := a.json(ctx, "post at X", http.MethodPost, "/2/tweets", body, &got)
	return target.Ref{ID: got.Data.ID, URL: "https://x.com/i/status/" + got.Data.ID}, err
}

// Delete implements target.Service.
func (a *Account) Delete(ctx context.Context, at target.Ref) error {
	const op = "delete a post at X"
	if at.ID == "" {
		return footy.Errorf(footy.CodeRejected, op, "X never said which post it is: delete it by hand")
	}
	return a.json(ctx, op, http.MethodDelete, "/2/tweets/"+at.ID, nil, nil)
}

// Test implements target.Service.
func (a *Account) Test(ctx context.Context) (string, error) {
	var got struct {
		Data struct {
			Name string `json:"username"`
		} `json:"data"`
	}
	if err := a.json(ctx, "test X", http.MethodGet, "/2/users/me", nil, &got); err != nil {
		return "", target.Harmless(err)
	}
	return "signed in as @" + got.Data.Name + "; nothing was posted", nil
}

func (a *Account) json(ctx context.Context, op, method, path string, body, out any) error {
	return a.Ask(ctx, op, method, a.opt.URL+path, body, out)
}

func refused(a *target.Answer) (string, error) {
	if why := bill.Refused(a.Status, a.Header, a.Body); why != "" { // no RetryAfter: deletions do not wait for money
		fault, remedy := bill.Words(why, "")
		return "", footy.Errorf(footy.CodeRateLimited, "ask X", "%s. %s", fault, remedy)
	}
	var e struct{ Detail, Title string }
	_ = json.Unmarshal(a.Body, &e) // a proxy answers in HTML
	if a.Status == http.StatusForbidden && strings.Contains(strings.ToLower(e.Detail), "duplicate content") {
		a.Status = http.StatusConflict // and not for want of a permission
	}
	return cmp.Or(e.Detail, e.Title), nil
}
