package inspect_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/tools/devtest"
)

// One footage, and another.
const (
	one   = "life=s=80x40:r=10:mold=8:seed=3:life_color=#d0d0a0:death_color=#205020"
	other = "life=s=80x40:r=10:mold=8:seed=4:life_color=#d0d0a0:death_color=#205020"
)

// film draws a video.
func film(t *testing.T, dir, name, source, filter string) {
	t.Helper()
	drawn := devtest.Draw(t, name, "-f", "lavfi", "-i", source, "-vf", filter, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	require.NoError(t, os.Rename(drawn, filepath.Join(dir, name)))
}

// films draws a few seconds of two moving pictures, a mirrored and trimmed copy of the first, and a file that is none.
func films(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	film(t, dir, "a.mp4", one, "trim=duration=9,boxblur=2:1,scale=320:160")
	film(t, dir, "a-copy.mp4", one, "trim=start=1:duration=7,setpts=PTS-STARTPTS,boxblur=2:1,scale=256:128,hflip")
	film(t, dir, "b.mp4", other, "trim=duration=8,boxblur=2:1,scale=320:160")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "junk.mp4"), []byte(strings.Repeat("goal! ", 500)), 0o600))
	return dir
}

func clips() inspect.Clips {
	return inspect.Clips{Media: media.New(media.Options{})}
}

func TestClipFacts(t *testing.T) {
	t.Parallel()
	dir := films(t)
	facts, err := clips().Facts(t.Context(), filepath.Join(dir, "a.mp4"), true)
	require.NoError(t, err)
	require.Equal(t, "passed", facts.Gate)
	require.InDelta(t, 9, facts.Probe.Duration, 0.2)
	require.Equal(t, footy.FingerprintVersion, facts.Fingerprint.Version)
	require.InDelta(t, 9/footy.SampleInterval, facts.Fingerprint.Samples, 4)
	require.LessOrEqual(t, float64(facts.Fingerprint.Bytes)/facts.Fingerprint.Seconds, 640.0)
	require.Contains(t, facts.Fingerprint.Text, "dense:0.0625:0.00=")

	t.Run("a video that the gate refuses is a finding", func(t *testing.T) {
		t.Parallel()
		film(t, dir, "long.mp4", "testsrc=s=160x80:r=2", "trim=duration=61")
		film(t, dir, "hours.mp4", "testsrc=s=160x80:r=2", "trim=duration=121")
		facts, err := clips().Facts(t.Context(), filepath.Join(dir, "long.mp4"), false)
		require.NoError(t, err)
		require.Equal(t, string(footy.ReasonTooLong), facts.Gate)
		require.NotNil(t, facts.Fingerprint)
		facts, err = clips().Facts(t.Context(), filepath.Join(dir, "hours.mp4"), false)
		require.NoError(t, err)
		require.Equal(t, string(footy.ReasonTooLong), facts.Gate)
		require.Nil(t, facts.Fingerprint, "hours of video are not decoded")
	})
	t.Run("a file that is no video is an error that names it", func(t *testing.T) {
		t.Parallel()
		facts, err := clips().Facts(t.Context(), filepath.Join(dir, "junk.mp4"), false)
		require.ErrorContains(t, err, "junk.mp4")
		require.ErrorContains(t, err, "unreadable")
		require.Equal(t, "unreadable", facts.Gate)
		_, err = clips().Facts(t.Context(), filepath.Join(dir, "nothing.mp4"), false)
		require.Equal(t, footy.CodeNotFound, footy.CodeOf(err))
	})
}

