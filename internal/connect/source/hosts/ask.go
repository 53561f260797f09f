package hosts

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
)

// maxPage is more than any page with a player.
const maxPage = 4 << 20

// Asker asks hosts for pages: only the page's own host, and no private address.
func Asker(ctx context.Context) func(page string) (Asked, error) {
	return func(page string) (Asked, error) {
		u, err := url.Parse(page)
		if err != nil {
			return Asked{}, err
		}
		client := httpx.New(httpx.Options{Timeout: 15 * time.Second, AllowHosts: []string{u.Hostname()}, DenyPrivate: true})
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
