package app

import (
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/tell/web/media"
)

// pictureHost is where the feed keeps the logos of teams and competitions.
const pictureHost = "media.api-sports.io"

// badges keep our own copies of logos: a page never makes its readers call somebody else's server. Addresses come from
// the feed's answers, so only its own hosts are asked.
func (a *App) badges() *media.Logos {
	hosts := []string{pictureHost}
	if h := hostOf(a.Config.Feed.URL); h != "" {
		hosts = append(hosts, h)
	}
	client := httpx.New(httpx.Options{Timeout: 10 * time.Second, AllowHosts: hosts, DenyPrivate: !a.Config.Media.AllowPrivate})
	return media.NewLogos(a.Blob, client, time.Now)
}
