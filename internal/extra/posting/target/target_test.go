package target_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/extra/posting/discord"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

const says = "⚽ Salah 59': Liverpool 1–0 City\nPremier League\nhttps://goals.example/g/1-1"

func TestAGoalIsOnePostThatFollowsIt(t *testing.T) {
	t.Parallel()
	at := &social.Discord{}
	b := setup(t, onDiscord(t, at))
	require.NoError(t, b.look())
	require.Empty(t, at.Messages(), "it has no clip")
	b.clip("aa", 100, false)
	require.NoError(t, b.look())
	require.Empty(t, at.Messages(), "it has no verified clip")
	b.clip("bb", 200, true)
	for range 2 {
		require.NoError(t, b.look())
	}
	require.Len(t, at.Messages(), 1)
	m := at.Messages()[0]
	require.Equal(t, says, m.Text)
	require.Equal(t, "video/mp4", m.File)
	require.Equal(t, 200, m.Size)
	p := b.posting()
	require.Equal(t, rule.Done, p.Step)
	require.Equal(t, "https://discord.com/channels/77/88/"+m.ID, p.URL)

	b.clip("cc", 300, true)
	require.NoError(t, b.look())
	require.Zero(t, at.Messages()[0].Edits, "a better clip waits a minute: more may come")
	b.change(func(e *footy.Event) { e.Player.Name = "Gakpo" })
	b.now = b.now.Add(time.Minute)
	for range 2 {
		require.NoError(t, b.look())
	}
	require.Equal(t, 1, at.Messages()[0].Edits)
	require.Contains(t, at.Messages()[0].Text, "Gakpo 59'")
	require.Equal(t, 300, at.Messages()[0].Size)

	b.now = b.now.Add(time.Minute)
	b.change(func(e *footy.Event) { e.Removed = true })
	for range 2 {
		require.NoError(t, b.look())
	}
	require.Empty(t, at.Standing())
	b.now = b.now.Add(time.Minute)
	b.change(func(e *footy.Event) { e.Removed = false })
	for range 2 {
		require.NoError(t, b.look())
	}
	require.Len(t, at.Standing(), 1, "it stands again")
	require.Len(t, at.Messages(), 2)
	var steps []string
	for _, r := range b.rows() {
		steps = append(steps, r.Data.Values["step"])
	}
	require.Equal(t, []string{"posted", "posted", "deleted", "posted"}, steps)
}

func TestAtFirstTheClipIsAddedToWhatWasPosted(t *testing.T) {
	t.Parallel()
	at := &social.Discord{}
	b := setup(t, onDiscord(t, at), func(o *target.Options) { o.Verified = false })
	require.NoError(t, b.look())
	require.Len(t, at.Messages(), 1)
	require.Empty(t, at.Messages()[0].File)
	b.clip("aa", 100, false)
	require.NoError(t, b.look())
	require.Len(t, at.Messages(), 1)
	require.Equal(t, "video/mp4", at.Messages()[0].File)
}

func TestAClipThatIsTakenDownIsPostedNoMore(t *testing.T) {
	t.Parallel()
	at := &social.Discord{}
	b := setup(t, onDiscord(t, at))
	b.clip("aa", 100, true)
	require.NoError(t, b.look())
	b.now = b.now.Add(3 * 24 * time.Hour)
	b.change(func(e *footy.Event) { e.Clips[0].Hidden = true })
	require.NoError(t, b.look())
	require.Empty(t, at.Standing(), "also days later")
}

func TestAClipThatIsTooLargeIsItsPictureWithTheLink(t *testing.T) {
	t.Parallel()
	at := &social.Discord{MaxFile: 500}
	b := setup(t, onDiscord(t, at))
	b.clip("aa", 501, true)
	require.Error(t, b.look(), "the server takes less than others")
	require.NoError(t, b.look())
	require.Len(t, at.Messages(), 1)
	require.Equal(t, "image/jpeg", at.Messages()[0].File)
	require.Contains(t, at.Messages()[0].Text, "https://goals.example/g/1-1")
}

func TestWhatAServiceAsksForIsKept(t *testing.T) {
	t.Parallel()
	at := &social.Discord{}
	faults := []social.Fault{social.Busy, social.Closed}
	at.SetTrouble(func(string) social.Fault {
		if len(faults) == 0 {
			return social.None
		}
		f := faults[0]
		faults = faults[1:]
		return f
	})
	b := setup(t, onDiscord(t, at))
	b.clip("aa", 100, true)
	require.ErrorContains(t, b.look(), "it wants to be left alone")
	require.NoError(t, b.look())
	require.Len(t, faults, 1, "nothing was asked before its time")
	require.Contains(t, b.posting().Error, "429")
	b.now = b.now.Add(time.Second)
	require.Error(t, b.look())
	b.now = b.now.Add(time.Minute)
	require.NoError(t, b.look())
	require.Len(t, at.Messages(), 1)
	require.Empty(t, b.posting().Error)
}

