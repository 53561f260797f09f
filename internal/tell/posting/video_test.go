package posting_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/posting"
	"github.com/found-footy/found-footy/internal/tell/posting/bluesky"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// requirePicture requires one post that shows the clip's picture, with the link, and a record that says why.
func requirePicture(t *testing.T, p *social.Place, b *bundle, why string) {
	t.Helper()
	require.Len(t, p.Messages(), 1)
	m := p.Messages()[0]
	require.Equal(t, "image/jpeg", m.File)
	require.Contains(t, m.Text, "https://goals.example/g/1-1")
	is := b.posting()
	require.Equal(t, footy.PostingDone, is.Step)
	require.Empty(t, is.Error)
	require.Contains(t, is.Picture.Why, why)
	require.Contains(t, explain.Posting(is), "picture")
	rows := b.rows()
	require.Contains(t, explain.Row(rows[len(rows)-1], nil), "picture")
	require.Contains(t, explain.Row(rows[len(rows)-1], nil), why)
}

func TestAVideoThatAServiceDoesNotTakeIsPostedAsItsPicture(t *testing.T) {
	t.Parallel()
	for _, manner := range []social.VideoManner{social.Refuses, social.CannotProcess} {
		each(t, func(t *testing.T, p place, b *bundle) {
			b.today()
			p.SetVideo(manner)
			b.clip("aa", 1000, true)
			require.Error(t, b.look())
			require.Empty(t, p.Messages())
			for range 3 {
				require.NoError(t, b.look(), "the video is tried once")
			}
			requirePicture(t, p.Place, b, "")
			require.NotEmpty(t, b.posting().Picture.Why)
		})
	}
}

func TestAVideoThatIsNeverProcessedIsPostedAsItsPicture(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place, b *bundle) {
		if name := b.target.Name(); name == "Discord" || name == "Telegram" { // nothing is processed there
			return
		}
		b.today()
		p.SetVideo(social.NeverEnds)
		b.clip("aa", 1000, true)
		require.Error(t, b.look())
		b.now = b.now.Add(time.Minute)
		for range 3 {
			require.NoError(t, b.look())
		}
		requirePicture(t, p.Place, b, "did not take and process the video within 5 s")
	}, func(o *posting.Options) { o.Call = 5 * time.Second })
}

// TestAPostKeepsItsVideoWhereABetterOneIsRefused: it goes only with the text, or when it may no longer be shown.
func TestAPostKeepsItsVideoWhereABetterOneIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*footy.Event)
		file   string
		size   int
	}{
		"nothing":   {func(*footy.Event) {}, "video/mp4", 1000},
		"scorer":    {func(e *footy.Event) { e.Player.Name = "Gakpo" }, "image/jpeg", 9},
		"withdrawn": {func(e *footy.Event) { e.Clips[1].Hidden = true }, "image/jpeg", 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := places()["Mastodon"]
			b := setup(t, p.client(serve(t, p.Handler), time.Now))
			b.today()
			b.clip("aa", 1000, true)
			require.NoError(t, b.look())
			p.SetVideo(social.Refuses)
			b.clip("bb", 2000, true)
			b.change(c.change)
			b.now = b.now.Add(time.Hour)
			require.Error(t, b.look())
			for range 3 {
				b.now = b.now.Add(time.Hour)
				require.NoError(t, b.look())
			}
			require.Len(t, p.Messages(), 1)
			require.Equal(t, c.file, p.Messages()[0].File)
			require.Equal(t, c.size, p.Messages()[0].Size)
		})
	}
}

func onBluesky(t *testing.T, at *social.Bluesky) posting.Service {
	t.Helper()
	return bluesky.New(bluesky.Options{URL: serve(t, at), Handle: social.BlueskyHandle, Password: social.BlueskyPassword, Look: time.Millisecond})
}

func TestBlueskyIsAskedBeforeAVideo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		at  *social.Bluesky
		why string
		did string
	}{
		"spent":      {&social.Bluesky{Videos: -1}, "no more videos of this account today (25 a day)", "no video"},
		"unverified": {&social.Bluesky{Unverified: true}, "verify the account's e-mail address (Settings, Account)", "verify the account's e-mail"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			uploads := 0
			c.at.Asked = func(call string) {
				if call == "upload" {
					uploads++
				}
			}
			b := setup(t, onBluesky(t, c.at))
			b.clip("aa", 1000, true)
			require.ErrorContains(t, b.look(), c.why)
			require.NoError(t, b.look())
			requirePicture(t, &c.at.Place, b, c.why)
			require.Equal(t, 1, uploads, "the picture's")
			did, err := b.target.SendTest(t.Context())
			require.NoError(t, err)
			require.Contains(t, did, c.did)
		})
	}
}

func TestAVideoThatIsTooLongForBlueskyIsItsPicture(t *testing.T) {
	t.Parallel()
	at := &social.Bluesky{}
	b := setup(t, onBluesky(t, at))
	b.clip("aa", 1000, true)
	b.change(func(e *footy.Event) { e.Clips[0].Duration = 181 })
	require.NoError(t, b.look())
	requirePicture(t, &at.Place, b, "longer than the 3 min that Bluesky takes")
	require.Equal(t, footy.ReasonTooLong, b.posting().Picture.Reason)
	did, err := b.target.SendTest(t.Context())
	require.NoError(t, err)
	require.Contains(t, did, "25 videos are left today")
}

// TestAServerWithoutAVideoServiceTakesVideosAsFiles, and what it never processes is noticed.
func TestAServerWithoutAVideoServiceTakesVideosAsFiles(t *testing.T) {
	t.Parallel()
	at := &social.Bluesky{NoVideos: true}
	b := setup(t, onBluesky(t, at))
	at.SetVideo(social.NeverEnds)
	b.clip("aa", 1000, true)
	require.NoError(t, b.look())
	require.Equal(t, "video/mp4", at.Messages()[0].File)
	require.Equal(t, "Posted", explain.Posting(b.posting()))
	require.Len(t, b.rows(), 1)

	b.now = b.now.Add(posting.ShownWithin)
	for range 2 {
		require.NoError(t, b.look())
	}
	require.Contains(t, explain.Posting(b.posting()), "has not processed its video")
	require.Len(t, b.rows(), 2)
	require.True(t, b.now.Equal(b.rows()[1].At))
	require.Len(t, at.Messages(), 1, "nothing is posted twice")

	at.SetVideo(social.Takes)
	b.now = b.now.Add(2 * time.Hour)
	require.NoError(t, b.look())
	require.Equal(t, "Posted", explain.Posting(b.posting()))
	require.True(t, b.posting().LookAt.IsZero())
}
