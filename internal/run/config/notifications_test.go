package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
)

func TestAddressesMayHoldCommas(t *testing.T) {
	t.Parallel()
	telegram, mail := "telegram://1:t@telegram?chats=@a,@b", "smtp://u:p@h:25/?from=a@b.de&to=c@d.de,e@f.de"
	for _, between := range []string{" ", ",", ", ", "\n", " ,\n "} {
		n := config.Notifications{To: " " + telegram + between + mail + between + "generic+https://x/y" + between}
		require.Equal(t, []string{telegram, mail, "generic+https://x/y"}, n.Addresses(), "%q", between)
	}
	require.Empty(t, config.Notifications{To: " , "}.Addresses())
}

func TestWhatAddressesHideIsHidden(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{
		"NOTIFICATIONS": "slack://hook:T0AAAAAAA-B0BBBBBBB-CCCCCCCCCCCC@webhook discord://verylongtoken@123456789 generic+https://h/averylongsecret?k=anothersecretvalue",
	})
	require.NoError(t, err)
	for _, secret := range []string{"T0AAAAAAA", "B0BBBBBBB", "CCCCCCCCCCCC", "verylongtoken", "123456789", "averylongsecret", "anothersecretvalue"} {
		require.Contains(t, c.Secrets(), secret)
	}
	require.NotContains(t, c.Secrets(), "hook", "words stay readable")
	_, err = config.Parse(map[string]string{"NOTIFICATIONS": "nosuchsecret"})
	require.ErrorContains(t, err, "NOTIFICATIONS")
	require.NotContains(t, err.Error(), "nosuchsecret")
}
