// Package alert tells people outside of the page: a goal, its first clip, a part that fails or works again. It goes by
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
)

// Store is what the notifier reads, and where it keeps what it told.
type Store interface {
	List(ctx context.Context, q store.FixtureQuery) ([]footy.Fixture, error)
	State(ctx context.Context, key string, out any) error
	PutState(ctx context.Context, key string, value any) error
}

// Sender hands a text to one target.
type Sender func(text string) error

// Channel is told of goals in a manner of its own, and keeps its own record of what it was told.
type Channel interface {
	Name() string
	SendNew(ctx context.Context) error
	// SendTest says what it did.
	SendTest(ctx context.Context) (did string, err error)
}

// Options of a notifier. At least one address or channel is required, and a Store for everything but a test message.
type Options struct {
	Channels []Channel // beside those of URLs
	Store    Store
	URLs     []string                                             // shoutrrr addresses: discord://, telegram://, ntfy://, slack://, smtp://, generic+https://, ...
	Filter   func(context.Context) (news.Filter, error)           // whose goals; nil: everybody's
	BaseURL  string                                               // public address of the page, for links
	Health   func(context.Context) []health.Part                  // nil: only goals are told; a part it leaves out is as it was
	Sender   func(address string) (Sender, error)                 // nil: shoutrrr
	Lead     func(ctx context.Context, name string) (bool, error) // whether this process is the one to tell a target; nil: there is no other
	Now      func() time.Time
}

// Alerter sends messages to every target. Each target has its own record of what it was told: one that does not answer
// gets everything later, and keeps no other waiting.
type Alerter struct {
	opt      Options
	channels []Channel
}

// target is told texts.
type target struct {
	*Alerter
	name, address string
	key           string // of its record in the store
	sender        Sender
}

// New checks every address; a wrong one is an error that does not show its secrets.
func New(opt Options) (*Alerter, error) {
	if len(opt.URLs)+len(opt.Channels) == 0 {
		return nil, footy.Errorf(footy.CodeInvalid, "set up notifications", "at least one address or channel is required")
	}
	if opt.Sender == nil {
		opt.Sender = newSender
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Filter == nil {
		opt.Filter = func(context.Context) (news.Filter, error) { return news.Filter{All: true}, nil }
	}
	if opt.Lead == nil {
		opt.Lead = func(context.Context, string) (bool, error) { return true, nil }
	}
	opt.BaseURL = strings.TrimRight(opt.BaseURL, "/")
	n := &Alerter{opt: opt}
	for i, address := range opt.URLs {
		sender, err := opt.Sender(address)
		if err != nil {
			return nil, unusable(i, address, err)
		}
		n.channels = append(n.channels, target{Alerter: n, name: targetName(address), address: address, key: recordKey(address), sender: sender})
	}
	n.channels = append(n.channels, opt.Channels...)
	return n, nil
}

// Channels are all targets; each looks for itself, so that none waits for another.
func (n *Alerter) Channels() []Channel { return n.channels }

// Targets names what is set up, without secrets.
func (n *Alerter) Targets() []string {
	out := make([]string, 0, len(n.channels))
	for _, c := range n.channels {
		out = append(out, c.Name())
	}
	return out
}

// TestResult is what came of a test.
type TestResult struct {
	Target string
	Did    string
	Err    error
}

// SendTest tries every target.
func (n *Alerter) SendTest(ctx context.Context) []TestResult {
	out := make([]TestResult, len(n.channels))
	for i, c := range n.channels {
		did, err := c.SendTest(ctx)
		out[i] = TestResult{c.Name(), did, err}
	}
	return out
}

// TestOne tries one target, by its place in Targets.
func (n *Alerter) TestOne(ctx context.Context, place int) (did string, err error) {
	if place < 0 || place >= len(n.channels) {
		return "", footy.Errorf(footy.CodeNotFound, "test notifications", "There is no target %d.", place)
	}
	return n.channels[place].SendTest(ctx)
}

// Name implements Channel.
func (t target) Name() string { return t.name }

// SendTest implements Channel.
func (t target) SendTest(ctx context.Context) (string, error) {
	const text = "⚽ Found Footy: this is a test. Goals will look like this:\nSalah 67': Liverpool 2–1 Manchester City"
	return "a test message was sent", t.send(ctx, text)
}

func (t target) send(ctx context.Context, text string) error {
	if err := ctx.Err(); err != nil {
		return footy.Wrap(footy.CodeUnavailable, "notify "+t.name, err)
	}
	if err := t.sender(explain.WithoutMentions(text)); err != nil {
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
	case "ntfy", "smtp", "generic", "gotify", "matrix", "mattermost", "rocketchat":
		if h := u.Hostname(); h != "" {
			return kind + " at " + h
		}
	}
	return kind
}

// redact keeps addresses, which hold tokens, out of errors.
func redact(err error, address string) string {
	text, password := err.Error(), ""
	secrets := []string{address}
	if u, err := url.Parse(address); err == nil {
		password, _ = u.User.Password()
		secrets = append(secrets, password, u.User.Username()+":"+password, strings.Trim(u.Path, "/"), u.RawQuery)
		secrets = append(secrets, strings.Split(u.Path, "/")...)
		secrets = append(secrets, strings.FieldsFunc(u.User.Username()+" "+password, func(c rune) bool { return c == '-' || c == ' ' })...)
		if !strings.Contains(targetName(address), " at ") && strings.ContainsAny(u.Host, "0123456789") { // else it is a word
			secrets = append(secrets, u.Host, u.Hostname())
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // a part must not spoil the whole
	for _, s := range secrets {
		if len(s) > 5 || s == password && s != "" { // shorter ones are words: hook, user
			text = strings.ReplaceAll(text, s, "***")
		}
	}
	return text
}
