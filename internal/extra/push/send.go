package push

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/SherClockHolmes/webpush-go"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

const (
	sendTime    = 10 * time.Second
	atOnce      = 8  // devices that are notified at the same time
	maxMessages = 10 // to one device in one look; the rest follows with the next one
	maxRefused  = 10 // one after the other: the device is of no use
	shortest    = 30 * time.Second
	longest     = 15 * time.Minute
	longestSaid = 6 * time.Hour // of what a push service asks for
)

// SendNew sends every device what is new, and returns all failures. Of several processes one does.
func (s *Service) SendNew(ctx context.Context) error {
	k, err := s.vapid(ctx) // made at the first start
	if err != nil {
		return err
	}
	all, err := s.devices(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return nil
	}
	if leads, err := s.opt.Lead(ctx, "push"); err != nil || !leads {
		return err
	}
	now := s.opt.Now()
	fixtures, err := s.opt.Store.List(ctx, store.FixtureQuery{From: now.Add(-news.LookBack), To: now.Add(time.Hour)})
	if err != nil {
		return err
	}
	restored, err := store.Restored(ctx, s.opt.Store)
	if err != nil {
		return err
	}
	failed := make([]error, len(all))
	var g errgroup.Group
	g.SetLimit(atOnce)
	for i, d := range all {
		d.Wish.After = restored
		g.Go(func() error {
			failed[i] = s.notify(ctx, k, d, fixtures)
			return nil
		})
	}
	_ = g.Wait()
	return errors.Join(failed...)
}

func (s *Service) notify(ctx context.Context, k keys, d Device, fixtures []footy.Fixture) error {
	t, err := s.toldOf(ctx, d)
	if err != nil || s.opt.Now().Before(t.NotBefore) {
		return err
	}
	if t.After.After(d.Wish.After) {
		d.Wish.After = t.After
	}
	list := newsFor(fixtures, d, t, s.opt.Now())
	for _, n := range list[:min(len(list), maxMessages)] {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, mine, err := s.claim(ctx, d, n)
		if err != nil {
			return err
		}
		if !mine {
			continue // another process sends it
		}
		// From here it goes out or is written back, even if the process is being stopped.
		if more, err := s.deliver(context.WithoutCancel(ctx), k, d, t, n); err != nil || !more {
			return err
		}
	}
	return nil
}

func (d Device) is(o Device) bool { return d.ID == o.ID }

func toldKey(d Device) string { return "push/told/" + strconv.Itoa(d.Slot) }

// toldOf is the record of a device. A record that cannot be read begins anew, and nothing that was scored before is news.
func (s *Service) toldOf(ctx context.Context, d Device) (t told, err error) {
	if err := s.opt.Store.State(ctx, toldKey(d), &t); err != nil && !footy.IsNotFound(err) {
		t = told{Device: d.ID, Goals: news.Record{}, After: s.opt.Now()}
		if err := store.Mend(ctx, s.opt.Store, toldKey(d), t, err); err != nil {
			return told{}, err
		}
	}
	if t.Device != d.ID {
		t = told{}
	}
	return t, nil
}

func (s *Service) change(ctx context.Context, d Device, change func(*told) error) (told, error) {
	return store.ChangeState(ctx, s.opt.Store, toldKey(d), func(t *told) error {
		if t.Device != d.ID { // another device had the slot
			*t = told{Device: d.ID}
		}
		if t.Goals == nil {
			t.Goals = news.Record{}
		}
		return change(t)
	})
}

// claim writes down that a device is sent a message before it is. mine is false where another process did.
func (s *Service) claim(ctx context.Context, d Device, n item) (t told, mine bool, err error) {
	t, err = s.change(ctx, d, func(t *told) error {
		if mine = t.Goals[n.uid].Same(n.was); !mine {
			return store.ErrUnchanged
		}
		t.Goals[n.uid] = n.next
		t.Goals.Forget(n.next.At)
		return nil
	})
	return t, mine && err == nil, err
}

