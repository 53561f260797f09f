// Package posting posts goals to channels and accounts: one post a goal, edited, and deleted if the goal is cancelled.
package posting

import (
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/extra/posting/bluesky"
	"github.com/found-footy/found-footy/internal/extra/posting/discord"
	"github.com/found-footy/found-footy/internal/extra/posting/mastodon"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/extra/posting/telegram"
	"github.com/found-footy/found-footy/internal/extra/posting/xpost"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/teller"
)

// Extra is what posting adds.
func Extra() port.Extra {
	return port.Extra{Name: rule.Name, Steps: target.Steps(), Tellers: tellers, Looks: looks, Page: page,
		Settings: &config.Group{Title: "Posts of your own", New: func() any { return &Settings{} }, Check: contradictions},
		Commands: []port.Command{{Name: "posts", Help: "Posts whose delivery is unknown: list them, say that they were delivered, post them again.", Run: &Cmd{}}}}
}

// tellers are the channels and accounts that goals are posted to. Of several processes one posts.
func tellers(c port.Core) (out []teller.Teller, err error) {
	s := config.Own[Settings](c.Config)
	filter := c.Chosen("POST", "nothing is posted", s.Leagues, s.Teams, s.Kinds)
	all, err := services(c, s)
	for _, is := range all {
		o := target.Options{Service: is.Service, Template: rule.DefaultTemplate, Verified: s.When == verified, Filter: filter,
			Store: c.Store, Blob: c.Blob, BaseURL: c.Config.Web.PublicURL, Lead: c.Hold, Page: c.Page, Logger: c.Log}
		if is.unlinked {
			o.BaseURL = ""
		}
		if is.text != "" {
			o.Template = rule.Template(is.text)
		}
		if err := o.Template.Check(is.Traits().Text); err != nil {
			return nil, footy.Errorf(footy.CodeInvalid, "read settings", "%s %w", is.setting, err)
		}
		t := target.New(o)
		out = append(out, teller.Teller{Name: t.Name(), SendNew: t.SendNew, Test: t.SendTest})
	}
	return out, err
}

// service is one that is set up, with what its posts say.
type service struct {
	target.Service
	setting, text string
	unlinked      bool // its posts have no link: it costs extra
}

func services(core port.Core, c Settings) (out []service, err error) {
	// Calls end by their context: an upload takes as long as it takes.
	client := httpx.New(httpx.Options{Timeout: -1, UserAgent: "found-footy/" + core.Version})
	if c.Discord != "" {
		s, err := discord.New(discord.Options{URL: c.Discord, MaxFile: int64(c.DiscordFileMB) << 20, Client: client})
		if err != nil {
			return nil, err
		}
		out = append(out, service{s, "POST_DISCORD_TEXT", c.DiscordText, false})
	}
	if c.TelegramToken != "" {
		s := telegram.New(telegram.Options{URL: c.TelegramURL, Token: c.TelegramToken, Chat: c.TelegramChat, Client: client})
		out = append(out, service{s, "POST_TELEGRAM_TEXT", c.TelegramText, false})
	}
	if c.MastodonToken != "" {
		s := mastodon.New(mastodon.Options{URL: c.MastodonURL, Token: c.MastodonToken, Client: client})
		out = append(out, service{s, "POST_MASTODON_TEXT", c.MastodonText, false})
	}
	if c.BlueskyPassword != "" {
		s := bluesky.New(bluesky.Options{URL: c.BlueskyURL, Handle: c.BlueskyHandle, Password: c.BlueskyPassword, Client: client})
		out = append(out, service{s, "POST_BLUESKY_TEXT", c.BlueskyText, false})
	}
	if c.XKey != "" {
		s := xpost.New(xpost.Options{URL: core.Config.Search.APIURL, Key: c.XKey, KeySecret: c.XKeySecret, Token: c.XToken, TokenSecret: c.XTokenSecret, Client: client})
		out = append(out, service{s, "POST_X_TEXT", c.XText, true})
	}
	return out, nil
}