func TestWhatNobodyCanTellIsNotPostedTwice(t *testing.T) {
	t.Parallel()
	for _, fault := range []social.Fault{social.Cut, social.LostWord, social.Failed} {
		at := &social.Discord{}
		at.SetTrouble(func(string) social.Fault { return fault })
		b := setup(t, onDiscord(t, at))
		b.clip("aa", 100, true)
		_ = b.look()
		at.SetTrouble(nil)
		b.now = b.now.Add(time.Hour)
		require.NoError(t, b.look())
		require.LessOrEqual(t, len(at.Messages()), 1)
		require.Equal(t, rule.Unsure, b.posting().Step)
		require.NotEmpty(t, b.posting().Error)
	}
}

func TestAWebhookThatIsGoneIsNamedWithTheRemedy(t *testing.T) {
	t.Parallel()
	at := &social.Discord{}
	did, err := onDiscord(t, at).Test(t.Context())
	require.NoError(t, err)
	require.Contains(t, did, "posted")
	s, err := discord.New(discord.Options{URL: serve(t, at) + "/api/webhooks/1/gone"})
	require.NoError(t, err)
	_, err = s.Test(t.Context())
	require.ErrorContains(t, err, "Unknown Webhook: make a new webhook")
	b := setup(t, s)
	b.clip("aa", 100, true)
	err = b.look()
	require.ErrorContains(t, err, "write its address in POST_DISCORD_URL")
	require.NotContains(t, err.Error(), "gone", "the address is a secret")
	require.Equal(t, rule.None, b.posting().Step)
	require.NoError(t, b.look(), "it is left alone for a while")
}

func TestOldGoalsAreNotPosted(t *testing.T) {
	t.Parallel()
	at := &social.Discord{}
	b := setup(t, onDiscord(t, at))
	b.clip("aa", 100, true)
	b.change(func(e *footy.Event) { e.CertainAt = b.now.Add(-time.Hour) })
	require.NoError(t, b.look())
	require.Empty(t, at.Messages(), "it was certain long before this target was set up")
}

// TestAnUnsurePostIsSettledByAnOperator: hours later, when nothing is posted by itself any more.
func TestAnUnsurePostIsSettledByAnOperator(t *testing.T) {
	t.Parallel()
	at := &social.Discord{}
	b := setup(t, onDiscord(t, at))
	b.clip("aa", 100, true)
	at.SetTrouble(func(string) social.Fault { return social.Failed })
	require.NoError(t, b.look())
	at.SetTrouble(nil)
	require.Equal(t, rule.Unsure, b.posting().Step)
	b.now = b.now.Add(5 * time.Hour)
	require.NoError(t, b.look())
	before := len(at.Messages())

	settle := func(there bool) {
		b.change(func(e *footy.Event) {
			is := all(e)[0]
			is.Settle(there, b.now)
			keep(e, is)
		})
	}
	settle(true)
	require.NoError(t, b.look())
	require.Len(t, at.Messages(), before)
	b.change(func(e *footy.Event) { e.Removed = true })
	require.NoError(t, b.look(), "what it is nobody can name")
	b.change(func(e *footy.Event) {
		is := all(e)[0]
		is.Step, e.Removed = rule.Unsure, false
		keep(e, is)
	})

	settle(false)
	at.SetTrouble(func(string) social.Fault { return social.Busy })
	require.Error(t, b.look())
	at.SetTrouble(nil)
	require.Equal(t, rule.None, b.posting().Step, "it was not deleted")
	for range 3 {
		b.now = b.now.Add(10 * time.Minute)
		require.NoError(t, b.look())
	}
	require.Len(t, at.Messages(), before+1)
	require.Equal(t, rule.Done, b.posting().Step)
	require.False(t, b.posting().Asked)
}

// TestAGoalScoredBeforeARestoreIsPostedForAPersonOnly: its post may stand at the service, and the restored state does not know it.
func TestAGoalScoredBeforeARestoreIsPostedForAPersonOnly(t *testing.T) {
	t.Parallel()
	at := &social.Discord{}
	b := setup(t, onDiscord(t, at), func(o *target.Options) {
		o.Filter = func(context.Context) (news.Filter, error) {
			return news.Filter{All: true, After: kickoff.Add(time.Hour)}, nil
		}
	})
	b.clip("a", 1, true)
	b.change(func(e *footy.Event) { e.CertainAt, e.HappenedAt = b.now, b.now.Add(-time.Minute) })
	require.NoError(t, b.look())
	require.Empty(t, b.posting().Step)
	b.change(func(e *footy.Event) { keep(e, rule.Posting{Target: b.target.Key(), Asked: true}) })
	require.NoError(t, b.look())
	require.Equal(t, rule.Done, b.posting().Step)
}
