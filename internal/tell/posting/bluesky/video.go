package bluesky

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/posting"
)

const (
	videoService = "https://video.bsky.app"
	videosADay   = 25
	handVideo    = "hand a video to Bluesky"
	verifyEmail  = "verify the account's e-mail address (Settings, Account): Bluesky takes no videos before"
)

// errNoService says that a server does not have a method.
var errNoService = errors.New("the server does not have this method")

// noService reports whether a server has no video service: of methods that they do not know servers say 501 or 404.
func noService(err error) bool { return errors.Is(err, errNoService) || footy.IsNotFound(err) }

// job is the processing of a video.
type job struct {
	ID      string          `json:"jobId"`
	State   string          `json:"state"` // JOB_STATE_COMPLETED, JOB_STATE_FAILED, or any other while it goes on
	Blob    json.RawMessage `json:"blob"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
	Inner   *job            `json:"jobStatus"` // the answer to an upload may be the status itself
}

// limits are what the account may still upload today.
type limits struct {
	May     bool   `json:"canUpload"`
	Videos  *int   `json:"remainingDailyVideos"`
	Bytes   *int64 `json:"remainingDailyBytes"`
	Error   string `json:"error"`
	Message string `json:"message"`
}

// videoURL is the address of the video service. It hands videos to the account's server over https, so a server without https can only
// have one of its own.
func (a *Account) videoURL() string {
	if strings.HasPrefix(a.opt.URL, "http://") {
		return a.opt.URL
	}
	return videoService
}

// did names a server as the audience of a token.
func did(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return "did:web:" + url.QueryEscape(u.Host)
}

// server is the one that the account lives on, which may be another than the one signed in to.
func (a *Account) server(in session) string {
	for _, s := range in.Doc.Service {
		if strings.HasSuffix(s.ID, "#atproto_pds") {
			return s.Endpoint
		}
	}
	return a.opt.URL
}

// video has the video service process a video: the blob is of what came of it.
func (a *Account) video(ctx context.Context, f posting.File) (json.RawMessage, error) {
	if err := a.checkLimits(ctx, f.Size); err != nil {
		return nil, posting.Harmless(err)
	}
	j, err := a.uploadVideo(ctx, f)
	if err != nil {
		return nil, posting.Harmless(err) // nobody sees it before the post
	}
	err = posting.Processed(ctx, handVideo, f, func(again bool) (done bool, wait time.Duration, err error) {
		if again {
			q := url.Values{"jobId": {j.ID}}
			j = job{ID: j.ID}
			err = a.askVideo(ctx, http.MethodGet, "getJobStatus?"+q.Encode(), "", nil, &j)
		}
		if j.Inner != nil {
			j = *j.Inner
		}
		if err == nil && j.State == "JOB_STATE_FAILED" {
			err = footy.Errorf(footy.CodeRejected, handVideo, "Bluesky cannot process the video: %s", cmp.Or(j.Message, j.Error, "it does not say why"))
		}
		return len(j.Blob) > 0, a.opt.Look, err
	})
	return j.Blob, posting.Harmless(err)
}

// checkLimits refuses a video that the account may not upload today.
func (a *Account) checkLimits(ctx context.Context, size int64) error {
	l, err := a.limits(ctx)
	switch {
	case noService(err): // the upload itself may be there
		return nil
	case err != nil:
		return err
	}
	if why := l.refusal(size); why != "" {
		return footy.Errorf(footy.CodeRejected, handVideo, "%s", why)
	}
	return nil
}

func (a *Account) limits(ctx context.Context) (l limits, err error) {
	token, err := a.serviceToken(ctx, func(session) string { return did(a.videoURL()) }, "app.bsky.video.getUploadLimits")
	if err == nil {
		err = a.askVideo(ctx, http.MethodGet, "getUploadLimits", token, nil, &l)
	}
	return l, err
}

// refusal says why a video of this size may not be uploaded now; "" if it may.
func (l limits) refusal(size int64) string {
	switch said := l.Error + " " + l.Message; {
	case unverified(said):
		return verifyEmail
	case l.Videos != nil && *l.Videos <= 0:
		return fmt.Sprintf("Bluesky takes no more videos of this account today (%d a day)", videosADay)
	case l.Bytes != nil && *l.Bytes < size:
		return "Bluesky takes no more bytes of videos of this account today (10 GB a day)"
	case !l.May:
		return "Bluesky takes no video of this account now: " + cmp.Or(l.Message, l.Error, "it does not say why")
	}
	return ""
}

func unverified(said string) bool {
	said = strings.ToLower(said)
	return strings.Contains(said, "email") || strings.Contains(said, "e-mail")
}

// videosLeft says how many videos may be posted today.
func (a *Account) videosLeft(ctx context.Context) string {
	l, err := a.limits(ctx)
	why := l.refusal(0)
	switch {
	case noService(err):
		return "how many videos it takes today this server does not say"
	case err != nil:
		return "how many videos it takes today could not be asked: " + footy.UserMessage(posting.Harmless(err))
	case why != "":
		return "no video can be posted, only its picture: " + why
	case l.Videos == nil:
		return "videos can be posted"
	}
	return fmt.Sprintf("%d videos are left today", *l.Videos)
}

// serviceToken is a token for one method of another service.
func (a *Account) serviceToken(ctx context.Context, audience func(session) string, method string) (string, error) {
	var got struct {
		Token string `json:"token"`
	}
	err := a.call(ctx, handVideo, func(ctx context.Context, in session) (*http.Request, error) {
		q := url.Values{"aud": {audience(in)}, "lxm": {method}, "exp": {fmt.Sprint(a.opt.Now().Add(30 * time.Minute).Unix())}}
		return posting.JSON(ctx, http.MethodGet, a.opt.URL+"/xrpc/com.atproto.server.getServiceAuth?"+q.Encode(), nil)
	}, &got)
	return got.Token, err
}

// uploadVideo hands a video in; one that was handed in before goes on as the same job.
func (a *Account) uploadVideo(ctx context.Context, f posting.File) (j job, err error) {
	owner := ""
	token, err := a.serviceToken(ctx, func(in session) string {
		owner = in.DID
		return did(a.server(in)) // to which the service hands the video
	}, "com.atproto.repo.uploadBlob")
	if err != nil {
		return j, err
	}
	q := url.Values{"did": {owner}, "name": {f.Name}}
	err = a.askVideo(ctx, http.MethodPost, "uploadVideo?"+q.Encode(), token, &f, &j)
	return j, err
}

// askVideo makes a call of the video service.
func (a *Account) askVideo(ctx context.Context, method, call, token string, f *posting.File, out any) error {
	address := a.videoURL() + "/xrpc/app.bsky.video." + call
	req, err := posting.JSON(ctx, method, address, nil)
	if f != nil {
		req, err = posting.Whole(ctx, method, address, *f)
	}
	if err != nil {
		return err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	got, err := posting.Send(a.opt.Client, req, handVideo)
	switch {
	case err != nil:
		return err
	case got.Status < http.StatusMultipleChoices || got.Status == http.StatusConflict: // it has the video already
		return got.Into(handVideo, out)
	case unverified(string(got.Body)):
		return footy.Errorf(footy.CodeRejected, handVideo, "%s", verifyEmail)
	case got.Status == http.StatusUnauthorized || got.Status == http.StatusForbidden: // the account may sign in, and upload no videos
		got.Status = http.StatusBadRequest
	}
	expired, err := a.refused(got, handVideo)
	if expired {
		return footy.Errorf(footy.CodeRejected, handVideo, "Bluesky's video service does not take its own server's token")
	}
	return err
}

// Seen implements posting.Watcher: the playlist of a video is there once it is processed.
func (a *Account) Seen(ctx context.Context, at posting.Ref) (bool, error) {
	const op = "look at a post at Bluesky"
	var got struct {
		Posts []struct {
			Embed struct {
				Playlist string `json:"playlist"`
			} `json:"embed"`
		} `json:"posts"`
	}
	err := a.call(ctx, op, func(ctx context.Context, in session) (*http.Request, error) {
		q := url.Values{"uris": {"at://" + in.DID + "/" + collection + "/" + at.ID}}
		return posting.JSON(ctx, http.MethodGet, a.opt.URL+"/xrpc/app.bsky.feed.getPosts?"+q.Encode(), nil)
	}, &got)
	if err != nil {
		return false, err
	}
	if len(got.Posts) == 0 || got.Posts[0].Embed.Playlist == "" {
		return false, footy.Errorf(footy.CodeUnavailable, op, "it is not shown with a video")
	}
	req, err := posting.JSON(ctx, http.MethodGet, got.Posts[0].Embed.Playlist, nil)
	if err != nil {
		return false, err
	}
	list, err := posting.Send(a.opt.Client, req, op)
	switch {
	case err != nil:
		return false, err
	case list.Status == http.StatusNotFound:
		return false, nil
	case list.Status >= http.StatusMultipleChoices:
		return false, posting.Refusal(list, op, "", "", a.opt.Now())
	}
	return true, nil
}
