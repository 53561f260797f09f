package target_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/footy"
)

// desk is a service that writes down what it was asked. What it does with a file is up to the test.
type desk struct {
	name   string
	upload func(context.Context) error // nil: it takes it
	asked  []string
}

// Traits implements target.Service.
func (d *desk) Traits() target.Traits {
	return target.Traits{Name: d.name, Text: rule.Limit{Max: 1000, Unit: rule.Runes}, MaxVideo: 1 << 20, MaxPicture: 1 << 20}
}

// Upload implements target.Uploader.
func (d *desk) Upload(ctx context.Context, f target.File) (string, error) {
	d.asked = append(d.asked, "upload "+f.Name)
	if d.upload == nil {
		return "file", nil
	}
	return "file", d.upload(ctx)
}

// Create implements target.Service.
func (d *desk) Create(context.Context, target.Post) (target.Ref, error) {
	d.asked = append(d.asked, "create")
	return target.Ref{ID: "1"}, nil
}

// Edit implements target.Editor.
func (d *desk) Edit(_ context.Context, at target.Ref, p target.Post) (target.Ref, error) {
	d.asked = append(d.asked, "edit: "+p.Text)
	return at, nil
}

// Delete implements target.Service.
func (d *desk) Delete(_ context.Context, at target.Ref) error {
	d.asked = append(d.asked, "delete "+at.ID)
	return nil
}

// Test implements target.Service.
func (d *desk) Test(context.Context) (string, error) { return "", nil }

// another gives the match a second goal.
func (b *bundle) another(change func(*footy.Event)) {
	b.t.Helper()
	e := event(2, b.now)
	change(&e)
	_, err := b.store.Update(b.t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Events = append(f.Events, e)
		return nil, nil
	})
	require.NoError(b.t, err)
}

// TestWhatIsOutdatedOnceItsFileIsHandedInIsNotPosted: some services cannot edit.
func TestWhatIsOutdatedOnceItsFileIsHandedInIsNotPosted(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*footy.Event){
		"taken back":  func(e *footy.Event) { e.Removed = true },
		"corrected":   func(e *footy.Event) { e.Player.Name = "Gakpo" },
		"clip hidden": func(e *footy.Event) { e.Clips[0].Hidden = true },
		"clip hidden that took its place": func(e *footy.Event) {
			e.Clips = append(e.Clips, footy.Clip{ID: "bb", Hidden: true})
			e.Clips[0].ReplacedBy = "bb"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &desk{name: "Healthy"}
			b := setup(t, d)
			b.clip("aa", 1000, true)
			d.upload = func(context.Context) error {
				b.change(change)
				return nil
			}
			require.NoError(t, b.look())
			require.Equal(t, []string{"upload aa.mp4"}, d.asked)
			require.Empty(t, b.posting().Step)
		})
	}
}

// TestABetterClipIsNoReasonToDropWhatIsHandedIn: where one comes during each upload, nothing would ever be posted.
func TestABetterClipIsNoReasonToDropWhatIsHandedIn(t *testing.T) {
	t.Parallel()
	d := &desk{name: "Healthy"}
	b := setup(t, d)
	b.clip("aa", 1000, true)
	d.upload = func(context.Context) error {
		d.upload = nil
		b.clip("bb", 1000, true)
		return nil
	}
	require.NoError(t, b.look())
	require.Equal(t, []string{"upload aa.mp4", "create"}, d.asked)
	require.Equal(t, "aa", b.posting().Clip)
	b.now = b.now.Add(time.Minute)
	require.NoError(t, b.look())
	require.Equal(t, []string{"upload aa.mp4", "create", "upload bb.mp4", "edit: " + says}, d.asked)
	require.Equal(t, "bb", b.posting().Clip)
}

// TestAClipThatIsHiddenWhileItIsHandedInIsShownByNoEdit: the post is up and keeps its clip.
func TestAClipThatIsHiddenWhileItIsHandedInIsShownByNoEdit(t *testing.T) {
	t.Parallel()
	d := &desk{name: "Healthy"}
	b := setup(t, d)
	b.clip("aa", 1000, true)
	require.NoError(t, b.look())
	b.clip("bb", 1000, true)
	d.upload = func(context.Context) error {
		b.change(func(e *footy.Event) { e.Clip("bb").Hidden = true })
		return nil
	}
	for range 2 {
		b.now = b.now.Add(time.Minute)
		require.NoError(t, b.look())
	}
	require.Equal(t, []string{"upload aa.mp4", "create", "upload bb.mp4"}, d.asked)
	require.Equal(t, "aa", b.posting().Clip)
}

// TestWhatIsTakenBackWaitsForOneFileAtMost: of many clips that are to be sent, each may take minutes.
func TestWhatIsTakenBackWaitsForOneFileAtMost(t *testing.T) {
	t.Parallel()
	d := &desk{name: "Healthy"}
	b := setup(t, d)
	b.clip("aa", 1000, true)
	b.another(func(e *footy.Event) { e.Clips = []footy.Clip{put(t.Context(), t, b.blob, "bb", 1000, true)} })
	third := event(3, b.now)
	keep(&third, rule.Posting{Target: b.target.Key(), Step: rule.Done, ID: "3", Clip: "cc", At: b.now})
	d.upload = func(context.Context) error {
		d.upload = nil
		_, err := b.store.Update(t.Context(), 2, func(f *footy.Fixture) ([]footy.Entry, error) {
			f.Events[0].Removed = true
			return nil, nil
		})
		return err
	}
	f := match(2, b.now)
	f.Events = []footy.Event{third}
	require.NoError(t, b.store.Add(t.Context(), f))
	require.NoError(t, b.look())
	require.Equal(t, []string{"upload aa.mp4", "create", "delete 3", "upload bb.mp4", "create"}, d.asked)
}
