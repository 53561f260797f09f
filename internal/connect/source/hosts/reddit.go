package hosts

import (
	"encoding/xml"
	"net/url"
	"regexp"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
)

const redditVideos = "v.redd.it"

// playerPath is a video below its post, or its page: /link/POST/video/ID/player, /link/POST/asset/ID/DASHPlaylist.mpd, /video/ID.
var playerPath = regexp.MustCompile(`^/(?:link/[^/]+/)?(?:video|asset)/([A-Za-z0-9]+)(?:/|$)`)

// RedditVideo is the id of a video of Reddit's own, whichever of its addresses a post brings; "" if it is none.
func RedditVideo(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	host, page := strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), playerPath.FindStringSubmatch(u.Path)
	switch own := host == redditVideos || httpx.Allowed(host, []string{".reddit.com"}); {
	case own && page != nil:
		return page[1]
	case host == redditVideos, host == "packaged-media.redd.it":
		id, _, _ := strings.Cut(strings.TrimLeft(u.Path, "/"), "/")
		if id != "" && strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" {
			return id
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
