// Package xpost posts to an account of X through its official API. X refuses the same text twice, which is how a post whose answer was lost is
// cleared up; where the plan allows it, the account's own posts are listed before. What was posted is never edited.
package xpost

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/dghubble/oauth1"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/posting"
)

// Options of an account: the keys of an app and the account's tokens for it (OAuth 1.0a).
type Options struct {
	URL                                string // of the API
	Key, KeySecret, Token, TokenSecret string
	Client                             *http.Client
	Now                                func() time.Time
}

// Account implements posting.Service.
type Account struct {
	opt Options

	mu sync.Mutex
	is user
}

type user struct {
	ID   string `json:"id"`
	Name string `json:"username"`
}

const (
	maxText    = 280
	linkCounts = 23
	maxVideo   = 100 << 20
	maxPicture = 5 << 20
	chunk      = 4 << 20
	remedy     = "give your app at developer.x.com the permission to read and write, make its four keys and tokens anew and write them in POST_X_KEY, POST_X_KEY_SECRET, POST_X_TOKEN and POST_X_TOKEN_SECRET"
)

// New makes a client.
func New(o Options) *Account {
	o.URL = strings.TrimRight(o.URL, "/")
	o.Client, o.Now = posting.Defaults(o.Client, o.Now)
	signed := context.WithValue(oauth1.NoContext, oauth1.HTTPClient, o.Client)
	client := *o.Client
	client.Transport = oauth1.NewConfig(o.Key, o.KeySecret).Client(signed, oauth1.NewToken(o.Token, o.TokenSecret)).Transport
	o.Client = &client
	return &Account{opt: o}
}

