// Package posting posts goals to channels and accounts: one post a goal, edited, and deleted if the goal is cancelled.
package posting

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/extra/posting/bluesky"
	"github.com/found-footy/found-footy/internal/extra/posting/discord"
	"github.com/found-footy/found-footy/internal/extra/posting/mastodon"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/extra/posting/telegram"
	"github.com/found-footy/found-footy/internal/extra/posting/xpost"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/limit"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
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

// Settings is where posts of our own about goals are made, and which.
type Settings struct {
	When    string   `env:"POST_WHEN" envDefault:"verified" oneof:"verified first" doc:"When a goal is posted: with its first verified clip, or at first, when it is certain; the clip is added then. Where posts cannot be edited (Bluesky, X) first waits for any clip." like:"verified"`
	Kinds   []string `env:"POST_KINDS" envDefault:"goal" oneof:"kinds" doc:"Kinds of events that are posted; they must be in TRACK." like:"goal,red_card"`
	Teams   []string `env:"POST_TEAMS" format:"teams" doc:"Teams whose goals are posted, by id or by name as in TRACK_TEAMS; with neither this nor POST_LEAGUES all that are followed." like:"Arsenal,40"`
	Leagues []string `env:"POST_LEAGUES" format:"leagues" doc:"Leagues whose goals are posted, by id or by name as in TRACK_LEAGUES." like:"39,La Liga"`
	Text    string   `env:"POST_TEXT" default:"as internal/extra/posting/README.md says" doc:"What a post says, with fields like {scorer} (internal/extra/posting/README.md lists them) and \\n for a new line." like:"{scorer} {minute}: {home} {score} {away} {link}"`

	Discord string `env:"POST_DISCORD_URL" secret:"true" format:"url" doc:"Webhook of a Discord channel that goals are posted to." like:"https://discord.com/api/webhooks/ID/TOKEN"`

	TelegramToken string `env:"POST_TELEGRAM_TOKEN" secret:"true" doc:"Token of a Telegram bot that posts goals, as @BotFather shows it." like:"123456:letters-and-digits"`
	TelegramChat  string `env:"POST_TELEGRAM_CHAT" format:"line" doc:"Channel or group it posts to, in which it is an administrator." like:"@my_goals"`
	TelegramURL   string `env:"POST_TELEGRAM_URL" test:"true" envDefault:"https://api.telegram.org" format:"url" doc:"Base address of Telegram's Bot API." like:"https://api.telegram.org"`

	MastodonURL   string `env:"POST_MASTODON_URL" format:"url" doc:"Server of the Mastodon account that goals are posted to." like:"https://mastodon.social"`
	MastodonToken string `env:"POST_MASTODON_TOKEN" secret:"true" doc:"Access token of that account (Preferences, Development)." like:"the access token of your application there"`

	BlueskyHandle   string `env:"POST_BLUESKY_HANDLE" format:"line" doc:"Bluesky account that goals are posted to." like:"goals.bsky.social"`
	BlueskyPassword string `env:"POST_BLUESKY_PASSWORD" secret:"true" doc:"App password of that account (Settings, Privacy and security)." like:"xxxx-xxxx-xxxx-xxxx"`
	BlueskyURL      string `env:"POST_BLUESKY_URL" envDefault:"https://bsky.social" format:"url" doc:"Server of that account." like:"https://bsky.social"`

	XKey         string `env:"POST_X_KEY" secret:"true" doc:"API key of an app at developer.x.com that may read and write; goals are posted through X's official API (X_API_URL)." like:"the API key of your app"`
	XKeySecret   string `env:"POST_X_KEY_SECRET" secret:"true" doc:"Its API key secret." like:"the API key secret of your app"`
	XToken       string `env:"POST_X_TOKEN" secret:"true" doc:"Access token of the account, made with that app." like:"the access token of your account"`
	XTokenSecret string `env:"POST_X_TOKEN_SECRET" secret:"true" doc:"Its access token secret." like:"the access token secret of your account"`
}

// verified is POST_WHEN for clips whose moment is proven.
const verified = "verified"

// On reports whether goals are posted anywhere.
func (s Settings) On() bool {
	return s.Discord != "" || s.TelegramToken != "" || s.MastodonToken != "" || s.BlueskyPassword != "" || s.XKey != ""
}

