package app

import (
	"context"
	"log/slog"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/posting"
	"github.com/found-footy/found-footy/internal/tell/posting/bluesky"
	"github.com/found-footy/found-footy/internal/tell/posting/discord"
	"github.com/found-footy/found-footy/internal/tell/posting/mastodon"
	"github.com/found-footy/found-footy/internal/tell/posting/telegram"
	"github.com/found-footy/found-footy/internal/tell/posting/xpost"
)

// postingTargets are the channels and accounts that goals are posted to. page is told of posts; nil where nothing is posted and their
// addresses are only looked at. Of several processes one posts.
func (a *App) postingTargets(page footy.Publisher) ([]*posting.Target, error) {
	c := a.Config.Posting
	filter := a.chosen(a.Posts, kinds(c.Kinds), "nothing is posted")
	var out []*posting.Target
	services, err := postingServices(a.Config, a.Store, a.Version)
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

// PostingPreviews tell what each channel and account that is set up would do about a goal now. None of them is asked.
func PostingPreviews(ctx context.Context, c config.Config, st store.Store, version string, f *footy.Fixture, e *footy.Event) ([]posting.Preview, error) {
	if !c.Posting.On() {
		return nil, footy.Errorf(footy.CodeInvalid, "", "no channel or account is set up to post to; set POST_DISCORD_URL or others as docs/posting.md says, as the footy that posts has them")
	}
	a := &App{Config: c, Log: slog.New(slog.DiscardHandler), Version: version, looksOnly: true}
	a.Store = st
	a.clients()
	targets, err := a.postingTargets(nil)
	if err != nil {
		return nil, err
	}
	var out []posting.Preview
	for _, t := range targets {
		p, err := t.Preview(ctx, f, e)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// postingService is one that is set up, with what its posts say.
type postingService struct {
	service       posting.Service
	setting, text string
	unlinked      bool // its posts have no link
}

func postingServices(all config.Config, spent store.State, version string) ([]postingService, error) {
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
		o := xpost.Options{URL: all.Search.APIURL, Key: c.XKey, KeySecret: c.XKeySecret, Token: c.XToken, TokenSecret: c.XTokenSecret, DailyCap: c.XDailyCap, Client: client}
		if spent != nil { // else nothing ever ran here
			o.Ledger = state.Spending{Store: spent, On: state.SpentOnPosts}
		}
		out = append(out, postingService{xpost.New(o), "POST_X_TEXT", c.XText, !c.XLink})
	}
	return out, nil
}

// PostLinks reads a person's link to a post of our own, by the targets that are set up.
func PostLinks(c config.Config, spent store.State, version string) func(ctx context.Context, target, link string) (id, url string, err error) {
	return func(ctx context.Context, target, link string) (string, string, error) {
		services, err := postingServices(c, spent, version)
		if err != nil {
			return "", "", err
		}
		for _, s := range services {
			if t := posting.New(posting.Options{Service: s.service}); t.Key() == target {
				at, err := t.ReadLink(ctx, link)
				return at.ID, at.URL, err
			}
		}
		return "", "", footy.Errorf(footy.CodeInvalid, "read the link of a post", "its channel or account is not set up here any more; set POST_ as when it was posted")
	}
}
