package target_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/posting/bluesky"
	"github.com/found-footy/found-footy/internal/extra/posting/discord"
	"github.com/found-footy/found-footy/internal/extra/posting/mastodon"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/extra/posting/telegram"
	"github.com/found-footy/found-footy/internal/extra/posting/xpost"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// place is a stand-in with the client that posts there.
type place struct {
	*social.Place
	http.Handler
	client   func(url string) target.Service
	edits    bool
	pictures bool // it gets pictures of clips
}

// places makes a stand-in of each service.
func places() map[string]place {
	d, m, t, b, x := &social.Discord{MaxFile: 100 << 20}, &social.Mastodon{}, &social.Telegram{}, &social.Bluesky{}, &social.X{}
	return map[string]place{
		"Discord": {&d.Place, d, func(url string) target.Service {
			s, err := discord.New(discord.Options{URL: url + social.Hook})
			if err != nil {
				panic(err)
			}
			return s
		}, true, false},
		"Mastodon": {&m.Place, m, func(url string) target.Service {
			return mastodon.New(mastodon.Options{URL: url, Token: social.AccountToken, Look: time.Millisecond})
		}, true, false},
		"Telegram": {&t.Place, t, func(url string) target.Service {
			return telegram.New(telegram.Options{URL: url, Token: social.BotToken, Chat: social.Channel})
		}, true, false},
		"Bluesky": {&b.Place, b, func(url string) target.Service {
			return bluesky.New(bluesky.Options{URL: url, Handle: social.BlueskyHandle, Password: social.BlueskyPassword})
		}, false, true},
		"X": {&x.Place, x, onX, false, false},
	}
}

func onX(url string) target.Service {
	return xpost.New(xpost.Options{URL: url, Key: social.XKey, KeySecret: social.XKeySecret, Token: social.XToken, TokenSecret: social.XTokenSecret})
}

func each(t *testing.T, f func(t *testing.T, p place, b *bundle), change ...func(*target.Options)) {
	t.Helper()
	for name, p := range places() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, p, setup(t, p.client(serve(t, p.Handler)), change...))
		})
	}
}

func TestEachServiceTakesAGoalAndFollowsIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place, b *bundle) {
		b.today()
		b.clip("aa", 9<<20, true)
		require.NoError(t, b.look())
		require.NoError(t, b.look())
		require.Len(t, p.Standing(), 1)
		m := p.Standing()[0]
		require.Equal(t, says, m.Text)
		require.Equal(t, p.pictures, m.File == "image/jpeg")
		if !p.pictures {
			require.Equal(t, 9<<20, m.Size)
		}
		require.True(t, strings.HasPrefix(b.posting().URL, "https://"), b.posting().URL)
		require.Contains(t, b.posting().URL, m.ID)

		b.now = b.now.Add(time.Hour)
		b.change(func(e *footy.Event) { e.Player.Name = "Gakpo" })
		require.NoError(t, b.look())
		require.Len(t, p.Standing(), 1)
		require.Equal(t, p.edits, strings.Contains(p.Standing()[0].Text, "Gakpo"))
		b.change(func(e *footy.Event) { e.Removed = true })
		require.NoError(t, b.look())
		require.Empty(t, p.Standing())
		require.NoError(t, b.look())
	})
}

func TestEachServiceIsTriedWithoutTroublingAnybody(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place, b *bundle) {
		did, err := b.target.SendTest(t.Context())
		require.NoError(t, err)
		require.NotEmpty(t, did)
		if b.target.Name() != "Discord" && b.target.Name() != "Telegram" { // these are channels of one's own
			require.Empty(t, p.Standing())
		}
	})
}

func TestEachServiceSaysWhatIsWrongWithTheRemedy(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]func(url string) target.Service{
		"POST_TELEGRAM_TOKEN": func(url string) target.Service {
			return telegram.New(telegram.Options{URL: url, Token: "1:wrong-secret", Chat: "@goals"})
		},
		"POST_TELEGRAM_CHAT": func(url string) target.Service {
			return telegram.New(telegram.Options{URL: url, Token: social.BotToken, Chat: "@other"})
		},
		"POST_MASTODON_TOKEN": func(url string) target.Service {
			return mastodon.New(mastodon.Options{URL: url, Token: "wrong-secret"})
		},
		"POST_BLUESKY_PASSWORD": func(url string) target.Service {
			return bluesky.New(bluesky.Options{URL: url, Handle: "goals", Password: "wrong-secret"})
		},
		"POST_X_TOKEN_SECRET": func(url string) target.Service {
			return xpost.New(xpost.Options{URL: url, Key: social.XKey, KeySecret: "wrong-secret", Token: social.XToken, TokenSecret: "s"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := map[string]string{"TELEGRAM": "Telegram", "MASTODON": "Mastodon", "BLUESKY": "Bluesky", "X": "X"}[strings.Split(name, "_")[1]]
			_, err := s(serve(t, places()[at].Handler)).Test(t.Context())
			require.Equal(t, footy.CodeAuthRequired, footy.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, name)
			require.NotContains(t, err.Error(), "wrong-secret")
		})
	}
}

