package reddit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/source"
)

// program is yt-dlp, which knows the hosts that fans use this season. It gets one address, no settings of this machine, no play-lists, and
// writes to us alone: whole files over HTTP, so that it starts no program of its own.
type program struct {
	path string // "" = not installed
}

// The limits of one file.
const (
	fileBytes = 200 << 20
	fileTime  = 90 * time.Second
)

const opProgram = "fetch with yt-dlp"

func (p program) fetch(ctx context.Context, link string, w io.Writer, progress func(int64)) (source.Fetched, error) {
	if p.path == "" {
		return source.Fetched{}, footy.Reject(opProgram, footy.ReasonNoProgram, "%s can only be fetched by yt-dlp, which is not installed", link)
	}
	home, err := os.MkdirTemp("", "footy-ytdlp-*")
	if err != nil {
		return source.Fetched{}, &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonMachine, Err: err}
	}
	defer os.RemoveAll(home)
	limited, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	cmd := exec.CommandContext(limited, p.path, "--ignore-config", "--no-playlist", "--playlist-items", "1", "--no-cache-dir", "--no-progress", "--quiet",
		"--no-warnings", "--no-part", "--max-filesize", fmt.Sprint(fileBytes), "--socket-timeout", "15", "--retries", "1",
		"--format", "b[protocol^=http][ext=mp4]/b[protocol^=http]", "--output", "-", "--", link)
	cmd.Dir, cmd.Env, cmd.WaitDelay = home, []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "LANG=C.UTF-8"}, 2*time.Second
	said, out := &tail{}, &counted{w: w, hash: sha256.New(), progress: progress}
	cmd.Stdout, cmd.Stderr = out, said
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return source.Fetched{}, footy.Wrap(footy.CodeUnavailable, opProgram, ctx.Err())
	case out.full != nil:
		return source.Fetched{}, out.full
	case limited.Err() != nil:
		return source.Fetched{}, &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonFetchFailed, Err: fmt.Errorf("not done within %s", fileTime)}
	case err != nil:
		return source.Fetched{}, said.failure(err)
	case out.n == 0: // it says nothing of a file that is above its limit
		return source.Fetched{}, footy.Reject(opProgram, footy.ReasonTooLarge, "more than %d bytes, or nothing", fileBytes)
	}
	return source.Fetched{URL: link, Size: out.n, Digest: hex.EncodeToString(out.hash.Sum(nil)), ContentType: "video/mp4"}, nil
}

// counted writes on, up to the limit.
type counted struct {
	w        io.Writer
	hash     hash.Hash
	n        int64
	progress func(int64)
	full     error
}

func (c *counted) Write(b []byte) (int, error) {
	if c.n+int64(len(b)) > fileBytes {
		c.full = footy.Reject(opProgram, footy.ReasonTooLarge, "more than %d bytes", fileBytes)
		return 0, c.full
	}
	n, err := c.w.Write(b)
	if err != nil {
		c.full = &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonMachine, Err: err}
		return n, c.full
	}
	c.hash.Write(b)
	c.n += int64(n)
	if c.progress != nil {
		c.progress(c.n)
	}
	return n, nil
}

// tail is the end of what yt-dlp complained about.
type tail struct{ bytes.Buffer }

func (t *tail) Write(b []byte) (int, error) {
	if t.Len() > 16<<10 {
		t.Reset()
	}
	return t.Buffer.Write(b)
}

var (
	goneWords    = regexp.MustCompile(`(?i)HTTP Error (?:404|410)|has been removed|does not exist|no longer available|been deleted`)
	blockedWords = regexp.MustCompile(`(?i)HTTP Error 451|not available (?:in|from) your (?:country|location)|geo.?restrict`)
	noVideoWords = regexp.MustCompile(`(?i)Unsupported URL|No video|Requested format is not available`)
)

// failure says whose fault it is that yt-dlp has no file.
func (t *tail) failure(err error) error {
	words := strings.TrimSpace(t.String())
	if i := strings.LastIndexByte(words, '\n'); i >= 0 {
		words = words[i+1:]
	}
	words = words[:min(len(words), 200)]
	var exit *exec.ExitError
	switch {
	case !errors.As(err, &exit):
		return &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonMachine, Err: err}
	case goneWords.MatchString(words):
		return footy.Reject(opProgram, footy.ReasonDeleted, "%s", words)
	case blockedWords.MatchString(words):
		return &footy.Error{Code: footy.CodeGeoBlocked, Op: opProgram, Reason: footy.ReasonGeoBlocked, Err: errors.New(words)}
	case noVideoWords.MatchString(words):
		return footy.Reject(opProgram, footy.ReasonNoVideo, "%s", words)
	}
	return &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonFetchFailed, Err: errors.New(words)}
}
