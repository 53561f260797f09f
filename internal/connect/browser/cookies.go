package browser

import (
	"context"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
	"github.com/found-footy/found-footy/internal/footy"
)

// restore gives a new Chromium the session: one that was killed had not yet written its cookies to the profile. Where a
// person has just used the profile, its own cookies are the newer ones.
func (s *Service) restore(c *chrome) error {
	all, err := cookie.Load(s.opts.CookieFile)
	if err != nil {
		return nil //nolint:nilerr // Authenticate reads the file too, and tells
	}
	kept := cookie.Unexpired(cookie.Of(all, s.host), s.opts.Now())
	if s.state().Newer {
		own, err := c.cookies(context.Background(), s.host)
		if err != nil {
			return err
		}
		if cookie.Has(own, cookie.Session) {
			s.mu.Lock()
			s.saved = kept // nobody has brought these anew
			s.mu.Unlock()
			return nil
		}
	}
	if !cookie.Has(kept, cookie.Session) {
		return nil
	}
	return c.setCookies(context.Background(), kept)
}

// cookies are the site's cookies as the browser has them.
func (c *chrome) cookies(ctx context.Context, host string) ([]cookie.Cookie, error) {
	var out []cookie.Cookie
	err := c.do(ctx, func(ctx context.Context) error {
		all, err := storage.GetCookies().Do(ctx)
		for _, k := range all {
			e := cookie.Cookie{Name: k.Name, Value: k.Value, Domain: k.Domain, Path: k.Path, HTTPOnly: k.HTTPOnly, Secure: k.Secure, SameSite: string(k.SameSite)}
			if !k.Session {
				e.Expires = k.Expires
			}
			out = append(out, e)
		}
		return err
	})
	return cookie.Of(out, host), footy.Wrap(footy.CodeUnavailable, "read the browser's cookies", err)
}

// setCookies gives the browser the cookies a person brought, in place of what it has: those of two accounts do not mix.
func (c *chrome) setCookies(ctx context.Context, all []cookie.Cookie) error {
	params := make([]*network.CookieParam, 0, len(all))
	for _, k := range all {
		p := &network.CookieParam{Name: k.Name, Value: k.Value, Domain: k.Domain, Path: k.Path, HTTPOnly: k.HTTPOnly, Secure: k.Secure,
			SameSite: network.CookieSameSite(k.SameSite)}
		if k.Expires > 0 {
			p.Expires = epoch(k.Expires)
		}
		params = append(params, p)
	}
	err := c.do(ctx, func(ctx context.Context) error {
		if err := storage.ClearCookies().Do(ctx); err != nil {
			return err
		}
		return storage.SetCookies(params).Do(ctx)
	})
	return footy.Wrap(footy.CodeUnavailable, "give the browser its cookies", err)
}

// keepCookies writes the browser's cookies to the file where they changed: X renews them as it is used.
func (s *Service) keepCookies(ctx context.Context, c *chrome) {
	own, err := c.cookies(ctx, s.host)
	if err == nil && cookie.Has(own, cookie.Session) {
		s.mu.Lock()
		s.until = cookie.ValidUntil(own)
		same := slices.Equal(own, s.saved)
		s.mu.Unlock()
		if same {
			return
		}
		if err = cookie.Save(s.opts.CookieFile, own); err == nil {
			s.mu.Lock()
			s.saved = own
			s.mu.Unlock()
		}
	}
	if err != nil && ctx.Err() == nil { // the search itself is good
		s.opts.Log.Warn("the cookies could not be kept", "module", "browser", "action", "keep_cookies", "error", err)
	}
}

func epoch(seconds float64) *cdp.TimeSinceEpoch {
	t := cdp.TimeSinceEpoch(time.UnixMilli(int64(seconds * 1000)))
	return &t
}
