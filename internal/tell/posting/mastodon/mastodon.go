// Package mastodon posts to an account of a Mastodon server. A post is exact: its Idempotency-Key makes a repeated request the same post
// for an hour, and the account's own posts can be listed.
package mastodon

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/posting"
)

// Options of an account.
type Options struct {
	URL    string // of its server
	Token  string
	Client *http.Client
	Now    func() time.Time
	Look   time.Duration // between two looks whether a file is processed; 0: two seconds
}

// Account implements posting.Service.
type Account struct {
	opt Options

	mu sync.Mutex
	id string // of the account
}

const (
	maxText    = 500
	linkCounts = 23
	maxVideo   = 40 << 20 // 99 MB since 4.3; older servers take 40
	maxPicture = 8 << 20
	page       = 40
	pages      = 5 // of own posts that are looked through
	remedy     = "make a new access token in the account's preferences (Development, with read:accounts, read:statuses, write:media and write:statuses) and write it in POST_MASTODON_TOKEN"
)

// New makes a client.
func New(o Options) *Account {
	o.URL = strings.TrimRight(o.URL, "/")
	o.Client, o.Now = posting.Defaults(o.Client, o.Now)
	if o.Look == 0 {
		o.Look = 2 * time.Second
	}
	return &Account{opt: o}
}

// Traits implements posting.Service.
func (a *Account) Traits() posting.Traits {
	return posting.Traits{Name: "Mastodon", Target: a.opt.URL + " " + a.opt.Token,
		Text: posting.Limit{Max: maxText, Unit: posting.Runes, Link: linkCounts}, MaxVideo: maxVideo, MaxPicture: maxPicture}
}

// status is a post as Mastodon tells of it.
type status struct {
	ID      string    `json:"id"`
	URL     string    `json:"url"`
	Content string    `json:"content"` // HTML
	Created time.Time `json:"created_at"`
}

func (s status) ref() posting.Ref { return posting.Ref{ID: s.ID, URL: s.URL} }

// Upload implements posting.Uploader: the server processes a video behind the answer, and takes no post that names it before.
func (a *Account) Upload(ctx context.Context, f posting.File) (string, error) {
	const op = "hand a file to Mastodon"
	req, err := posting.Form(ctx, http.MethodPost, a.opt.URL+"/api/v2/media", map[string]string{"description": f.About}, "file", &f)
	if err != nil {
		return "", err
	}
	var m struct {
		ID  string  `json:"id"`
		URL *string `json:"url"`
	}
	got, err := a.send(req, op)
	if err == nil {
		err = posting.Processed(ctx, op, f, func(again bool) (done bool, wait time.Duration, err error) {
			if again {
				if req, err = posting.JSON(ctx, http.MethodGet, a.opt.URL+"/api/v1/media/"+m.ID, nil); err == nil {
					got, err = a.send(req, op)
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

func said(p posting.Post) draft {
	d := draft{Status: p.Text, Media: []string{}}
	if p.Handle != "" {
		d.Media = []string{p.Handle}
	}
	return d
}

// Create implements posting.Service.
func (a *Account) Create(ctx context.Context, p posting.Post) (posting.Ref, error) {
	return a.post(ctx, "post at Mastodon", p.Key, said(p))
}

func (a *Account) post(ctx context.Context, op, key string, d draft) (posting.Ref, error) {
	send := func(req *http.Request, op string) (posting.Answer, error) {
		if key != "" {
			req.Header.Set("Idempotency-Key", key)
		}
		return a.send(req, op)
	}
	var s status
	err := posting.Ask(ctx, send, op, http.MethodPost, a.opt.URL+"/api/v1/statuses", d, &s)
	return s.ref(), err
}

// Find implements posting.Finder: it looks through the account's own posts since then.
func (a *Account) Find(ctx context.Context, p posting.Post) (posting.Ref, error) {
	const op = "look for a post at Mastodon"
	id, err := a.account(ctx, op)
	if err != nil {
		return posting.Ref{}, err
	}
	before := ""
	for range pages {
		q := url.Values{"limit": {"40"}, "exclude_reblogs": {"true"}}
		if before != "" {
			q.Set("max_id", before)
		}
		var list []status
		if err := posting.Ask(ctx, a.send, op, http.MethodGet, a.opt.URL+"/api/v1/accounts/"+id+"/statuses?"+q.Encode(), nil, &list); err != nil {
			return posting.Ref{}, err
		}
		for _, s := range list {
			if s.Created.Before(p.At.Add(-posting.ClockSkew)) {
				return posting.Ref{}, missing(op)
			}
			if posting.Same(plain(s.Content), p.Text) {
				return s.ref(), nil
			}
			before = s.ID
		}
		if len(list) < page {
			return posting.Ref{}, missing(op)
		}
	}
	return posting.Ref{}, footy.Errorf(footy.CodeUnavailable, op, "it is not among the last %d posts of the account, and they do not reach back far enough", page*pages)
}

func missing(op string) error { return footy.Errorf(footy.CodeNotFound, op, "it is not there") }

var (
	breaks = regexp.MustCompile(`<br ?/?>|</p>`)
	links  = regexp.MustCompile(`(?s)<a .*?</a>`)
	tags   = regexp.MustCompile(`<[^>]*>`)
)

// plain is the text of a post's HTML; of links, which are shown in parts, a space is left.
func plain(content string) string {
	return html.UnescapeString(tags.ReplaceAllString(links.ReplaceAllString(breaks.ReplaceAllString(content, "\n"), " "), ""))
}

// account is the id of the token's account.
func (a *Account) account(ctx context.Context, op string) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.id != "" {
		return a.id, nil
	}
	var is struct {
		ID string `json:"id"`
	}
	if err := posting.Ask(ctx, a.send, op, http.MethodGet, a.opt.URL+"/api/v1/accounts/verify_credentials", nil, &is); err != nil {
		return "", err
	}
	a.id = is.ID
	return a.id, nil
}

// Edit implements posting.Editor.
func (a *Account) Edit(ctx context.Context, at posting.Ref, p posting.Post) (posting.Ref, error) {
	var s status
	err := posting.Ask(ctx, a.send, "edit a post at Mastodon", http.MethodPut, a.opt.URL+"/api/v1/statuses/"+at.ID, said(p), &s)
	return s.ref(), err
}

// Delete implements posting.Service.
func (a *Account) Delete(ctx context.Context, at posting.Ref) error {
	return posting.Ask(ctx, a.send, "delete a post at Mastodon", http.MethodDelete, a.opt.URL+"/api/v1/statuses/"+at.ID, nil, nil)
}

// Test implements posting.Service: a post that nobody else sees, and that is deleted at once.
func (a *Account) Test(ctx context.Context) (string, error) {
	at, err := a.post(ctx, "test Mastodon", "", draft{Status: "Found Footy: this is a test.", Media: []string{}, Visibility: "direct"})
	if err == nil {
		err = a.Delete(ctx, at)
	}
	return "a post that nobody else sees was made and deleted", err
}

func (a *Account) send(req *http.Request, op string) (posting.Answer, error) {
	req.Header.Set("Authorization", "Bearer "+a.opt.Token)
	got, err := posting.Send(a.opt.Client, req, op)
	if err != nil || got.Status < http.StatusMultipleChoices {
		return got, err
	}
	var answer struct {
		Error string `json:"error"`
	}
	if !bytes.HasPrefix(bytes.TrimSpace(got.Body), []byte("<")) { // a proxy's page
		_ = json.Unmarshal(got.Body, &answer)
	}
	return got, posting.Refusal(got, op, answer.Error, remedy, a.opt.Now())
}
