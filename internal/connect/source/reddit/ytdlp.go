package reddit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/footy"
)

// ytdlp knows the hosts that fans use this season. It gets one address, no settings of this machine, no play-lists and no network but
// our proxy, and writes to us alone: whole files over HTTP, so that it starts no program of its own.
type ytdlp struct {
	path    string        // "" = not installed
	hosts   []string      // that it may reach, as httpx knows them
	private bool          // also at addresses that are not public
	within  time.Duration // of one file
	temp    func(pattern string) (string, error)
}

// The limits of one file.
const (
	fileBytes   = 200 << 20
	fileSeconds = 600 // no clip of a goal is nearly as long; the gate knows better
	fileTime    = 90 * time.Second
)

// filtered is how it exits when a file does not pass --break-match-filters.
const filtered = 101

const opProgram = "fetch with yt-dlp"

// knows reports whether it may be asked for a link.
func (y ytdlp) knows(link string) bool {
	u, err := url.Parse(link)
	return err == nil && len(y.hosts) > 0 && httpx.Allowed(u.Host, y.hosts)
}

func (y ytdlp) fetch(ctx context.Context, link string, w io.Writer) (source.Fetched, error) {
	if y.path == "" {
		return source.Fetched{}, &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonNoProgram,
			Err: fmt.Errorf("%s can only be fetched by yt-dlp, which is not installed, or with a row in %s", link, hosts.File)}
	}
	machine := func(err error) (source.Fetched, error) {
		return source.Fetched{}, &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonMachine, Err: err}
	}
	home, err := y.temp("footy-ytdlp-*")
	if err != nil {
		return machine(err)
	}
	defer os.RemoveAll(home)
	proxy, err := httpx.NewProxy(httpx.Options{AllowHosts: y.hosts, DenyPrivate: !y.private, Timeout: y.within})
	if err != nil {
		return machine(err)
	}
	defer proxy.Close()
	limited, cancel := context.WithTimeout(ctx, y.within)
	defer cancel()
	cmd, said := program.Command(limited, y.path, "--ignore-config", "--proxy", proxy.URL, "--no-playlist", "--playlist-items", "1", "--no-cache-dir", "--no-progress",
		"--quiet", "--no-warnings", "--no-part", "--fixup", "never", "--max-filesize", fmt.Sprint(fileBytes),
		"--break-match-filters", fmt.Sprintf("!is_live & duration<?%d", fileSeconds), "--socket-timeout", "15", "--retries", "1",
		"--format", "b[protocol^=http][ext=mp4]/b[protocol^=http]", "--output", "-", "--", link)
	cmd.Dir = home
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "TMPDIR=" + home, "LANG=C.UTF-8", "YTDLP_NO_PLUGINS=1"}
	out := source.NewSink(w, fileBytes)
	cmd.Stdout = out
	// It is Python, and where it brings that along it unpacks it first.
	if err := cmd.Start(program.Limits{Memory: 2 << 30, CPUSeconds: 60, File: 128 << 20, Files: 256, Network: true}); err != nil {
		return machine(err)
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return source.Fetched{}, footy.Wrap(footy.CodeUnavailable, opProgram, ctx.Err())
	case out.Err != nil:
		return source.Fetched{}, out.Err
	case limited.Err() != nil:
		return source.Fetched{}, &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonFetchFailed, Err: fmt.Errorf("not done within %s", y.within)}
	case err != nil && proxy.Refused() != nil:
		return source.Fetched{}, y.astray(proxy.Refused())
	case err != nil:
		return source.Fetched{}, failure(link, err, said)
	case out.Size == 0: // it says nothing of a file that is above its limit
		return source.Fetched{}, footy.Reject(opProgram, footy.ReasonTooLarge, "more than %d bytes, or nothing", fileBytes)
	}
	return out.Fetched(link), nil
}

// astray says where it was not let. An allowed name that leads to a private address is a network's doing, not the post's: some block by that.
func (y ytdlp) astray(refused error) error {
	var dial *net.OpError
	if footy.ReasonOf(refused) == footy.ReasonForbiddenURL && !errors.As(refused, &dial) {
		return &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonUnknownHost,
			Err: fmt.Errorf("the file lies elsewhere (%s); REDDIT_HOSTS names the hosts that yt-dlp may ask, and a row in %s does without it", footy.RootCause(refused), hosts.File)}
	}
	return &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonFetchFailed, Err: errors.New(refused.Error())}
}

var (
	goneWords    = regexp.MustCompile(`(?i)HTTP Error (?:404|410)|has been removed|does not exist|no longer available|been deleted`)
	blockedWords = regexp.MustCompile(`(?i)HTTP Error 451|not available (?:in|from) your (?:country|location)|geo.?restrict`)
	unknownWords = regexp.MustCompile(`(?i)Unsupported URL`)
	noVideoWords = regexp.MustCompile(`(?i)No video|Requested format is not available`)
)

// failure says whose fault it is that yt-dlp has no file.
func failure(link string, err error, said *program.Tail) error {
	words := said.Line()
	var exit *exec.ExitError
	switch {
	case !errors.As(err, &exit):
		return &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonMachine, Err: err}
	case exit.ExitCode() == filtered:
		return footy.Reject(opProgram, footy.ReasonTooLong, "longer than %d s, or still running", fileSeconds)
	case goneWords.MatchString(words):
		return footy.Reject(opProgram, footy.ReasonDeleted, "%s", words)
	case blockedWords.MatchString(words):
		return &footy.Error{Code: footy.CodeGeoBlocked, Op: opProgram, Reason: footy.ReasonGeoBlocked, Err: errors.New(words)}
	case unknownWords.MatchString(words):
		return &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonUnknownHost,
			Err: fmt.Errorf("yt-dlp does not know %s; add a row to %s in STATE_DIR", link, hosts.File)}
	case noVideoWords.MatchString(words):
		return footy.Reject(opProgram, footy.ReasonNoVideo, "%s", words)
	}
	return &footy.Error{Code: footy.CodeUnavailable, Op: opProgram, Reason: footy.ReasonFetchFailed, Err: fmt.Errorf("%s (%w)", words, exit)}
}
