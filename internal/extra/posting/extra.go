// Package posting posts goals to channels and accounts: one post a goal, edited, and deleted if the goal is cancelled.
package posting

import (
	"cmp"

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
		Settings: &config.Group{Title: "Posts of your own", New: func() any { return &Settings{} }, Check: contradictions}}
}

// tellers are the channels and accounts that goals are posted to. Of several processes one posts.
func tellers(c port.Core) (out []teller.Teller, err error) {
	s := config.Own[Settings](c.Config)
	filter := c.Chosen("POST", "nothing is posted", s.Leagues, s.Teams, s.Kinds)
	all, err := services(c, s)
	text := cmp.Or(rule.Template(s.Text), rule.DefaultTemplate)
	for _, is := range all {
		if err := text.Check(is.Traits().Text); err != nil {
			return nil, footy.Errorf(footy.CodeInvalid, "read settings", "POST_TEXT %w at %s", err, is.Traits().Name)
		}
		base := c.Config.Web.PublicURL
		if is.Traits().Name == xpost.Name {
			base = "" // a link costs extra there
		}
		t := target.New(target.Options{Service: is, Template: text, Verified: s.When == verified, Filter: filter,
			Store: c.Store, Blob: c.Blob, BaseURL: base, Lead: c.Hold, Page: c.Page})
		out = append(out, teller.Teller{Name: t.Name(), SendNew: t.SendNew, Test: t.SendTest})
	}
	return out, err
}

func services(core port.Core, c Settings) (out []target.Service, err error) {
	// Calls end by their context: an upload takes as long as it takes.
	client := httpx.New(httpx.Options{Timeout: -1, UserAgent: "found-footy/" + core.Version})
	if c.Discord != "" {
		s, err := discord.New(discord.Options{URL: c.Discord, Client: client})
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if c.TelegramToken != "" {
		out = append(out, telegram.New(telegram.Options{URL: c.TelegramURL, Token: c.TelegramToken, Chat: c.TelegramChat, Client: client}))
	}
	if c.MastodonToken != "" {
		out = append(out, mastodon.New(mastodon.Options{URL: c.MastodonURL, Token: c.MastodonToken, Client: client}))
	}
	if c.BlueskyPassword != "" {
		out = append(out, bluesky.New(bluesky.Options{URL: c.BlueskyURL, Handle: c.BlueskyHandle, Password: c.BlueskyPassword, Client: client}))
	}
	if c.XKey != "" {
		out = append(out, xpost.New(xpost.Options{URL: core.Config.Search.APIURL, Key: c.XKey, KeySecret: c.XKeySecret, Token: c.XToken, TokenSecret: c.XTokenSecret, Client: client}))
	}
	return out, nil
}
