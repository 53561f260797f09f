package hosts

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
)

// maxPage is more than any page with a player.
const maxPage = 4 << 20

// Asker asks hosts for pages: only the page's own host, as o confines it otherwise.
func Asker(ctx context.Context, o httpx.Options) func(page string) (Asked, error) {
	return func(page string) (Asked, error) {
		u, err := url.Parse(page)
		if err != nil {
			return Asked{}, err
		}
		o.Timeout, o.AllowHosts, o.OnlyHTTPS = 15*time.Second, []string{u.Host}, true
		client := httpx.New(o)
		defer client.CloseIdleConnections()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
		if err != nil {
			return Asked{}, err
		}
		res, err := client.Do(req) //nolint:bodyclose // httpx.Drain closes it
		if err != nil {
			return Asked{}, err
		}
		defer httpx.Drain(res)
		body, err := httpx.ReadBody(res, maxPage)
		return Asked{res.StatusCode, body}, err
	}
}

// hop is the address at which an exchange failed: where a redirect led, where one did; nil if nobody says.
func hop(err error) *url.URL {
	var failed *url.Error
	if !errors.As(err, &failed) {
		return nil
	}
	u, err := url.Parse(failed.URL)
	if err != nil {
		return nil
	}
	return u
}
