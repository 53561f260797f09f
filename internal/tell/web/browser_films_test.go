package web_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestWhatIsShownPlaysInABrowser: files as posts carry them, as they are stored, from the page.
func TestWhatIsShownPlaysInABrowser(t *testing.T) {
	root := browser(t)
	mp4, jpg := makeClip(t)
	tool, source := media.New(media.Options{}), filepath.Join(t.TempDir(), "source.mp4")
	require.NoError(t, os.WriteFile(source, mp4, 0o600))
	for name, codecs := range map[string][]string{
		"stream.ts": {"-c:v", "libx264", "-c:a", "aac"}, "flash.flv": {"-c:v", "libx264", "-c:a", "aac"}, "video.avi": {"-c:v", "libx264", "-c:a", "mp3"},
		"film.mkv": {"-c:v", "libx264", "-c:a", "aac"}, "hevc.mp4": {"-c:v", "libx265", "-x265-params", "log-level=error", "-c:a", "aac"},
		"recorded.webm": {"-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus", "-live", "1"}, "phone.mov": {"-c:v", "libx264", "-c:a", "pcm_s16le"},
		"damaged.mp4": {"-c:v", "libx264", "-c:a", "aac"},
	} {
		file := devtest.Draw(t, name, append([]string{"-i", source, "-t", "4", "-pix_fmt", "yuv420p"}, codecs...)...)
		if name == "damaged.mp4" { // ffmpeg goes on where its bytes are others
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			for at := len(data) / 3; at < len(data)*2/3; at += 9973 {
				data[at] ^= 0x5a
			}
			require.NoError(t, os.WriteFile(file, data, 0o600))
		}
		p, err := tool.Probe(t.Context(), file)
		require.NoError(t, err)
		d, err := tool.Decode(t.Context(), file, p, media.Wants{SamplesOnly: true})
		require.NoError(t, err)
		p = d.Of(p)
		film, err := tool.Film(t.Context(), file, p, func() (bool, error) { return true, nil })
		require.NoError(t, err)
		body, err := os.ReadFile(film.Path)
		require.NoError(t, err)
		inTab(root, t, mp4, jpg, name, func(b tab) {
			f, err := b.S.Store.Fixture(t.Context(), 5001)
			require.NoError(t, err)
			c := f.Events[0].VisibleClips()[0]
			key := blob.ClipPrefix + "5001-1/" + c.Digest + film.Kind
			b.S.Put(key, footy.VideoType(key), body)
			b.S.Update(5001, func(f *footy.Fixture) { f.Events[0].Clip(c.ID).Key = key })
			path := footy.ClipPath("5001-1", c.ID, key)
			require.Equal(t, footy.VideoType(key), b.S.Get(path).Header.Get("Content-Type"))
			require.Contains(t, b.S.Get(path+"?download").Header.Get("Content-Disposition"), "Mohamed Salah 12"+film.Kind)
			b.Open("/g/" + salah)
			b.Until(`(v => v?.currentTime > 0.1 && v.videoWidth === 640 && Math.abs(v.duration - 4) < 0.2)(document.querySelector(".stage video"))`)
			require.Contains(t, js[string](b, `document.querySelector(".stage video").currentSrc`), path)
		})
	}
}
