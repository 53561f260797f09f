package timeline

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/connect/source"
)

// Drift lists how an answer to a query that always has results departs from what the decoder expects; empty means that X
// still looks as known. It sees what the decoder's tolerance hides: fields that moved away leave posts readable but poor.
func Drift(p Page) []string {
	if !p.State.Usable() {
		return nil // a failure of X says nothing about its shape
	}
	if p.State == source.StateEmpty {
		return []string{"a query that always has results has none"}
	}
	var out []string
	say := func(bad bool, format string, args ...any) {
		if bad {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	s := p.Seen
	say(s.Unread > 0, "%d of %d posts have an unknown shape", s.Unread, s.Entries)
	say(s.Broken > 0, "%d posts have broken ids", s.Broken)
	say(2*s.Unavailable > s.Entries, "%d of %d posts are not shown", s.Unavailable, s.Entries)
	say(s.NoAuthor > 0, "%d of %d posts have no author", s.NoAuthor, s.Posts)
	say(s.NoTime > 0, "%d of %d posts have no date", s.NoTime, s.Posts)
	say(s.Posts > 0 && s.Videos == 0, "none of %d posts of a search for videos has a video", s.Posts)
	say(s.Videos > 0 && s.NoDuration == s.Videos, "no video has a duration")
	say(s.Videos > 0 && s.NoFile == s.Videos, "no video has an MP4 file")
	say(p.Cursor == "", "there is no next page")
	return out
}
