package devtest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// unused is how long a sample is kept that no test asks for.
const unused = 30 * 24 * time.Hour

// Draw makes a film, a sound or a picture with ffmpeg, in a folder of its own; args come before the file. It skips the test where ffmpeg is not
// installed. What an ffmpeg made of the same arguments and inputs is kept in the user's cache for all tests and clones.
func Draw(t testing.TB, name string, args ...string) string {
	t.Helper()
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("ffmpeg is not installed here")
	}
	out, kept := filepath.Join(t.TempDir(), name), filepath.Join(samples(t), sampleOf(t, ffmpeg, name, args))
	data, err := os.ReadFile(kept)
	if err == nil {
		require.NoError(t, os.WriteFile(out, data, 0o600))
		now := time.Now()
		_ = os.Chtimes(kept, now, now) // one that another run has just removed is drawn the next time
		return out
	}
	require.ErrorIs(t, err, fs.ErrNotExist)
	text, err := exec.CommandContext(t.Context(), ffmpeg, append(append([]string{"-v", "error", "-nostdin", "-y"}, args...), out)...).CombinedOutput()
	require.NoError(t, err, string(text))
	keep(t, out, kept)
	return out
}

// samples is the folder of what is kept; without a home that of the test.
func samples(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	dir := filepath.Join(cache, "found-footy", "samples")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	return dir
}

// sampleOf names a sample by what decides its bytes: the program, the kind of file and the arguments, of inputs what they hold.
func sampleOf(t testing.TB, ffmpeg, name string, args []string) string {
	t.Helper()
	program, err := os.Stat(ffmpeg)
	require.NoError(t, err)
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %d %d %s\n", ffmpeg, program.Size(), program.ModTime().UnixNano(), filepath.Ext(name))
	for _, arg := range args {
		if filepath.IsAbs(arg) {
			data, err := os.ReadFile(arg)
			require.NoError(t, err)
			arg = fmt.Sprintf("%x", sha256.Sum256(data))
		}
		fmt.Fprintf(sum, "%q\n", arg)
	}
	return fmt.Sprintf("%x%s", sum.Sum(nil), filepath.Ext(name))
}

// keep copies a file that is whole under its name, and removes what was not asked for in a long time.
func keep(t testing.TB, file, kept string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	part, err := os.CreateTemp(filepath.Dir(kept), "part-*")
	require.NoError(t, err)
	_, err = part.Write(data)
	require.NoError(t, errors.Join(err, part.Close()))
	require.NoError(t, os.Rename(part.Name(), kept))
	old, err := os.ReadDir(filepath.Dir(kept))
	require.NoError(t, err)
	for _, entry := range old {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > unused {
			_ = os.Remove(filepath.Join(filepath.Dir(kept), entry.Name())) // another run may have done it
		}
	}
}
