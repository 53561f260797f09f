// Package discord posts through a webhook of a channel. A webhook cannot list what it posted, so the delivery of a post whose answer was lost is unknown.
package discord

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options of a webhook.
type Options struct {
	URL    string // as Discord shows it, with ?thread_id= for a thread
	Client *http.Client
}

// Webhook implements target.Service.
type Webhook struct {
	target.API
	url   string // as it was set, which names the target
	where *url.URL

	mu sync.Mutex
	of string // id of its server
}

// message is what Discord tells of one.
type message struct {
	ID      string `json:"id"`
	Channel string `json:"channel_id"`
}

const (
	maxText        = 2000
	maxFile        = 100 << 20 // of a server with the most boosts; others refuse files above 10 or 50 MB, and get the picture
	suppressEmbeds = 4         // no card of the link beside the clip
	remedy         = "make a new webhook in the channel's settings (Integrations) and write its address in POST_DISCORD_URL"

	unknownMessage = 10008
	tooLarge       = 40005
)

// New makes a client; an address that is none is an error that does not show it.
func New(o Options) (*Webhook, error) {
	u, err := url.Parse(o.URL)
	if err != nil || !strings.Contains(u.Path, "/webhooks/") {
		return nil, footy.Errorf(footy.CodeInvalid, "set up Discord", "POST_DISCORD_URL is no address of a webhook: it looks like https://discord.com/api/webhooks/ID/TOKEN")
	}
	return &Webhook{API: target.NewAPI(o.Client, remedy, nil, refused), url: o.URL, where: u}, nil
}

// Traits implements target.Service.
func (w *Webhook) Traits() target.Traits {
	return target.Traits{Name: "Discord", Target: w.url, Text: rule.Limit{Max: maxText, Unit: rule.UTF16},
		MaxVideo: maxFile, MaxPicture: maxFile}
}

// Create implements target.Service.
func (w *Webhook) Create(ctx context.Context, p target.Post) (target.Ref, error) {
	return w.write(ctx, "post at Discord", http.MethodPost, "", p)
}

// Edit implements target.Editor.
func (w *Webhook) Edit(ctx context.Context, at target.Ref, p target.Post) (target.Ref, error) {
	return w.write(ctx, "edit a post at Discord", http.MethodPatch, at.ID, p)
}

func (w *Webhook) write(ctx context.Context, op, method, id string, p target.Post) (target.Ref, error) {
	type attachment struct {
		ID          int    `json:"id"`
		Filename    string `json:"filename"`
		Description string `json:"description,omitempty"`
	}
	body := struct {
		Content     string         `json:"content"`
		Flags       int            `json:"flags"`
		Mentions    map[string]any `json:"allowed_mentions"`
		Attachments []attachment   `json:"attachments"` // of an edit: what is not listed goes
	}{Content: p.Text, Mentions: map[string]any{"parse": []string{}}, Attachments: []attachment{}}
	if p.File != nil {
		body.Flags, body.Attachments = suppressEmbeds, []attachment{{Filename: p.File.Name, Description: p.File.About}}
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return target.Ref{}, footy.Wrap(footy.CodeInvalid, op, err)
	}
	where := w.address("")
	if id != "" {
		where = w.address("/messages/" + id)
	}
	guild := w.guild(ctx) // before: once the message is there its record comes at once
	req, err := target.Form(ctx, method, where, map[string]string{"payload_json": string(raw)}, "files[0]", p.File)
	if err != nil {
		return target.Ref{}, err
	}
	a, err := w.Send(req, op)
	if err != nil {
		return target.Ref{}, err
	}
	var m message
	if err := a.Into(op, &m); err != nil {
		return target.Ref{}, err
	}
	return m.ref(guild), nil
}

func (m message) ref(guild string) target.Ref {
	if guild == "" {
		return target.Ref{ID: m.ID}
	}
	return target.Ref{ID: m.ID, URL: "https://discord.com/channels/" + guild + "/" + m.Channel + "/" + m.ID}
}

// Delete implements target.Service.
func (w *Webhook) Delete(ctx context.Context, at target.Ref) error {
	return w.Ask(ctx, "delete a post at Discord", http.MethodDelete, w.address("/messages/"+at.ID), nil, nil)
}

// Test implements target.Service.
func (w *Webhook) Test(ctx context.Context) (string, error) {
	_, err := w.write(ctx, "test Discord", http.MethodPost, "", target.Post{Text: "⚽ Found Footy: this is a test. Goals are posted here."})
	return "a test message was posted", err
}

// address of the webhook, or of something below it.
func (w *Webhook) address(below string) string {
	u := *w.where
	u.Path += below
	q := u.Query()
	q.Set("wait", "true") // else nobody says which message it became
	u.RawQuery = q.Encode()
	return u.String()
}

func refused(a *target.Answer) (string, error) {
	var said struct {
		Message string  `json:"message"`
		Code    int     `json:"code"`
		Wait    float64 `json:"retry_after"`
	}
	_ = json.Unmarshal(a.Body, &said) // a proxy answers in HTML
	a.Wait = time.Duration(said.Wait * float64(time.Second))
	switch {
	case said.Code == tooLarge:
		a.Status = http.StatusRequestEntityTooLarge
	case a.Status == http.StatusNotFound && said.Code != unknownMessage: // the webhook is gone, not the message
		a.Status = http.StatusUnauthorized
	}
	return said.Message, nil
}

// guild is the server that the webhook is of; "" where Discord does not tell.
func (w *Webhook) guild(ctx context.Context) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of != "" {
		return w.of
	}
	var is struct {
		Guild string `json:"guild_id"`
	}
	if w.Ask(ctx, "look at Discord's webhook", http.MethodGet, w.address(""), nil, &is) == nil {
		w.of = is.Guild
	}
	return w.of
}
