package alert_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/alert"
	"github.com/found-footy/found-footy/internal/run/config"
)

func TestAddressesMayHoldCommas(t *testing.T) {
	t.Parallel()
	telegram, mail := "telegram://1:t@telegram?chats=@a,@b", "smtp://u:p@h:25/?from=a@b.de&to=c@d.de,e@f.de"
	for _, between := range []string{" ", ",", ", ", "\n", " ,\n "} {
		n := alert.Settings{To: " " + telegram + between + mail + between + "generic+https://x/y" + between}
		require.Equal(t, []string{telegram, mail, "generic+https://x/y"}, n.Addresses(), "%q", between)
	}
	require.Empty(t, alert.Settings{To: " , "}.Addresses())
}

func TestWhatAddressesHideIsHidden(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{
		"NOTIFICATIONS": "slack://hook:T0AAAAAAA-B0BBBBBBB-CCCCCCCCCCCC@webhook discord://verylongtoken@123456789 generic+https://h/averylongsecret?k=anothersecretvalue",
	}, *alert.Extra().Settings)
	require.NoError(t, err)
	for _, secret := range []string{"T0AAAAAAA", "B0BBBBBBB", "CCCCCCCCCCCC", "verylongtoken", "123456789", "averylongsecret", "anothersecretvalue"} {
		require.Contains(t, c.Secrets(), secret)
	}
	require.NotContains(t, c.Secrets(), "hook", "words stay readable")
	require.NotContains(t, c.Secrets(), "webhook", "words stay readable")
}

func TestChoicesThatNameNothingAreRefused(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]struct{ value, says string }{
		"NOTIFICATION_TEAMS":   {"40,-", `NOTIFICATION_TEAMS="40,-" has an entry that is neither an id nor a name: write it like Arsenal,40`},
		"NOTIFICATION_LEAGUES": {"none", `NOTIFICATION_LEAGUES="none" is no league: leave none out of NOTIFICATION_LEAGUES`},
	} {
		_, err := config.Parse(map[string]string{name: wrong.value}, *alert.Extra().Settings)
		require.ErrorContains(t, err, wrong.says)
	}
}
