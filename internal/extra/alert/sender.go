package alert

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/nicholas-fedor/shoutrrr"
	"github.com/nicholas-fedor/shoutrrr/pkg/router"
	"github.com/nicholas-fedor/shoutrrr/pkg/types"

	"github.com/found-footy/found-footy/internal/footy"
)

func newSender(address string) (Sender, error) {
	u, bad := url.Parse(address)
	if bad == nil && (u.Scheme == "mqtt" || u.Scheme == "mqtts") {
		return newMQTT(u)
	}
	s, err := shoutrrr.CreateSender(address) // which checks the address
	if err != nil {
		return nil, err
	}
	if bad == nil && u.Scheme == "telegram" {
		if s, err = shoutrrr.CreateSender(telegrams(u)...); err != nil {
			return nil, err
		}
	}
	webhook := bad == nil && strings.HasPrefix(u.Scheme, "generic")
	return func(text string, fields map[string]string) error {
		params := types.Params{}
		if webhook { // other services take parameters for settings
			params = fields
		}
		return errors.Join(s.Send(text, &params)...)
	}, nil
}

// telegrams turns an address of shoutrrr's Telegram service into webhooks of Telegram's own API, one per chat: the service
// (as of v0.13.1) reports success when the network fails, and a message that never left would count as sent.
func telegrams(u *url.URL) []string {
	token := u.User.Username()
	if rest, ok := u.User.Password(); ok {
		token += ":" + rest
	}
	var out []string
	for chat := range strings.SplitSeq(u.Query().Get("chats")+","+u.Query().Get("channels"), ",") {
		if chat = strings.TrimSpace(chat); chat == "" {
			continue
		}
		q := url.Values{"template": {"json"}, "messagekey": {"text"}}
		id, thread, _ := strings.Cut(chat, ":")
		q.Set("$chat_id", id)
		if thread != "" {
			q.Set("$message_thread_id", thread)
		}
		hook := url.URL{Scheme: "generic+https", Host: "api.telegram.org", Path: "/bot" + token + "/sendMessage", RawQuery: q.Encode()}
		out = append(out, hook.String())
	}
	return out
}

// forms of addresses, as README.md shows them.
var forms = map[string]string{
	"discord":  "discord://TOKEN@WEBHOOK_ID",
	"telegram": "telegram://BOT_TOKEN@telegram?chats=@channel",
	"ntfy":     "ntfy://ntfy.sh/my-goals",
	"slack":    "slack://hook:AAAAAAAAA-BBBBBBBBB-CCCCCCCCCCCCCCCCCCCCCCCC@webhook",
	"smtp":     "smtp://user:password@mail.example.org:587/?from=footy@example.org&to=me@example.org",
	"mqtt":     "mqtt://user:password@home.example:1883/found-footy",
	"generic":  "generic+https://example.org/hook?template=json",
}

// unusable says which address cannot be used and how such a one is written. Of the address it shows the kind alone, and of the
// library's words none: they are for programmers, and quote what is secret.
func unusable(place int, address string, err error) error {
	scheme, _, _ := strings.Cut(address, "://")
	kind, _, _ := strings.Cut(strings.ToLower(scheme), "+")
	shown := kind + "://(hidden)"
	why, remedy := "is not complete", "write it as internal/extra/alert/README.md says"
	form, known := forms[kind]
	switch _, bad := url.Parse(address); {
	case kind == "http" || kind == "https":
		why, remedy = "does not say what is there", "write a webhook like "+forms["generic"]+", one of Discord's like "+forms["discord"]
	case errors.Is(err, router.ErrUnknownService) || !strings.Contains(address, "://"):
		shown, why, remedy = "(hidden)", "is of no kind that is known", "it begins with discord://, telegram://, ntfy://, slack://, smtp://, generic+https:// or another of internal/extra/alert/README.md"
	case known:
		remedy = "write it like " + form
		if bad != nil {
			why, remedy = "cannot be read", remedy+", with %40, %3A and %2F for @, : and / inside a password"
		}
	}
	return footy.Errorf(footy.CodeInvalid, "set up notifications", "%s %s %s: %s", nth(place), shown, why, remedy)
}

// nth names an address by its place in the list: its own words are secret.
func nth(place int) string {
	if words := []string{"the first address", "the second address", "the third address"}; place < len(words) {
		return words[place]
	}
	return fmt.Sprintf("address %d", place+1)
}
