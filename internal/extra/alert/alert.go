// Package alert notifies people outside of the page: a goal, its first clip, a part that fails or works again. It goes by
// what the store says, not by events, so a restart neither repeats nor forgets.
package alert

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/teller"
)

// Sender hands a text to one target, and its fields to one that takes them.
type Sender func(text string, fields map[string]string) error

// Options of the targets. A Store is required for everything but a test message.
type Options struct {
	Store   store.Store
	URLs    []string                                             // shoutrrr addresses: discord://, telegram://, ntfy://, slack://, smtp://, generic+https://, ...
	Filter  func(context.Context) (news.Filter, error)           // whose goals
	BaseURL string                                               // public address of the page, for links
	Health  func(context.Context) []health.Part                  // nil: only goals are sent; a part it leaves out is as it was
	Sender  func(address string) (Sender, error)                 // nil: shoutrrr
	Lead    func(ctx context.Context, name string) (bool, error) // whether this process is the one to tell a target
	Now     func() time.Time
}

// target gets texts. Each has its own record of what it got: one that does not answer gets everything later.
type target struct {
	opt           Options
	name, address string
	key           string // of its record in the store
	sender        Sender
}

// New makes a teller of each address; a wrong address is an error that does not show its secrets.
func New(opt Options) ([]teller.Teller, error) {
	if opt.Sender == nil {
		opt.Sender = newSender
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	opt.BaseURL = strings.TrimRight(opt.BaseURL, "/")
	var out []teller.Teller
	for i, address := range opt.URLs {
		sender, err := opt.Sender(address)
		if err != nil {
			return nil, unusable(i, address, err)
		}
		t := target{opt: opt, name: targetName(address), address: address, key: recordKey(address), sender: sender}
		out = append(out, teller.Teller{Name: t.name, SendNew: t.sendNew, Test: t.test})
	}
	return out, nil
}

func (t target) test(ctx context.Context) (string, error) {
	const text = "⚽ Found Footy: this is a test. Goals will look like this:\nSalah 67': Liverpool 2–1 Manchester City"
	return "a test message was sent", t.send(ctx, Message{Text: text, Fields: map[string]string{"kind": "test"}})
}

func (t target) send(ctx context.Context, m Message) error {
	if err := ctx.Err(); err != nil {
		return footy.Wrap(footy.CodeUnavailable, "notify "+t.name, err)
	}
	if err := t.sender(explain.WithoutMentions(m.Text), m.Fields); err != nil {
		return footy.Errorf(footy.CodeUnavailable, "notify "+t.name, "%s", redact(err, t.address))
	}
	return nil
}

// recordKey names a target's record without its secrets.
func recordKey(address string) string {
	sum := sha256.Sum256([]byte(address))
	return "notify/" + hex.EncodeToString(sum[:8])
}

// targetName names a target by its kind, and by its host where the host is no secret.
func targetName(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" {
		return "an unreadable address"
	}
	kind, _, _ := strings.Cut(u.Scheme, "+")
	switch kind {
	case "ntfy", "smtp", "mqtt", "mqtts", "generic", "gotify", "matrix", "mattermost", "rocketchat":
		if h := u.Hostname(); h != "" {
			return kind + " at " + h
		}
	}
	return kind
}

// secretParts are the parts of an address that may not be read: tokens hide anywhere in it but in its scheme. What is shorter than least is
// a word, which stays readable.
func secretParts(address string, least int) []string {
	out := []string{address}
	u, err := url.Parse(address)
	if err != nil {
		return out
	}
	password, _ := u.User.Password()
	parts := strings.Split(u.Path, "/")
	for _, values := range u.Query() {
		parts = append(parts, values...)
	}
	out = append(out, slices.DeleteFunc(parts, func(p string) bool { return len(p) < least })...)
	// Slack joins the parts of its address by -, and calls them one by one.
	logIn := strings.FieldsFunc(u.User.Username()+" "+password, func(c rune) bool { return c == '-' || c == ' ' })
	out = append(out, slices.DeleteFunc(logIn, func(p string) bool { return len(p) < min(least, 8) })...)
	if !strings.Contains(targetName(address), " at ") && strings.ContainsAny(u.Host, "0123456789") { // else it is a word
		out = append(out, u.Host)
	}
	if password != "" {
		out = append(out, password)
	}
	return out
}

// redact keeps addresses, which hold tokens, out of errors.
func redact(err error, address string) string {
	text, parts := err.Error(), secretParts(address, 6)
	slices.SortFunc(parts, func(a, b string) int { return len(b) - len(a) }) // a part must not spoil the whole
	for _, s := range parts {
		text = strings.ReplaceAll(text, s, "***")
	}
	return text
}
