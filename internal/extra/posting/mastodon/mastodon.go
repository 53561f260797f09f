// Package mastodon posts to an account of a Mastodon server.
package mastodon

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
)

// Options of an account.
type Options struct {
	URL    string // of its server
	Token  string
	Client *http.Client
	Look   time.Duration // between two looks whether a file is processed; 0: two seconds
}

// Account implements target.Service.
type Account struct {
	target.API
	opt Options
}

const (
	maxText    = 500
	linkCounts = 23
	maxVideo   = 40 << 20 // 99 MB since 4.3; older servers take 40
	maxPicture = 8 << 20
	remedy     = "make a new access token in the account's preferences (Development, with write:media and write:statuses) and write it in POST_MASTODON_TOKEN"
)

// New makes a client.
func New(o Options) *Account {
	o.URL = strings.TrimRight(o.URL, "/")
	o.Look = cmp.Or(o.Look, 2*time.Second)
	sign := func(req *http.Request) { req.Header.Set("Authorization", "Bearer "+o.Token) }
	return &Account{target.NewAPI(o.Client, remedy, sign, refused), o}
}

// Traits implements target.Service.
func (a *Account) Traits() target.Traits {
	return target.Traits{Name: "Mastodon", Target: a.opt.URL + " " + a.opt.Token,
		Text:     rule.Limit{Max: maxText, Unit: rule.Runes, Link: linkCounts},
		MaxVideo: maxVideo, MaxPicture: maxPicture}
}

// Upload implements target.Uploader: the server processes a video behind the answer, and takes no post that names it before.
func (a *Account) Upload(ctx context.Context, f target.File) (string, error) {
	const op = "hand a file to Mastodon"
	req, err := target.Form(ctx, http.MethodPost, a.opt.URL+"/api/v2/media", map[string]string{"description": f.About}, "file", &f)
	if err != nil {
		return "", err
	}
	var m struct {
		ID  string  `json:"id"`
		URL *string `json:"url"`
	}
	got, err := a.Send(req, op)
	if err == nil {
		err = target.Processed(ctx, op, func(again bool) (done bool, wait time.Duration, err error) {
			if again {
				if req, err = httpx.JSON(ctx, http.MethodGet, a.opt.URL+"/api/v1/media/"+m.ID, nil); err == nil {
					got, err = a.Send(req, op)
				}
			}
			if err == nil {
				err = got.Into(op, &m)
			}
			return got.Status == http.StatusOK && m.URL != nil, a.opt.Look, err
		})
	}
	return m.ID, err
}

type draft struct {
	Status     string   `json:"status"`
	Media      []string `json:"media_ids"`
	Visibility string   `json:"visibility,omitempty"`
}

func draftOf(p target.Post) draft {
	d := draft{Status: p.Text, Media: []string{}}
	if p.Handle != "" {
		d.Media = []string{p.Handle}
	}
	return d
}

// Create implements target.Service.
func (a *Account) Create(ctx context.Context, p target.Post) (target.Ref, error) {
	return a.write(ctx, "post at Mastodon", http.MethodPost, "", draftOf(p))
}

func (a *Account) write(ctx context.Context, op, method, id string, d draft) (target.Ref, error) {
	var status struct {
		ID  string `json:"id"`
		URL string `json:"url"`
	}
	err := a.Ask(ctx, op, method, a.opt.URL+"/api/v1/statuses"+id, d, &status)
	return target.Ref(status), err
}

// Edit implements target.Editor.
func (a *Account) Edit(ctx context.Context, at target.Ref, p target.Post) (target.Ref, error) {
	return a.write(ctx, "edit a post at Mastodon", http.MethodPut, "/"+at.ID, draftOf(p))
}

// Delete implements target.Service.
func (a *Account) Delete(ctx context.Context, at target.Ref) error {
	return a.Ask(ctx, "delete a post at Mastodon", http.MethodDelete, a.opt.URL+"/api/v1/statuses/"+at.ID, nil, nil)
}

// Test implements target.Service: a post that nobody else sees, and that is deleted at once.
func (a *Account) Test(ctx context.Context) (string, error) {
	at, err := a.write(ctx, "test Mastodon", http.MethodPost, "", draft{Status: "Found Footy: this is a test.", Media: []string{}, Visibility: "direct"})
	if err == nil {
		err = a.Delete(ctx, at)
	}
	return "a post that nobody else sees was made and deleted", err
}

func refused(a *target.Answer) (string, error) {
	var answer struct {
		Error string `json:"error"`
	}
	_ = json.Unmarshal(a.Body, &answer) // a proxy answers in HTML
	return answer.Error, nil
}
