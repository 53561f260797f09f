package push

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/SherClockHolmes/webpush-go"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

const (
	sendTime    = 10 * time.Second
	atOnce      = 8  // devices that are told at the same time
	maxMessages = 10 // to one device in one look; the rest follows with the next one
	maxRefused  = 10 // one after the other: the device is of no use
	shortest    = 30 * time.Second
	longest     = 15 * time.Minute
	longestSaid = 6 * time.Hour // of what a push service asks for
)

// SendNew tells every device what is new, and returns all failures. Of several processes one does.
func (s *Service) SendNew(ctx context.Context) error {
	k, err := s.vapid(ctx) // made at the first start
	if err != nil {
		return err
	}
	all, err := s.devices(ctx)
	if err != nil {
		return err
	}
	s.cleanUp(all)
	if len(all) == 0 {
		return nil
	}
	if s.opt.Lead != nil {
		if leads, err := s.opt.Lead(ctx, "push"); err != nil || !leads {
			return err
		}
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
			failed[i] = s.tell(ctx, k, d, fixtures)
			return nil
		})
	}
	_ = g.Wait()
	return errors.Join(failed...)
}

// cleanUp forgets what is remembered of devices that are gone, and of addresses that may ask for all their first messages again.
func (s *Service) cleanUp(all []Device) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := map[string]bool{}
	for _, d := range all {
		left[d.ID] = true
	}
	for id := range s.told {
		if !left[id] {
			delete(s.told, id)
		}
	}
	maps.DeleteFunc(s.greets, func(_ string, l *rate.Limiter) bool {
		return l.TokensAt(s.opt.Now()) >= float64(s.opt.Bounds.Greetings)
	})
	for id := range s.tested {
		if !left[id] {
			delete(s.tested, id)
		}
	}
}

// tell tells one device what it has not been told.
func (s *Service) tell(ctx context.Context, k keys, d Device, fixtures []footy.Fixture) error {
	t, err := s.toldOf(ctx, d)
	if err != nil {
		return err
	}
	if t.After.After(d.Wish.After) {
		d.Wish.After = t.After
	}
	now := s.opt.Now()
	if s.expired(d, t, now) {
		return s.expire(ctx, d, now)
	}
	if now.Before(t.NotBefore) {
		return nil
	}
	list := newsFor(fixtures, d, t, now)
	for _, n := range list[:min(len(list), maxMessages)] {
		if err := ctx.Err(); err != nil {
			return err
		}
		mine, err := s.claim(ctx, d, n)
		if err != nil {
			return err
		}
		if !mine {
			continue // by another process, which tells it
		}
		// From here it goes out or is written back, even if the process is being stopped.
		if more, err := s.deliver(context.WithoutCancel(ctx), k, d, n); err != nil || !more {
			return err
		}
	}
	return nil
}

// expired tells whether a device was told nothing for so long that it is none of a reader any more, or never was.
func (s *Service) expired(d Device, t told, now time.Time) bool {
	last := d.Since
	for _, g := range t.Goals { // written before there was a time of the last message
		last = later(last, g.At)
	}
	return now.Sub(later(last, t.Last)) > s.opt.Bounds.Untold
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// expire drops a device, unless another process has told it something since.
func (s *Service) expire(ctx context.Context, d Device, now time.Time) error {
	s.mu.Lock()
	delete(s.told, d.ID)
	s.mu.Unlock()
	t, err := s.toldOf(ctx, d)
	if err != nil || !s.expired(d, t, now) {
		return err
	}
	s.opt.Log.InfoContext(ctx, "a device was never told anything for "+s.opt.Bounds.Untold.String(), "module", "push", "action", "drop", "device", d.ID[:8])
	return s.drop(ctx, d.is)
}

func (d Device) is(o Device) bool { return d.ID == o.ID }

func toldKey(d Device) string { return "push/told/" + strconv.Itoa(d.Slot) }

// toldOf is what a device was told, from memory where it is known. Memory may be old: a claim asks the store.
func (s *Service) toldOf(ctx context.Context, d Device) (told, error) {
	s.mu.Lock()
	t, ok := s.told[d.ID]
	s.mu.Unlock()
	if ok {
		return t, nil
	}
	if err := s.opt.Store.State(ctx, toldKey(d), &t); err != nil && !footy.IsNotFound(err) {
		t = told{Device: d.ID, Goals: news.Record{}, After: s.opt.Now()}
		if err := store.Mend(ctx, s.opt.Store, toldKey(d), t, err); err != nil {
			return told{}, err
		}
	}
	if t.Device != d.ID {
		t = told{}
	}
	s.remember(d, t)
	return t, nil
}

func (s *Service) remember(d Device, t told) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told[d.ID] = t
}

