package app

import (
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/posting"
	"github.com/found-footy/found-footy/internal/tell/posting/bluesky"
	"github.com/found-footy/found-footy/internal/tell/posting/discord"
	"github.com/found-footy/found-footy/internal/tell/posting/mastodon"
	"github.com/found-footy/found-footy/internal/tell/posting/telegram"
	"github.com/found-footy/found-footy/internal/tell/posting/xpost"
)

// postingTargets are the channels and accounts that goals are posted to. page gets the news of posts; with nil nothing is posted. Of several
// processes one posts.
func (a *App) postingTargets(page footy.Publisher) ([]*posting.Target, error) {
	c := a.Config.Posting
	filter := a.choose("POST", "nothing is posted", c.Leagues, c.Teams, c.Kinds)
	var out []*posting.Target
	services, err := postingServices(a.Config, a.Version)
	if err != nil {
		return nil, err
	}
	for _, s := range services {
		o := posting.Options{Service: s.service, Template: posting.DefaultTemplate, Verified: c.When == config.PostVerified, Filter: filter,
			Store: a.Store, Blob: a.Blob, BaseURL: a.Config.Web.PublicURL, Page: page, Logger: a.Log}
		if s.unlinked {
			o.BaseURL = ""
		}
		if s.text != "" {
			o.Template = posting.Template(s.text)
		}
		if err := o.Template.Check(s.service.Traits().Text); err != nil {
			return nil, footy.Errorf(footy.CodeInvalid, "read settings", "%s %w", s.setting, err)
		}
		if page != nil {
			o.Lead = a.leases.Hold
		}
		out = append(out, posting.New(o))
	}
	return out, nil
}

// postingService is one that is set up, with what its posts say.
type postingService struct {
	service       posting.Service
	setting, text string
	unlinked      bool // its posts have no link: it costs extra
}

func postingServices(all config.Config, version string) ([]postingService, error) {
	c := all.Posting
	// Calls end by their context: an upload takes as long as it takes.
	client := httpx.New(httpx.Options{Timeout: -1, UserAgent: "found-footy/" + version})
	var out []postingService
	if c.Discord != "" {
		s, err := discord.New(discord.Options{URL: c.Discord, MaxFile: int64(c.DiscordFileMB) << 20, Client: client})
		if err != nil {
			return nil, err
		}
		out = append(out, postingService{s, "POST_DISCORD_TEXT", c.DiscordText, false})
	}
	if c.TelegramToken != "" {
		s := telegram.New(telegram.Options{URL: c.TelegramURL, Token: c.TelegramToken, Chat: c.TelegramChat, Client: client})
		out = append(out, postingService{s, "POST_TELEGRAM_TEXT", c.TelegramText, false})
	}
	if c.MastodonToken != "" {
		s := mastodon.New(mastodon.Options{URL: c.MastodonURL, Token: c.MastodonToken, Client: client})
		out = append(out, postingService{s, "POST_MASTODON_TEXT", c.MastodonText, false})
	}
	if c.BlueskyPassword != "" {
		s := bluesky.New(bluesky.Options{URL: c.BlueskyURL, Handle: c.BlueskyHandle, Password: c.BlueskyPassword, Client: client})
		out = append(out, postingService{s, "POST_BLUESKY_TEXT", c.BlueskyText, false})
	}
	if c.XKey != "" {
		o := xpost.Options{URL: all.Search.APIURL, Key: c.XKey, KeySecret: c.XKeySecret, Token: c.XToken, TokenSecret: c.XTokenSecret, Client: client}
		out = append(out, postingService{xpost.New(o), "POST_X_TEXT", c.XText, true})
	}
	return out, nil
}
