package alert

import (
	"errors"
	"net/url"
	"strings"

	"github.com/nicholas-fedor/shoutrrr"
	"github.com/nicholas-fedor/shoutrrr/pkg/types"
)

func newSender(address string) (Sender, error) {
	s, err := shoutrrr.CreateSender(address) // which checks the address
	if err != nil {
		return nil, err
	}
	if u, bad := url.Parse(address); bad == nil && u.Scheme == "telegram" {
		if s, err = shoutrrr.CreateSender(telegrams(u)...); err != nil {
			return nil, err
		}
	}
	return func(text string) error { return errors.Join(s.Send(text, &types.Params{})...) }, nil
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
