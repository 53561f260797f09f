package explain_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/explain"
)

// mentions are what each service reads as one, by its own documents.
var mentions = map[string]*regexp.Regexp{
	"Discord":                    regexp.MustCompile(`@everyone|@here|<@[!&]?\d+>|<#\d+>`),
	"Slack":                      regexp.MustCompile(`<[!@#][^>]+>`),
	"Telegram":                   regexp.MustCompile(`@\w+`),
	"Mastodon":                   regexp.MustCompile(`(?i)@[a-z0-9_]+(@[a-z0-9.-]+)?`),
	"Matrix":                     regexp.MustCompile(`@room|@[^\s:\x{200b}]+:\S+`),
	"X":                          regexp.MustCompile(`[@＠]\w+`),
	"Bluesky":                    regexp.MustCompile(`@[a-zA-Z0-9.-]+`),
	"Mattermost and Rocket.Chat": regexp.MustCompile(`@(channel|all|here)`),
	"Google Chat":                regexp.MustCompile(`<users/[^>]+>`),
	"Zulip":                      regexp.MustCompile(`@_?\*\*[^*]+\*\*`),
}

func TestNoNameCallsAnybody(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"@everyone", "FC @here", "<@123456789>", "<@!1>", "<@&42>", "<#7>", "<!channel>", "<!here|here>", "<!subteam^S1>", "<@U1>", "@user", "@user@mastodon.example", "@room", "@bob:matrix.example",
		"＠elonmusk", "@name.bsky.social", "@channel", "@all", "<users/all>", "@**all**", "a@@everyone", "@@here", "<<!channel>>"} {
		out := explain.WithoutMentions("⚽ " + name + " 67'")
		for service, reads := range mentions {
			require.NotRegexp(t, reads, out, "%s at %s", name, service)
		}
		require.Equal(t, out, explain.WithoutMentions(out), "once is enough")
		require.Equal(t, "⚽ "+name+" 67'", regexp.MustCompile("\u200b").ReplaceAllString(out, ""), "it reads as before")
	}
	require.Equal(t, "Salah 67': Liverpool 2–1 City\nhttps://footy.example/g/1", explain.WithoutMentions("Salah 67': Liverpool 2–1 City\nhttps://footy.example/g/1"))
}