// change changes what is written down of a device.
func (s *Service) change(ctx context.Context, d Device, change func(*told) error) error {
	t, err := store.ChangeState(ctx, s.opt.Store, toldKey(d), func(t *told) error {
		if t.Device != d.ID { // another device had the slot
			*t = told{Device: d.ID}
		}
		if t.Goals == nil {
			t.Goals = news.Record{}
		}
		return change(t)
	})
	if err == nil {
		s.remember(d, t)
	}
	if errors.Is(err, store.ErrDamaged) { // the next look mends it
		s.mu.Lock()
		delete(s.told, d.ID)
		s.mu.Unlock()
	}
	return err
}

// claim writes down that a device is told before it is: whoever finds it written tells it no more. It is false where another did.
func (s *Service) claim(ctx context.Context, d Device, n item) (mine bool, err error) {
	err = s.change(ctx, d, func(t *told) error {
		if mine = t.Goals[n.uid].Same(n.was); !mine {
			return store.ErrUnchanged
		}
		t.Goals[n.uid] = n.next
		t.Goals.Forget(n.next.At)
		if t.Tries == 0 && t.Refused == 0 { // what went before arrived
			t.Last = s.opt.Now()
		}
		return nil
	})
	return mine && err == nil, err
}

// deliver sends a message that was claimed, and says whether the device can be told more now. What the push service put off is written
// back and tried again; what may have arrived is not.
func (s *Service) deliver(ctx context.Context, k keys, d Device, n item) (more bool, err error) {
	is, after, err := s.send(ctx, k, d, n.message)
	op := "push to device " + d.ID[:8]
	switch is {
	case accepted:
		s.mu.Lock()
		t := s.told[d.ID]
		s.mu.Unlock()
		if t.Tries == 0 && t.Refused == 0 {
			return true, nil
		}
		return true, s.change(ctx, d, func(t *told) error {
			t.Tries, t.Refused, t.NotBefore, t.Last = 0, 0, time.Time{}, s.opt.Now()
			return nil
		})
	case gone:
		s.opt.Log.InfoContext(ctx, "a device is gone", "module", "push", "action", "drop", "device", d.ID[:8])
		return false, s.drop(ctx, d.is)
	case putOff:
		back := s.change(ctx, d, func(t *told) error {
			t.Tries++
			t.NotBefore = s.opt.Now().Add(max(min(after, longestSaid), pause(t.Tries)))
			if t.Goals[n.uid].Same(n.next) {
				t.Goals[n.uid] = n.was
			}
			return nil
		})
		return false, errors.Join(footy.Wrap(footy.CodeUnavailable, op, err), back)
	case refused:
		drop := false
		back := s.change(ctx, d, func(t *told) error { t.Refused++; drop = t.Refused >= maxRefused; return nil })
		if drop {
			back = errors.Join(back, s.drop(ctx, d.is))
		}
		return false, errors.Join(footy.Wrap(footy.CodeRejected, op, err), back)
	}
	return true, footy.Wrap(footy.CodeUnavailable, op+": it may have arrived and is not sent again", err)
}

// pause is how long a device waits after so many tries in a row.
func pause(tries int) time.Duration {
	return min(shortest<<min(tries-1, 10), longest)
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
	res, err := webpush.SendNotificationWithContext(ctx, body, &webpush.Subscription{Endpoint: d.Endpoint, Keys: webpush.Keys{Auth: d.Auth, P256dh: d.P256dh}}, //nolint:bodyclose // Drain does
		&webpush.Options{HTTPClient: s.client, Subscriber: s.opt.Site, TTL: int(d.Wish.keptFor(now).Seconds()), Urgency: webpush.UrgencyHigh,
			VAPIDPublicKey: k.Public, VAPIDPrivateKey: k.Private, VapidExpiration: time.Now().Add(12 * time.Hour)})
	if err != nil {
		var hidden *url.Error
		if errors.As(err, &hidden) {
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
		now := s.opt.Now()
		s.mu.Lock()
		early := now.Sub(s.tested[d.ID]) < s.opt.Bounds.TestEvery
		if !early {
			s.tested[d.ID] = now
		}
		s.mu.Unlock()
		if early {
			return footy.Errorf(footy.CodeRateLimited, "test push", "A test was sent a moment ago; wait %s.", s.opt.Bounds.TestEvery)
		}
		k, err := s.vapid(ctx)
		if err != nil {
			return err
		}
		is, _, err := s.send(ctx, k, d, Message{Tag: "test", Title: "Found Footy", Body: "This is a test. Goals will look like this.", URL: "/", Again: true, At: now})
		if is == gone {
			if err := s.drop(ctx, d.is); err != nil {
				return err
			}
			return footy.Errorf(footy.CodeNotFound, "test push", "The push service does not know this browser any more; turn notifications on again.")
		}
		if err != nil {
			return footy.Errorf(footy.CodeUnavailable, "test push", "The push service did not take the message: %s", footy.UserMessage(err))
		}
		return s.change(ctx, d, func(t *told) error { t.Last = now; return nil })
	}
	return footy.Errorf(footy.CodeNotFound, "test push", "This device is not known; turn notifications on again.")
}