// TestWhatWasNotAnsweredIsThereOnceAtMost: its delivery is unknown.
func TestWhatWasNotAnsweredIsThereOnceAtMost(t *testing.T) {
	t.Parallel()
	for _, fault := range []social.Fault{social.Cut, social.LostWord, social.Failed, social.Closed, social.Busy} {
		each(t, func(t *testing.T, p place, b *bundle) {
			b.today()
			b.clip("aa", 1000, true)
			failed := false
			p.SetTrouble(func(call string) social.Fault {
				if call == "post" && !failed {
					failed = true
					return fault
				}
				return social.None
			})
			_ = b.look()
			for range 5 {
				b.now = b.now.Add(5 * time.Minute)
				_ = b.look()
			}
			if fault == social.Busy || fault == social.Closed {
				require.Len(t, p.Standing(), 1)
				require.Equal(t, rule.Done, b.posting().Step)
				return
			}
			require.LessOrEqual(t, len(p.Standing()), 1)
			require.Equal(t, rule.Unsure, b.posting().Step)
		})
	}
}

func TestAPostThatSomebodyDeletedStaysDeleted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place, b *bundle) {
		b.today()
		b.clip("aa", 100, true)
		require.NoError(t, b.look())
		p.Remove(p.Messages()[0].ID)
		b.change(func(e *footy.Event) { e.Player.Name = "Gakpo" })
		b.now = b.now.Add(time.Hour)
		for range 2 {
			require.NoError(t, b.look())
		}
		if p.edits {
			require.Equal(t, rule.Gone, b.posting().Step)
		} else { // nobody has looked
			b.change(func(e *footy.Event) { e.Removed = true })
			require.NoError(t, b.look())
			require.Equal(t, rule.Deleted, b.posting().Step)
		}
		require.Len(t, p.Messages(), 1)
	})
}

func TestEachServiceIsLeftAloneForAsLongAsItSays(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place, b *bundle) {
		b.today()
		b.clip("aa", 100, true)
		asked := 0
		p.Now, p.Asked = func() time.Time { return b.now }, func(string) { asked++ }
		p.SetTrouble(func(string) social.Fault { return social.Busy })
		require.ErrorContains(t, b.look(), "it wants to be left alone")
		before := asked
		require.NoError(t, b.look())
		require.Equal(t, before, asked, "nothing was asked before its time")
		require.Contains(t, b.posting().Error, "429")
		p.SetTrouble(nil)
		b.now = b.now.Add(time.Minute)
		require.NoError(t, b.look())
		require.Len(t, p.Standing(), 1)
		require.Empty(t, b.posting().Error)
	})
}

// TestTheLimitsOfEachServiceAreKept: the stand-ins refuse what is too long or too large.
func TestTheLimitsOfEachServiceAreKept(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place, b *bundle) {
		b.today()
		b.clip("aa", 1000, true)
		b.change(func(e *footy.Event) {
			e.Clips[0].Size, e.Player.Name = 101<<20, strings.Repeat("Ødegaard 本田 ", 10_000)
		})
		require.NoError(t, b.look())
		require.Len(t, p.Standing(), 1)
		m := p.Standing()[0]
		require.Equal(t, "image/jpeg", m.File)
		require.Contains(t, m.Text, "https://goals.example/g/1-1")
		require.Contains(t, m.Text, "Ødegaard")
	})
}

// slowClips does something while a clip is looked for.
type slowClips struct {
	blob.Store
	meanwhile func()
}

// Stat implements blob.Store.
func (s *slowClips) Stat(ctx context.Context, key string) (blob.Attributes, error) {
	s.meanwhile()
	return s.Store.Stat(ctx, key)
}

// TestOfTwoProcessesOnePosts: the storage takes longer to answer than a lease lasts, and another process takes over and posts.
func TestOfTwoProcessesOnePosts(t *testing.T) {
	t.Parallel()
	at, slow := &social.Discord{}, &slowClips{}
	s := onDiscord(t, at)
	var o target.Options
	b := setup(t, s, func(mine *target.Options) {
		o = *mine
		slow.Store, mine.Blob = mine.Blob, slow
	})
	b.clip("aa", 1000, true)
	slow.meanwhile = func() { require.NoError(t, target.New(o).SendNew(t.Context())) }
	require.NoError(t, b.look())
	require.Len(t, at.Messages(), 1)
}

func TestASessionOfBlueskyIsReplacedWhenItEnds(t *testing.T) {
	t.Parallel()
	at := &social.Bluesky{}
	b := setup(t, bluesky.New(bluesky.Options{URL: serve(t, at), Handle: social.BlueskyHandle, Password: social.BlueskyPassword}))
	_, err := b.target.SendTest(t.Context())
	require.NoError(t, err)
	at.Expire()
	b.clip("aa", 1000, true)
	require.NoError(t, b.look())
	require.Len(t, at.Standing(), 1)
}
