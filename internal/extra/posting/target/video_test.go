package target_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/footy"
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
	require.Equal(t, rule.Done, is.Step)
	require.Empty(t, is.Error)
	require.Contains(t, is.Picture.Why, why)
	require.Contains(t, is.ForOperators(), why)
	require.Contains(t, is.ForReaders(), "picture")
}

func TestAVideoThatAServiceDoesNotTakeIsPostedAsItsPicture(t *testing.T) {
	t.Parallel()
	for _, manner := range []social.VideoManner{social.Refuses, social.CannotProcess} {
		each(t, func(t *testing.T, p place, b *bundle) {
			if p.pictures {
				return
			}
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
		if name := b.target.Name(); name != "Mastodon" && name != "X" { // nothing is processed there
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
	}, func(o *target.Options) { o.Call = 5 * time.Second })
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
			b := setup(t, p.client(serve(t, p.Handler)))
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
