package alert

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/nicholas-fedor/shoutrrr/pkg/router"

	"github.com/found-footy/found-footy/internal/footy"
)

// forms of addresses, as README.md shows them.
var forms = map[string]string{
	"discord":  "discord://TOKEN@WEBHOOK_ID",
	"telegram": "telegram://BOT_TOKEN@telegram?chats=@channel",
	"ntfy":     "ntfy://ntfy.sh/my-goals",
	"slack":    "slack://hook:AAAAAAAAA-BBBBBBBBB-CCCCCCCCCCCCCCCCCCCCCCCC@webhook",
	"smtp":     "smtp://user:password@mail.example.org:587/?from=footy@example.org&to=me@example.org",
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
