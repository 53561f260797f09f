package reddit

import (
	"context"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/footy"
)

// AddSound puts the sound of one file to the picture of another, into a third.
type AddSound func(ctx context.Context, video, audio, out string) error

const opSound = "fetch the sound of a video of Reddit"

// withSound writes the video of a post with its sound to w, which Reddit keeps in a file of its own. Where that cannot be had, the video
// goes without: a silent clip is a clip.
func (f *Fetcher) withSound(ctx context.Context, p post, c footy.Candidate, w io.Writer) (source.Fetched, error) {
	dir, err := f.source.opts.temp("footy-reddit-*")
	if err != nil {
		return source.Fetched{}, unwritten(err)
	}
	defer os.RemoveAll(dir)
	video, audio, both := filepath.Join(dir, "video.mp4"), filepath.Join(dir, "audio.mp4"), filepath.Join(dir, "both.mp4")
	got, err := into(video, func(w io.Writer) (source.Fetched, error) { return f.file(p.file).Fetch(ctx, c, w) })
	if err != nil {
		return got, err
	}
	whole := video
	if track, err := f.track(ctx, p.file.playlist); err == nil {
		if _, err := into(audio, func(w io.Writer) (source.Fetched, error) { return f.file(file{url: track}).Fetch(ctx, c, w) }); err == nil &&
			f.source.opts.AddSound(ctx, video, audio, both) == nil {
			whole = both
		}
	}
	if ctx.Err() != nil { // or the clip would be silent because somebody gave up
		return source.Fetched{}, footy.Wrap(footy.CodeUnavailable, opSound, ctx.Err())
	}
	in, err := os.Open(whole)
	if err != nil {
		return source.Fetched{}, unwritten(err)
	}
	defer in.Close()
	out := source.NewSink(w, math.MaxInt64)
	if _, err = io.Copy(out, in); err != nil {
		return source.Fetched{}, unwritten(err)
	}
	return out.Fetched(got.URL), nil
}

// unwritten is a failure of this machine's disk.
func unwritten(err error) error {
	return &footy.Error{Code: footy.CodeUnavailable, Op: opSound, Reason: footy.ReasonMachine, Err: err}
}

// into has a file written.
func into(path string, write func(io.Writer) (source.Fetched, error)) (source.Fetched, error) {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return source.Fetched{}, unwritten(err)
	}
	got, err := write(out)
	if closed := out.Close(); err == nil && closed != nil {
		err = unwritten(closed)
	}
	return got, err
}

// track is the address of the best sound that a play-list names. Whether its host is allowed is looked at when it is fetched.
func (f *Fetcher) track(ctx context.Context, address string) (string, error) {
	if at, err := url.Parse(address); err != nil || !httpx.Allowed(at.Host, f.files.AllowedHosts) {
		return "", footy.Reject(opSound, footy.ReasonForbiddenURL, "%s is not on an allowed host", address)
	}
	list, status, err := tracksOf(ctx, f.client, f.source.opts.Timeout, opSound, address)
	if err != nil {
		return "", err
	}
	track := best(list, "audio", address)
	if track == "" {
		return "", footy.Errorf(footy.CodeNotFound, opSound, "its play-list names none (HTTP %d)", status)
	}
	return track, nil
}

// tracksOf asks for a play-list. One that is refused is empty, with the status.
func tracksOf(ctx context.Context, client *http.Client, within time.Duration, op, address string) (list hosts.Playlist, status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return list, 0, footy.Wrap(footy.CodeInvalid, op, err)
	}
	resp, raw, err := httpx.Read(client, req, 1<<20) //nolint:bodyclose // it closes it
	if resp == nil {
		return list, 0, httpx.Fault(op, err)
	}
	if resp.StatusCode != http.StatusOK {
		return list, resp.StatusCode, nil
	}
	if err == nil {
		list, err = hosts.ReadPlaylist(raw)
	}
	return list, resp.StatusCode, footy.Wrap(footy.CodeUnavailable, op, err)
}

// best is the address of the best track of a kind (video, audio) that the play-list at an address names; "" if it names none.
func best(list hosts.Playlist, kind, address string) string {
	base, err := url.Parse(address)
	if err != nil {
		return ""
	}
	track := list.Best(kind)
	u, err := base.Parse(track)
	if track == "" || err != nil {
		return ""
	}
	return u.String()
}
