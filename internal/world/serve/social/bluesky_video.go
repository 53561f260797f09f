package social

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	blueskyVideos = 25 // a day
	blueskyBytes  = 10_000_000_000
	blueskyVideo  = 100_000_000 // bytes of one
)

// blueskyJob is the processing of a video.
type blueskyJob struct {
	id, kind string
	size     int
	looks    int // until it is processed
	blob     any
}

// blueskyServiceToken is for one service and one method.
func blueskyServiceToken(service, method string) string {
	return "simulated-service-jwt " + service + " " + method
}

// serveVideo answers as the video service; false: it is no call of its.
func (b *Bluesky) serveVideo(w http.ResponseWriter, r *http.Request) bool {
	self := "did:web:" + url.QueryEscape(r.Host)
	switch method, ours := strings.CutPrefix(r.URL.Path, "/xrpc/app.bsky.video."); {
	case strings.HasPrefix(r.URL.Path, "/watch/"): // of a video that is processed
		if b.treats("video/mp4", CannotProcess, NeverEnds) {
			http.NotFound(w, r)
			return true
		}
		_, _ = io.WriteString(w, "#EXTM3U\n")
	case !ours:
		return false
	case b.NoVideos:
		blueskyUnknown(w)
	case method == "getUploadLimits" && blueskyMay(w, r, self, "app.bsky.video.getUploadLimits"):
		answer(w, http.StatusOK, b.limits())
	case method == "uploadVideo" && blueskyMay(w, r, self, "com.atproto.repo.uploadBlob"): // it hands the file to the server itself
		b.uploadVideo(w, r)
	case method == "getJobStatus":
		b.job(w, r)
	case method != "getUploadLimits" && method != "uploadVideo":
		blueskyUnknown(w)
	}
	return true
}

func blueskyMay(w http.ResponseWriter, r *http.Request, service, method string) bool {
	if r.Header.Get("Authorization") == "Bearer "+blueskyServiceToken(service, method) {
		return true
	}
	answer(w, http.StatusUnauthorized, map[string]any{"error": "BadJwt", "message": "token is for another audience or method"})
	return false
}

func (b *Bluesky) today() string {
	now := time.Now
	if b.Now != nil {
		now = b.Now
	}
	return now().UTC().Format(time.DateOnly)
}

func (b *Bluesky) limits() map[string]any {
	most := cmp.Or(b.Videos, blueskyVideos)
	b.mu.Lock()
	defer b.mu.Unlock()
	left := max(most-b.uploaded[b.today()], 0)
	switch {
	case b.Unverified:
		return map[string]any{"canUpload": false, "error": "unconfirmed_email", "message": "Please verify your email address before uploading videos"}
	case left == 0:
		return map[string]any{"canUpload": false, "remainingDailyVideos": 0, "remainingDailyBytes": blueskyBytes, "message": "User has exceeded daily upload videos limit"}
	}
	return map[string]any{"canUpload": true, "remainingDailyVideos": left, "remainingDailyBytes": blueskyBytes}
}

func (b *Bluesky) uploadVideo(w http.ResponseWriter, r *http.Request) {
	sum := sha256.New()
	size, err := io.Copy(sum, r.Body)
	kind := r.Header.Get("Content-Type")
	id := hex.EncodeToString(sum.Sum(nil)[:8])
	b.act(w, "upload", blueskyBusy, func(w http.ResponseWriter) {
		says, status := "", http.StatusBadRequest
		switch limits := b.limits(); {
		case limits["canUpload"] == false:
			says = limits["message"].(string)
		case size > blueskyVideo:
			says, status = "Request body too large", http.StatusRequestEntityTooLarge
		case err != nil || r.URL.Query().Get("did") != blueskyDID || r.URL.Query().Get("name") == "":
			says = "Invalid request"
		case b.treats(kind, Refuses):
			says = "Unsupported video"
		}
		if says != "" {
			answer(w, status, map[string]any{"error": says, "message": says})
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.jobs == nil {
			b.jobs, b.uploaded = map[string]*blueskyJob{}, map[string]int{}
		}
		if j := b.jobs[id]; j != nil && j.blob != nil { // the same video again
			answer(w, http.StatusConflict, map[string]any{"jobId": id, "did": blueskyDID, "state": "JOB_STATE_COMPLETED", "error": "already_exists", "message": "Video already processed"})
			return
		}
		b.uploaded[b.today()]++
		b.jobs[id] = &blueskyJob{id: id, kind: kind, size: int(size), looks: 1}
		answer(w, http.StatusOK, map[string]any{"jobId": id, "did": blueskyDID, "state": "JOB_STATE_CREATED"})
	})
}

func (b *Bluesky) job(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	j := b.jobs[r.URL.Query().Get("jobId")]
	if j == nil {
		answer(w, http.StatusNotFound, map[string]any{"error": "NotFound", "message": "job not found"})
		return
	}
	status := map[string]any{"jobId": j.id, "did": blueskyDID, "state": "JOB_STATE_ENCODING", "progress": 50}
	switch {
	case b.treats(j.kind, CannotProcess):
		status = map[string]any{"jobId": j.id, "did": blueskyDID, "state": "JOB_STATE_FAILED", "error": "failed to probe video", "message": "Video could not be processed"}
	case b.treats(j.kind, NeverEnds):
	case j.looks > 0:
		j.looks--
	default:
		if j.blob == nil {
			j.blob = b.keep(j.kind, j.size)
		}
		status["state"], status["blob"] = "JOB_STATE_COMPLETED", j.blob
	}
	answer(w, http.StatusOK, map[string]any{"jobStatus": status})
}

// shown is a post as people see it: one with a video names a playlist, whether the video is processed or not.
func (b *Bluesky) shown(w http.ResponseWriter, r *http.Request) {
	uri := r.URL.Query().Get("uris")
	posts := []any{}
	if m, there := b.change(uri[strings.LastIndex(uri, "/")+1:], func(*Message) {}); there {
		post := map[string]any{"uri": uri}
		if strings.HasPrefix(m.File, "video/") {
			post["embed"] = map[string]any{"$type": "app.bsky.embed.video#view", "playlist": "http://" + r.Host + "/watch/" + blueskyDID + "/" + m.ID + "/playlist.m3u8"}
		}
		posts = append(posts, post)
	}
	answer(w, http.StatusOK, map[string]any{"posts": posts})
}
