package app

import (
	"context"
	"io"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/web/media"
)

// Where the feeds keep the logos of teams and competitions.
const (
	pictureHost     = "media.api-sports.io"
	espnPictureHost = "a.espncdn.com"
)

// badges keep our own copies of logos: a page never makes its readers call a foreign server. Addresses come from
// the feed's answers, so only its own hosts are asked.
func (a *App) badges() *media.Logos {
	hosts := withHosts([]string{pictureHost, espnPictureHost}, a.Config.Feed.URL, a.Config.Feed.ESPN)
	client := httpx.New(httpx.Options{Timeout: 10 * time.Second, AllowHosts: hosts, DenyPrivate: !a.Config.Media.AllowPrivate})
	if a.setup {
		return media.NewLogos(unkept{a.Blob}, client, time.Now)
	}
	return media.NewLogos(a.Blob, client, time.Now)
}

// unkept keeps nothing: until a feed is chosen, an id may be a club of either.
type unkept struct{ blob.Store }

func (unkept) Open(_ context.Context, key string) (blob.Object, error) {
	return nil, footy.Errorf(footy.CodeNotFound, "open "+key, "nothing is kept before a feed is chosen")
}

func (unkept) Put(context.Context, string, io.Reader, int64, blob.Info) error { return nil }
