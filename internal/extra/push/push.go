// Package push notifies browsers of goals through their push services (Web Push, VAPID): each device of the teams and competitions that it
// follows, once. A message is recorded before it is sent, so a process that is killed never sends it twice.
package push

import (
	"cmp"
	"context"
	"crypto/ecdh"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/SherClockHolmes/webpush-go"
	"golang.org/x/time/rate"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Options of the service.
type Options struct {
	Store store.Store
	Hosts []string // of push services; no others are asked
	Local bool     // also private addresses and plain http, for tests
	Site  string   // https address of the page, by which push services may reach its owner; "" = this project's
	Lead  func(ctx context.Context, name string) (bool, error)
	Now   func() time.Time
	Log   *slog.Logger

	Devices  int // that are kept; 500 if 0
	PerOwner int // of one address; 20 if 0: a household has several readers
}

const (
	askedMost    = 10  // first messages and tests that one address may ask for, a minute
	followedMost = 300 // teams, and leagues, of one device
)

// Service keeps devices and notifies them.
type Service struct {
	opt    Options
	client *http.Client

	mu    sync.Mutex
	keys  keys                     // once they were read
	asked map[string]*rate.Limiter // by owner
}

// New makes a service; nothing is read yet.
func New(opt Options) *Service {
	if opt.Site == "" || !strings.HasPrefix(opt.Site, "https://") {
		opt.Site = "https://github.com/found-footy/found-footy"
	}
	opt.Devices, opt.PerOwner = cmp.Or(opt.Devices, 500), cmp.Or(opt.PerOwner, 20)
	return &Service{opt: opt, asked: map[string]*rate.Limiter{},
		client: httpx.New(httpx.Options{Timeout: sendTime, AllowHosts: opt.Hosts, DenyPrivate: !opt.Local})}
}

// Device is a browser that wants notifications.
type Device struct {
	ID       string    `json:"id"` // stays when its address changes
	Slot     int       `json:"slot"`
	Endpoint string    `json:"endpoint"`
	P256dh   string    `json:"p256dh"`
	Auth     string    `json:"auth"`
	Owner    string    `json:"owner"` // keyed digest of the address it came from
	Since    time.Time `json:"since"`
	Wish     Wish      `json:"wish"`
}

// Wish is what a device wants to be notified of, and when.
type Wish struct {
	news.Filter
	Goals       bool   `json:"goals"` // when a goal is certain
	Clips       bool   `json:"clips"` // when its first clip is there
	QuietFrom   string `json:"quiet_from"`
	QuietTo     string `json:"quiet_to"` // "23:00" to "07:30" in Zone; both empty: never quiet
	Zone        string `json:"zone"`
	SpoilerFree bool   `json:"spoiler_free"`
	Language    string `json:"language,omitempty"` // of messages: de; "": English
}

// Subscription is what a browser gives out.
type Subscription = webpush.Subscription

type keys struct {
	Public  string `json:"public"`
	Private string `json:"private"`
}

// devices is one document: a device changes rarely, and each look needs all of them.
type devices struct {
	List []Device `json:"list"`
}

const (
	keysKey    = "push/keys"
	devicesKey = "push/devices"
)

// vapid makes the keys of this installation at its first start, or reads them.
func (s *Service) vapid(ctx context.Context) (keys, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys.Private != "" {
		return s.keys, nil
	}
	k, err := store.ChangeState(ctx, s.opt.Store, keysKey, func(k *keys) (err error) {
		if k.Private != "" {
			return store.ErrUnchanged
		}
		k.Private, k.Public, err = webpush.GenerateVAPIDKeys()
		return err
	})
	if err == nil {
		s.keys = k
	}
	return k, err
}

// Keep adds a device, or changes what it wants. Any reader may ask, so a new one must want something, and its push service must take a message
// for it. owner is the address that asks; replaces, if not empty, is the address under which the browser was known: it keeps its wish if
// none is given.
func (s *Service) Keep(ctx context.Context, sub Subscription, wish *Wish, replaces, owner string) error {
	if err := s.check(sub); err != nil {
		return err
	}
	if wish != nil {
		if err := wish.check(); err != nil {
			return err
		}
	}
	k, err := s.vapid(ctx)
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, []byte(k.Private))
	mac.Write([]byte(owner))
	d := Device{ID: rand.Text(), Endpoint: sub.Endpoint, P256dh: sub.Keys.P256dh, Auth: sub.Keys.Auth, Owner: hex.EncodeToString(mac.Sum(nil)[:8]), Since: s.opt.Now().UTC()}
	known := func(all []Device) int {
		return slices.IndexFunc(all, func(o Device) bool { return o.Endpoint == d.Endpoint || replaces != "" && o.Endpoint == replaces })
	}
	all, err := s.devices(ctx)
	if err != nil {
		return err
	}
	if known(all) < 0 && wish != nil {
		if err := wish.wantsSomething(); err != nil {
			return err
		}
		if err := s.room(all, d.Owner); err != nil {
			return err
		}
		if err := s.greet(ctx, k, d); err != nil {
			return err
		}
	}
	_, err = store.ChangeState(ctx, s.opt.Store, devicesKey, func(all *devices) error {
		if at := known(all.List); at >= 0 {
			old := &all.List[at]
			old.Endpoint, old.P256dh, old.Auth = d.Endpoint, d.P256dh, d.Auth
			if wish != nil {
				old.Wish = *wish
			}
			return nil
		}
		if wish == nil {
			return footy.Errorf(footy.CodeNotFound, "keep device", "This device is not known; turn notifications on again.")
		}
		if err := s.room(all.List, d.Owner); err != nil {
			return err
		}
		d := d
		d.Wish = *wish
		for slices.ContainsFunc(all.List, func(o Device) bool { return o.Slot == d.Slot }) {
			d.Slot++
		}
		all.List = append(all.List, d)
		return nil
	})
	return err
}