// deliver sends a message that was claimed, and says whether the device can be sent more now. What the push service put off is written
// back and tried again; what may have arrived is not.
func (s *Service) deliver(ctx context.Context, k keys, d Device, t told, n item) (more bool, err error) {
	is, after, err := s.send(ctx, k, d, n.message)
	op := "push to device " + d.ID[:8]
	switch is {
	case accepted:
		if t.Tries > 0 || t.Refused > 0 {
			_, err = s.change(ctx, d, func(t *told) error {
				t.Tries, t.Refused, t.NotBefore = 0, 0, time.Time{}
				return nil
			})
		}
		return true, err
	case gone:
		s.opt.Log.InfoContext(ctx, "a device is gone", "module", "push", "action", "drop", "device", d.ID[:8])
		return false, s.drop(ctx, d.is)
	case putOff:
		_, back := s.change(ctx, d, func(t *told) error {
			t.Tries++
			t.NotBefore = s.opt.Now().Add(max(min(after, longestSaid), min(shortest<<min(t.Tries-1, 10), longest)))
			if t.Goals[n.uid].Same(n.next) {
				t.Goals[n.uid] = n.was
			}
			return nil
		})
		return false, errors.Join(footy.Wrap(footy.CodeUnavailable, op, err), back)
	case refused:
		t, back := s.change(ctx, d, func(t *told) error { t.Refused++; return nil })
		if t.Refused >= maxRefused {
			back = errors.Join(back, s.drop(ctx, d.is))
		}
		return false, errors.Join(footy.Wrap(footy.CodeRejected, op, err), back)
	}
	return true, footy.Wrap(footy.CodeUnavailable, op+": it may have arrived and is not sent again", err)
}

// outcome of a message.
type outcome int

const (
	accepted outcome = iota
	gone             // the browser is no longer there
	putOff           // it did not arrive, and may be sent again
	refused          // it did not arrive, and will not
	unknown          // it may have arrived
)

// send hands a message to the push service of a device, sealed for it. Errors never show the device's address.
func (s *Service) send(ctx context.Context, k keys, d Device, m Message) (is outcome, after time.Duration, err error) {
	body, err := json.Marshal(m)
	if err != nil {
		return refused, 0, err
	}
	var wrote atomic.Bool
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { wrote.Store(true) }})
	now := s.opt.Now()
	res, err := webpush.SendNotificationWithContext(ctx, body, &Subscription{Endpoint: d.Endpoint, Keys: webpush.Keys{Auth: d.Auth, P256dh: d.P256dh}}, //nolint:bodyclose // Drain does
		&webpush.Options{HTTPClient: s.client, Subscriber: s.opt.Site, TTL: int(d.Wish.keptFor(now).Seconds()), Urgency: webpush.UrgencyHigh,
			VAPIDPublicKey: k.Public, VAPIDPrivateKey: k.Private, VapidExpiration: time.Now().Add(12 * time.Hour)})
	if err != nil {
		if hidden, ok := errors.AsType[*url.Error](err); ok {
			err = hidden.Err
		}
		switch {
		case wrote.Load():
			return unknown, 0, err
		case footy.CodeOf(err) == footy.CodeRejected: // an address that we must not ask
			return refused, 0, err
		}
		return putOff, 0, err
	}
	httpx.Drain(res)
	after = httpx.RetryAfter(res.Header, now)
	err = footy.Errorf(footy.CodeUnavailable, "", "the push service answers %d", res.StatusCode)
	switch {
	case res.StatusCode < 300:
		return accepted, 0, nil
	case res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusGone:
		return gone, 0, err
	case res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= 500:
		return putOff, after, err
	}
	return refused, 0, err
}

// Test sends a message to a device at once, and says whether its push service took it.
func (s *Service) Test(ctx context.Context, endpoint string) error {
	all, err := s.devices(ctx)
	if err != nil {
		return err
	}
	for _, d := range all {
		if d.Endpoint != endpoint {
			continue
		}
		if err := s.mayAsk(d.Owner); err != nil {
			return err
		}
		k, err := s.vapid(ctx)
		if err != nil {
			return err
		}
		is, _, err := s.send(ctx, k, d, Message{Tag: "test", Title: "Found Footy", Body: "This is a test. Goals will look like this.", URL: "/", Again: true, At: s.opt.Now()})
		if is == gone {
			if err := s.drop(ctx, d.is); err != nil {
				return err
			}
			return footy.Errorf(footy.CodeNotFound, "test push", "The push service does not know this browser any more; turn notifications on again.")
		}
		if err != nil {
			return footy.Errorf(footy.CodeUnavailable, "test push", "The push service did not take the message: %s", footy.UserMessage(err))
		}
		return nil
	}
	return footy.Errorf(footy.CodeNotFound, "test push", "This device is not known; turn notifications on again.")
}