func contradictions(_ config.Config, own any) (out config.Problems) {
	s := own.(*Settings) //nolint:forcetypeassert // made by New
	if s.Discord != "" && !strings.Contains(s.Discord, "/webhooks/") {
		out = append(out, config.Problem{Setting: "POST_DISCORD_URL", Why: "is no address of a webhook", Remedy: "copy it from the channel's settings, Integrations: https://discord.com/api/webhooks/ID/TOKEN"})
	}
	type setting struct{ name, value string }
	for _, together := range [][]setting{
		{{"POST_TELEGRAM_TOKEN", s.TelegramToken}, {"POST_TELEGRAM_CHAT", s.TelegramChat}},
		{{"POST_MASTODON_URL", s.MastodonURL}, {"POST_MASTODON_TOKEN", s.MastodonToken}},
		{{"POST_BLUESKY_HANDLE", s.BlueskyHandle}, {"POST_BLUESKY_PASSWORD", s.BlueskyPassword}},
		{{"POST_X_KEY", s.XKey}, {"POST_X_KEY_SECRET", s.XKeySecret}, {"POST_X_TOKEN", s.XToken}, {"POST_X_TOKEN_SECRET", s.XTokenSecret}},
	} {
		var all, set, missing []string
		for _, one := range together {
			all = append(all, one.name)
			if one.value == "" {
				missing = append(missing, one.name)
			} else {
				set = append(set, one.name)
			}
		}
		if len(set) > 0 && len(missing) > 0 {
			out = append(out, config.Problem{Setting: set[0], Why: "needs " + strings.Join(missing, " and "), Remedy: "set all of " + strings.Join(all, ", ") + ", or none"})
		}
	}
	return out
}

//go:embed templates
var files embed.FS

// done says what an operator's answer did.
var done = map[string]string{"post-again": "It is posted again, within five minutes at most.",
	"post-is-there": "Noted. The post stays as it is: edit or delete it by hand."}

type section struct {
	Event  *footy.Event
	Posts  []shown
	Done   string
	CSRF   string
	Answer bool // the reader may say what became of a post
}

// shown is a post of our own about the goal.
type shown struct {
	rule.Posting
	Words, Next string
}

// Unsure reports whether an operator has to say what became of it.
func (s shown) Unsure() bool { return s.Step == rule.Unsure }

func page(c port.Core, lent web.Lent) (web.Part, error) {
	pages, err := lent.Frame.Add(files)
	if err != nil {
		return web.Part{}, err
	}
	show := func(r *http.Request, of frame.Of) (template.HTML, error) {
		all, err := rule.All(of.Event)
		if english := of.Language.Tag == "en" || lent.Operators.SignedIn(r); err != nil || len(all) == 0 || !english { // as the report of a goal
			return "", err
		}
		s := section{Event: of.Event, Done: done[r.URL.Query().Get("done")], CSRF: lent.Operators.FormToken(r), Answer: lent.Operators.SignedIn(r)}
		for _, p := range all {
			is := shown{p, p.ForReaders(), p.Next(time.Now())}
			if s.Answer {
				is.Words = p.ForOperators()
			}
			s.Posts = append(s.Posts, is)
		}
		return pages.HTML(of.Language, "posted", s)
	}
	part := web.Part{Sections: []frame.Section{{At: frame.Goal, Show: show}}}
	for action, there := range map[string]bool{"post-again": false, "post-is-there": true} {
		part.Routes = append(part.Routes, web.Route{Pattern: "POST /admin/events/{event}/" + action, Cost: limit.Page, Handle: func(w http.ResponseWriter, r *http.Request) error {
			if err := lent.Operators.CheckForm(r); err != nil {
				return err
			}
			target := r.PostFormValue("target")
			e, err := settle(r.Context(), c.Store, c.Page, r.PathValue("event"), target, there)
			if err != nil {
				return err
			}
			c.Log.InfoContext(r.Context(), "operator acted", "module", "posting", "action", "settle", "event_id", e.ID, "target", target, "there", there)
			http.Redirect(w, r, footy.GoalPath(url.PathEscape(e.ID))+"?done="+action, http.StatusSeeOther)
			return nil
		}})
	}
	return part, nil
}

