// Package xpost posts to an account of X through its official API. X refuses the same text twice, which is how a post whose answer was lost is
// cleared up; where the plan allows it, the account's own posts are listed before. What was posted is never edited.
package xpost

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dghubble/oauth1"

	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/posting"
)

// Options of an account: the keys of an app and the account's tokens for it (OAuth 1.0a).
type Options struct {
	URL                                string // of the API
	Key, KeySecret, Token, TokenSecret string
	DailyCap                           float64     // US dollars a day (UTC); 0: none
	Ledger                             bill.Ledger // nil: one in memory, which forgets at restart
	Client                             *http.Client
	Now                                func() time.Time
}

// Account implements posting.Service.
type Account struct {
	opt   Options
	purse bill.Purse

	mu sync.Mutex
	is user
}

type user struct {
	ID   string `json:"id"`
	Name string `json:"username"`
}

const (
	maxText    = 280
	listed     = 100 // posts of our own that are looked through
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
	if o.Ledger == nil {
		o.Ledger = bill.NewMemory()
	}
	purse := bill.Purse{Ledger: o.Ledger, Cap: bill.Dollars(o.DailyCap), Now: o.Now}
	if o.DailyCap <= 0 {
		purse.Cap = -1
	}
	return &Account{opt: o, purse: purse}
}

// Traits implements posting.Service.
func (a *Account) Traits() posting.Traits {
	return posting.Traits{Name: "X", Target: a.opt.Token,
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

// Upload implements posting.Uploader: in pieces, and then X looks at it for a while. Nothing is handed in for a post that cannot be paid.
func (a *Account) Upload(ctx context.Context, f posting.File) (string, error) {
	if err := a.canPay(ctx); err != nil {
		return "", err
	}
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
		req, err := posting.Form(ctx, http.MethodPost, a.opt.URL+base+"/"+id+"/append", index, "media", &piece)
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
	return id, posting.Processed(ctx, op, f, func(again bool) (done bool, wait time.Duration, err error) {
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
	price := priceOf(p.Text)
	err := a.pay(ctx, "post at X", price, func() (bill.Money, error) {
		return price, a.json(ctx, "post at X", http.MethodPost, "/2/tweets", body, &got)
	})
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

// Find implements posting.Finder. A plan that may not read leaves it to X to refuse a duplicate.
func (a *Account) Find(ctx context.Context, p posting.Post) (posting.Ref, error) {
	const op = "look for a post at X"
	me, err := a.me(ctx, op)
	if err != nil {
		return posting.Ref{}, unreadable(op, err)
	}
	q := url.Values{"max_results": {strconv.Itoa(listed)}, "start_time": {p.At.Add(-posting.ClockSkew).UTC().Format(time.RFC3339)}}
	var list struct {
		Data []tweet `json:"data"`
	}
	err = a.pay(ctx, op, listed*bill.PostRead, func() (bill.Money, error) {
		err := a.json(ctx, op, http.MethodGet, "/2/users/"+me.ID+"/tweets?"+q.Encode(), nil, &list)
		return bill.Money(len(list.Data)) * bill.PostRead, err
	})
	if err != nil {
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
	if err != nil {
		return "", err
	}
	spent, stop, err := a.purse.State(ctx, bill.PostMade)
	if err != nil {
		return "", footy.Wrap(footy.CodeUnavailable, "test X", err)
	}
	did := fmt.Sprintf("signed in as @%s, for %s; nothing was posted. A post costs %s, one with a link (POST_X_LINK) %s; %s", me.Name, bill.UserRead, bill.PostMade,
		bill.LinkedPostMade, a.purse.Spent(spent))
	if stop != nil {
		did += ". " + words(stop.Why)
	}
	return did, nil
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
	err := a.pay(ctx, op, bill.UserRead, func() (bill.Money, error) {
		return bill.UserRead, a.json(ctx, op, http.MethodGet, "/2/users/me", nil, &got)
	})
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
	if why := bill.Refused(got.Status, got.Header, got.Body); why != "" {
		return got, noMoney(op, why)
	}
	var e struct{ Detail, Title string }
	_ = json.Unmarshal(got.Body, &e) // a proxy answers in HTML
	if got.Status == http.StatusForbidden && strings.Contains(strings.ToLower(e.Detail), "duplicate content") {
		return got, footy.Errorf(footy.CodeConflict, op, "X has this post already")
	}
	if e.Detail == "" {
		e.Detail = e.Title
	}
	err = posting.Refusal(got, op, e.Detail, remedy, a.opt.Now())
	if req.Method == http.MethodGet { // X bills what it answers
		err = posting.Harmless(err)
	}
	return got, err
}