func TestClipCompare(t *testing.T) {
	t.Parallel()
	dir := films(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	same, err := clips().Compare(t.Context(), at("a.mp4"), at("a-copy.mp4"))
	require.NoError(t, err)
	require.True(t, same.Match, same.Reason)
	require.True(t, same.Mirrored)
	require.InDelta(t, 1, same.OffsetS, 0.3)
	require.Greater(t, same.MatchedFrames, 20)

	self, err := clips().Compare(t.Context(), at("b.mp4"), at("b.mp4"))
	require.NoError(t, err)
	require.True(t, self.Match)
	require.Contains(t, self.Reason, "byte for byte")

	other, err := clips().Compare(t.Context(), at("a.mp4"), at("b.mp4"))
	require.NoError(t, err)
	require.False(t, other.Match, other.Reason)
	require.Less(t, other.Score, 0.5)

	_, err = clips().Compare(t.Context(), at("a.mp4"), at("junk.mp4"))
	require.ErrorContains(t, err, "junk.mp4 cannot be used: unreadable", "different and could not look are not the same answer")
}

func TestClipDedup(t *testing.T) {
	t.Parallel()
	dir := films(t)
	data, err := os.ReadFile(filepath.Join(dir, "b.mp4"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b-again.mp4"), data, 0o600))
	got, err := clips().Dedup(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, [][]string{{"a.mp4", "a-copy.mp4"}, {"b-again.mp4", "b.mp4"}}, got.Clusters)
	require.Equal(t, []string{"a.mp4", "b-again.mp4"}, got.Winners)
	require.Equal(t, map[string]string{"junk.mp4": "unreadable"}, got.Rejected)
	_, err = clips().Dedup(t.Context(), filepath.Join(dir, "nowhere"))
	require.Equal(t, footy.CodeNotFound, footy.CodeOf(err))
	empty := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(empty, "more"), 0o700))
	_, err = clips().Dedup(t.Context(), empty)
	require.Equal(t, footy.CodeNotFound, footy.CodeOf(err))
	require.ErrorContains(t, err, empty+" holds no files")
}

func TestClipFind(t *testing.T) {
	t.Parallel()
	dir := films(t)
	facts, err := clips().Facts(t.Context(), filepath.Join(dir, "a-copy.mp4"), true)
	require.NoError(t, err)
	text := filepath.Join(t.TempDir(), "a-copy.txt")
	var printed bytes.Buffer // as a person gets it, too
	require.NoError(t, command.Output{}.Write(&printed, []any{facts}, ""))
	require.NoError(t, os.WriteFile(text, printed.Bytes(), 0o600))

	for name, file := range map[string]string{"a file": filepath.Join(dir, "a-copy.mp4"), "its fingerprint in the text form": text} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := clips().Find(t.Context(), file, []string{dir})
			require.NoError(t, err)
			require.Equal(t, 3, got.Searched)
			require.Len(t, got.Hits, 2, "the original and the copy itself, never the other picture")
			require.Equal(t, filepath.Join(dir, "a-copy.mp4"), got.Hits[0].File)
			require.True(t, got.Hits[1].Mirrored)
			require.Equal(t, "unreadable", got.Rejected[filepath.Join(dir, "junk.mp4")])
		})
	}
	t.Run("of a file that is no video", func(t *testing.T) {
		t.Parallel()
		_, err := clips().Find(t.Context(), filepath.Join(dir, "junk.mp4"), []string{dir})
		require.ErrorContains(t, err, "junk.mp4")
		bad := filepath.Join(t.TempDir(), "bad.txt")
		require.NoError(t, os.WriteFile(bad, []byte("dense:0.25:0.00=zz\n"), 0o600))
		_, err = clips().Find(t.Context(), bad, []string{dir})
		require.ErrorContains(t, err, "bad.txt")
		require.ErrorContains(t, err, "sample 0: no hash")
		require.NoError(t, os.WriteFile(bad, []byte("a\ndense:0.25:\n"), 0o600))
		_, err = clips().Find(t.Context(), bad, []string{dir})
		require.ErrorContains(t, err, "sample 0")
	})
	t.Run("with a fingerprint of another version", func(t *testing.T) {
		t.Parallel()
		plain := filepath.Join(t.TempDir(), "plain.txt")
		require.NoError(t, os.WriteFile(plain, []byte("dense:0.25:0.00=0123456789abcdef,0.25=0123456789abcdef\n"), 0o600))
		_, err := clips().Find(t.Context(), plain, []string{dir})
		require.ErrorContains(t, err, "versions are not compared")
	})
}
