package hosts

import (
	"encoding/xml"
	"net/url"
	"regexp"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
)

const redditVideos = "v.redd.it"

// playerPath is the page of a video on Reddit's own hosts: /link/POST/video/ID/player, /video/ID.
var playerPath = regexp.MustCompile(`^/(?:link/[^/]+/)?video/([A-Za-z0-9]+)(?:/|$)`)

// RedditVideo is the id of a video of Reddit's own, whichever of its addresses a post brings; "" if it is none.
func RedditVideo(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	switch host := strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")); {
	case host == redditVideos, host == "packaged-media.redd.it":
		id, _, _ := strings.Cut(strings.TrimLeft(u.Path, "/"), "/")
		if id != "" && strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" {
			return id
		}
	case httpx.Allowed(host, []string{".reddit.com"}):
		if m := playerPath.FindStringSubmatch(u.Path); m != nil {
			return m[1]
		}
	}
	return ""
}

// Playlist is what a DASH play-list says of its tracks, as far as it matters.
type Playlist struct {
	Sets []struct {
		Content string `xml:"contentType,attr"`
		Kind    string `xml:"mimeType,attr"`
		Tracks  []struct {
			Kind      string `xml:"mimeType,attr"`
			Bandwidth int    `xml:"bandwidth,attr"`
			BaseURL   string `xml:"BaseURL"`
		} `xml:"Representation"`
	} `xml:"Period>AdaptationSet"`
}

// ReadPlaylist reads a play-list.
func ReadPlaylist(raw []byte) (Playlist, error) {
	var list Playlist
	err := xml.Unmarshal(raw, &list)
	return list, err
}

// Best is the best track of a kind (video, audio), relative to the play-list; "" if it names none.
func (l Playlist) Best(kind string) string {
	found, bandwidth := "", -1
	for _, s := range l.Sets {
		for _, t := range s.Tracks {
			is := s.Content == kind || strings.HasPrefix(s.Kind, kind+"/") || strings.HasPrefix(t.Kind, kind+"/")
			if at := strings.TrimSpace(t.BaseURL); is && at != "" && t.Bandwidth > bandwidth {
				found, bandwidth = at, t.Bandwidth
			}
		}
	}
	return found
}