// greet sends a new device its first message. A device whose push service refuses it is not kept.
func (s *Service) greet(ctx context.Context, k keys, d Device) error {
	if err := s.mayAsk(d.Owner); err != nil {
		return err
	}
	_, _, err := s.send(ctx, k, d, Message{Tag: "test", Title: "Found Footy", Body: "Notifications are on. Goals will look like this.", URL: "/", At: s.opt.Now()})
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "keep device", "The push service of this browser did not take a first message (%s); turn notifications on again.", footy.UserMessage(err))
	}
	return nil
}

// mayAsk counts a message that an address asks for, delivered or not: devices can be made up.
func (s *Service) mayAsk(owner string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.opt.Now()
	maps.DeleteFunc(s.asked, func(_ string, l *rate.Limiter) bool { return l.TokensAt(now) >= askedMost })
	l := s.asked[owner]
	if l == nil {
		l = rate.NewLimiter(rate.Every(time.Minute/askedMost), askedMost)
		s.asked[owner] = l
	}
	if !l.AllowN(now, 1) {
		return footy.Errorf(footy.CodeRateLimited, "message device", "Your address asks for too many messages; wait a minute.")
	}
	return nil
}

// room refuses what is more than one address, or all together, may have.
func (s *Service) room(all []Device, owner string) error {
	if len(all) >= s.opt.Devices {
		return footy.Errorf(footy.CodeUnavailable, "keep device", "As many devices as this page can tell are registered.")
	}
	own := 0
	for _, d := range all {
		if d.Owner == owner {
			own++
		}
	}
	if own >= s.opt.PerOwner {
		return footy.Errorf(footy.CodeRateLimited, "keep device", "Your address has %d devices registered already; turn notifications off on one of them.", own)
	}
	return nil
}

// Forget removes a device; one that is not known is gone already.
func (s *Service) Forget(ctx context.Context, endpoint string) error {
	return s.drop(ctx, func(d Device) bool { return d.Endpoint == endpoint })
}

func (s *Service) drop(ctx context.Context, which func(Device) bool) error {
	_, err := store.ChangeState(ctx, s.opt.Store, devicesKey, func(all *devices) error {
		left := slices.DeleteFunc(slices.Clone(all.List), which)
		if len(left) == len(all.List) {
			return store.ErrUnchanged
		}
		all.List = left
		return nil
	})
	return err
}

func (s *Service) devices(ctx context.Context) ([]Device, error) {
	var all devices
	err := s.opt.Store.State(ctx, devicesKey, &all)
	if footy.IsNotFound(err) {
		return nil, nil
	}
	return all.List, err
}

// longestEndpoint is more than any push service gives out.
const longestEndpoint = 2048

// check refuses what no browser gives out: an address that is none of a push service, or keys that nothing can be sealed for.
func (s *Service) check(sub Subscription) error {
	u, err := url.Parse(sub.Endpoint)
	if err != nil || len(sub.Endpoint) > longestEndpoint || u.User != nil || u.Host == "" || u.Scheme != "https" && (!s.opt.Local || u.Scheme != "http") {
		return footy.Errorf(footy.CodeInvalid, "keep device", "endpoint is no https address of a push service")
	}
	if len(s.opt.Hosts) == 0 || !httpx.Allowed(u.Host, s.opt.Hosts) || !s.opt.Local && u.Port() != "" && u.Port() != "443" {
		return footy.Errorf(footy.CodeInvalid, "keep device", "The push service %q of this browser is none that this page uses; who runs the page can add it to PUSH_HOSTS.", u.Hostname())
	}
	key, err := decode(sub.Keys.P256dh)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(key)
	}
	if err != nil {
		return footy.Errorf(footy.CodeInvalid, "keep device", "keys.p256dh is no key of the curve P-256")
	}
	if secret, err := decode(sub.Keys.Auth); err != nil || len(secret) != 16 {
		return footy.Errorf(footy.CodeInvalid, "keep device", "keys.auth is not 16 bytes in base64url")
	}
	return nil
}

func decode(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
}

func (w *Wish) wantsSomething() error {
	if !w.Goals && !w.Clips {
		return footy.Errorf(footy.CodeInvalid, "keep device", "goals and clips are both off: choose one of them.")
	}
	if !w.All && len(w.Teams) == 0 && len(w.Leagues) == 0 {
		return footy.Errorf(footy.CodeInvalid, "keep device", "There are no favourites yet: give a team or a competition its star first, or choose all matches.")
	}
	return nil
}

func (w *Wish) check() error {
	if len(w.Teams) > followedMost || len(w.Leagues) > followedMost {
		return footy.Errorf(footy.CodeInvalid, "keep device", "teams and leagues have up to %d entries each", followedMost)
	}
	if _, err := time.LoadLocation(w.Zone); err != nil || strings.EqualFold(w.Zone, "local") || w.Zone == "" {
		return footy.Errorf(footy.CodeInvalid, "keep device", "zone is a time zone like Europe/Berlin or UTC, not %s", strconv.Quote(w.Zone))
	}
	if w.QuietFrom == "" && w.QuietTo == "" {
		return nil
	}
	for name, value := range map[string]string{"quiet_from": w.QuietFrom, "quiet_to": w.QuietTo} {
		if _, err := time.Parse(clockForm, value); err != nil {
			return footy.Errorf(footy.CodeInvalid, "keep device", "%s is a time like 23:00, not %s", name, strconv.Quote(value))
		}
	}
	return nil
}