// Traits implements posting.Service.
func (a *Account) Traits() posting.Traits {
	return posting.Traits{Name: "X", Target: a.opt.Token, Finds: true, Before: true,
		Text: posting.Limit{Max: maxText, Unit: weight, Link: linkCounts}, MaxVideo: maxVideo, MaxPicture: maxPicture}
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

// Upload implements posting.Service: in pieces, and then X looks at it for a while.
func (a *Account) Upload(ctx context.Context, f posting.File) (string, error) {
	id, err := a.upload(ctx, f)
	return id, posting.Harmless(err) // nobody sees it before the post
}

func (a *Account) upload(ctx context.Context, f posting.File) (string, error) {
	const op, base = "hand a file to X", "/2/media/upload"
	category := "tweet_image"
	if f.Video {
		category = "tweet_video"
	}
	var m media
	err := a.json(ctx, op, http.MethodPost, base+"/initialize", map[string]any{"media_type": f.Type, "media_category": category, "total_bytes": len(f.Body)}, &m)
	if err != nil {
		return "", err
	}
	id := m.Data.ID
	for i := 0; i*chunk < len(f.Body); i++ {
		piece := f
		piece.Body = f.Body[i*chunk : min((i+1)*chunk, len(f.Body))]
		req, err := posting.Form(ctx, http.MethodPost, a.opt.URL+base+"/"+id+"/append", map[string]string{"segment_index": fmt.Sprint(i)}, "media", &piece)
		if err != nil {
			return "", err
		}
		if _, err := a.send(req, op); err != nil {
			return "", err
		}
	}
	if err := a.json(ctx, op, http.MethodPost, base+"/"+id+"/finalize", nil, &m); err != nil {
		return "", err
	}
	for m.Data.Processing != nil && m.Data.Processing.State != "succeeded" {
		p := m.Data.Processing
		if p.State == "failed" {
			why := "X cannot use the clip"
			if p.Error != nil {
				why += ": " + p.Error.Message
			}
			return "", footy.Errorf(footy.CodeRejected, op, "%s", why)
		}
		select {
		case <-ctx.Done():
			return "", footy.Errorf(footy.CodeUnavailable, op, "X does not come to an end with it")
		case <-time.After(time.Duration(p.After) * time.Second):
		}
		m = media{}
		if err := a.json(ctx, op, http.MethodGet, base+"?"+url.Values{"command": {"STATUS"}, "media_id": {id}}.Encode(), nil, &m); err != nil {
			return "", err
		}
	}
	return id, nil
}

// tweet as X tells of it.
type tweet struct {
	ID   string `json:"id"`
	Text string `json:"text"` // links shortened, & and < as in HTML
}

// Create implements posting.Service. The refusal of a duplicate says that an earlier try of ours was heard.
func (a *Account) Create(ctx context.Context, p posting.Post) (posting.Ref, error) {
	body := map[string]any{"text": p.Text}
	if p.Handle != "" {
		body["media"] = map[string]any{"media_ids": []string{p.Handle}}
	}
	var got struct {
		Data tweet `json:"data"`
	}
	err := a.json(ctx, "post at X", http.MethodPost, "/2/tweets", body, &got)
	if footy.CodeOf(err) == footy.CodeConflict {
		if at, err := a.Find(ctx, p); err == nil {
			return at, nil
		}
		return posting.Ref{}, nil // it is there; where, X does not tell
	}
	return at(got.Data.ID), err
}

func at(id string) posting.Ref {
	return posting.Ref{ID: id, URL: "https://x.com/i/status/" + id}
}

// Find implements posting.Service. A plan that may not read leaves it to X to refuse a duplicate.
func (a *Account) Find(ctx context.Context, p posting.Post) (posting.Ref, error) {
	const op = "look for a post at X"
	me, err := a.me(ctx, op)
	if err != nil {
		return posting.Ref{}, unreadable(op, err)
	}
	q := url.Values{"max_results": {"100"}, "start_time": {p.At.Add(-posting.ClockSkew).UTC().Format(time.RFC3339)}}
	var list struct {
		Data []tweet `json:"data"`
	}
	if err := a.json(ctx, op, http.MethodGet, "/2/users/"+me.ID+"/tweets?"+q.Encode(), nil, &list); err != nil {
		return posting.Ref{}, unreadable(op, err)
	}
	for _, t := range list.Data {
		if posting.Same(html.UnescapeString(t.Text), p.Text) {
			return at(t.ID), nil
		}
	}
	return posting.Ref{}, footy.Errorf(footy.CodeNotFound, op, "it is not there")
}

func unreadable(op string, err error) error {
	if footy.CodeOf(err) == footy.CodeAuthRequired {
		return footy.Errorf(footy.CodeNotFound, op, "the plan may not read: %w", err)
	}
	return err
}

// ReadLink implements posting.LinkReader. Whose post it is only the link says; X lets nobody delete another's.
func (a *Account) ReadLink(ctx context.Context, link string) (posting.Ref, error) {
	const op = "look whose post it is at X"
	me, err := a.me(ctx, op)
	if err != nil && footy.CodeOf(err) != footy.CodeAuthRequired { // then the plan may not read
		return posting.Ref{}, posting.Harmless(err)
	}
	name := me.Name
	if name == "" {
		name = "ACCOUNT"
	}
	parts := posting.LinkPath(link, "x.com", "twitter.com", "mobile.x.com", "mobile.twitter.com")
	if len(parts) < 3 || parts[1] != "status" || !posting.IsNumber(parts[2]) || parts[0] != "i" && me.Name != "" && !strings.EqualFold(parts[0], me.Name) {
		return posting.Ref{}, posting.Foreign("X", "https://x.com/"+name+"/status/NUMBER")
	}
	return at(parts[2]), nil
}

// Edit implements posting.Service.
func (a *Account) Edit(context.Context, posting.Ref, posting.Post) (posting.Ref, error) {
	return posting.Ref{}, footy.Errorf(footy.CodeInvalid, "edit a post at X", "posts cannot be edited there")
}

// Delete implements posting.Service.
func (a *Account) Delete(ctx context.Context, at posting.Ref) error {
	const op = "delete a post at X"
	if at.ID == "" {
		return footy.Errorf(footy.CodeRejected, op, "X never said which post it is: delete it by hand, or say on the goal's page where it is")
	}
	return a.json(ctx, op, http.MethodDelete, "/2/tweets/"+at.ID, nil, nil)
}

// Test implements posting.Service.
func (a *Account) Test(ctx context.Context) (string, error) {
	a.mu.Lock()
	a.is = user{}
	a.mu.Unlock()
	me, err := a.me(ctx, "test X")
	return "signed in as @" + me.Name + "; nothing was posted", err
}

// me is the account.
func (a *Account) me(ctx context.Context, op string) (user, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.is.ID != "" {
		return a.is, nil
	}
	var got struct {
		Data user `json:"data"`
	}
	err := a.json(ctx, op, http.MethodGet, "/2/users/me", nil, &got)
	if err == nil {
		a.is = got.Data
	}
	return got.Data, err
}

// json makes a call with a JSON body.
func (a *Account) json(ctx context.Context, op, method, path string, body, out any) error {
	return posting.Ask(ctx, a.send, op, method, a.opt.URL+path, body, out)
}

func (a *Account) send(req *http.Request, op string) (posting.Answer, error) {
	got, err := posting.Send(a.opt.Client, req, op)
	if err != nil || got.Status < http.StatusMultipleChoices {
		return got, err
	}
	var e struct{ Detail, Title string }
	_ = json.Unmarshal(got.Body, &e) // a proxy answers in HTML
	if got.Status == http.StatusForbidden && strings.Contains(strings.ToLower(e.Detail), "duplicate content") {
		return got, footy.Errorf(footy.CodeConflict, op, "X has this post already")
	}
	if e.Detail == "" {
		e.Detail = e.Title
	}
	return got, posting.Refusal(got, op, e.Detail, remedy, a.opt.Now())
}