// settle says what became of a post of our own whose delivery is unknown: it is there, or it is posted again.
func settle(ctx context.Context, docs store.Store, page footy.Publisher, event, target string, there bool) (*footy.Event, error) {
	act := "post again"
	if there {
		act = "post is there"
	}
	f, err := docs.FixtureOfEvent(ctx, event)
	if err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	var settled *footy.Event
	_, err = docs.Update(ctx, f.ID, func(f *footy.Fixture) (rows []footy.Entry, err error) {
		e := f.Event(event)
		if e == nil {
			return nil, footy.Errorf(footy.CodeNotFound, act, "no event %s", event)
		}
		settled = e
		all, err := rule.All(e)
		if err != nil {
			return nil, err
		}
		for _, p := range all {
			if p.Step != rule.Unsure || p.Target != target {
				continue
			}
			if !there && e.Removed {
				return nil, footy.Errorf(footy.CodeConflict, act, "%s no longer stands, so it is not posted", e.ID)
			}
			p.Settle(there, now)
			if err := rule.Put(e, p); err != nil {
				return nil, err
			}
			row := p.Row()
			row.Values["operator"] = act
			rows = append(rows, footy.Entry{Key: fmt.Sprintf("%s/%s/%s/%s/%d", e.UID, rule.Name, act, p.Target, now.UnixMilli()), FixtureID: f.ID, EventUID: e.UID,
				At: now, Kind: footy.EntryExtra, Data: row})
		}
		if len(rows) == 0 {
			return nil, footy.Errorf(footy.CodeConflict, act, "what became of this post about %s is known", e.ID)
		}
		return rows, nil
	})
	if err != nil {
		return nil, err
	}
	page.Publish(ctx, "event", settled.UID)
	return settled, nil
}

const (
	lookBack     = 24 * time.Hour
	passingTries = 3 // that fail and are not reported: the next one may succeed
)

func looks(c port.Core) []check.Look {
	if !config.Own[Settings](c.Config).On() {
		return nil
	}
	return []check.Look{{Name: rule.Name, Title: "Posts of our own", Subject: "The posting of goals", Where: "goals are posted",
		At: func(ctx context.Context) health.Part { return look(ctx, c.Store) }}}
}

// look reports which services do not post, or not with the video. A trouble ends with the next post that is as it should be.
func look(ctx context.Context, docs store.Store) health.Part {
	p := health.Part{Name: rule.Name, State: health.StateOK}
	if docs == nil {
		p.State, p.Reason = health.StateMissing, "the database cannot be opened"
		return p
	}
	now := time.Now()
	fixtures, err := docs.List(ctx, store.FixtureQuery{From: now.Add(-lookBack), To: now.Add(time.Hour)})
	last := map[string]rule.Posting{}
	var why []string
	for _, e := range footy.Events(fixtures) {
		all, failed := rule.All(e)
		if failed != nil {
			err = failed
		}
		for _, is := range all {
			if is.Step == rule.Unsure && now.Sub(is.At) < lookBack {
				why = append(why, is.Service+", "+footy.Label(*e)+": "+is.ForReaders())
			}
			if is.At.After(last[is.Service].At) && (is.Step == rule.Done || troubled(is)) {
				last[is.Service] = is
			}
		}
	}
	if err != nil {
		p.State, p.Reason, p.Remedy = health.StateDown, footy.UserMessage(err), "It is looked at again."
		return p
	}
	for service, is := range last {
		if troubled(is) && is.Step != rule.Unsure {
			why = append(why, service+": "+is.ForOperators())
		}
	}
	if len(why) > 0 {
		slices.Sort(why)
		p.State, p.Reason = health.StateDegraded, strings.Join(why, "; ")
		p.Remedy = "The goal's page says what was posted; an operator says there whether a post whose delivery is unknown is there. footy notify test tries each service, as do the buttons of the page for operators."
	}
	return p
}

// troubled reports whether a post is not as it should be. That a clip is more than the service takes is no trouble.
func troubled(p rule.Posting) bool {
	picture := p.Picture.Why != "" && p.Picture.Reason == "" && p.Picture.Clip == p.Clip
	return picture || p.Error != "" && (p.Tries > passingTries || p.Refused != "")
}
