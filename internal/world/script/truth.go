package script

import "cmp"

// Reasons a post must be rejected for, in plain words.
const (
	TooShort    = "too_short"
	IsPortrait  = "portrait"
	NotSoccer   = "not_soccer"
	Screen      = "screen"
	WrongMinute = "wrong_minute"
	SiblingGoal = "sibling_goal"
	IsTruncated = "truncated"
	IsDeleted   = "deleted"
	IsGeo       = "geo_blocked"
	IsNoVideo   = "no_video"
	IsCompiled  = "compilation"
)

// Truth is what a post really is. Reason "" = it shows its goal; Optional = keeping it or rejecting it are both right.
type Truth struct {
	Fixture  int
	Event    string
	Index    int
	Post     Post
	Reason   string
	Optional bool
}

// Truth lists every post of the day with the reason it must be rejected for.
func (s *Script) Truth() []Truth {
	var out []Truth
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			for i, p := range e.Posts {
				r, opt := reason(p)
				out = append(out, Truth{f.ID, e.Key, i, p, r, opt})
			}
		}
	}
	return out
}

// Shows reports whether a clip of this post may stand at an event of its match as proven: it is its footage.
func (t Truth) Shows(event string) bool {
	filmed := cmp.Or(t.Post.Of, t.Event)
	switch t.Reason {
	case "", SiblingGoal:
		return event == filmed
	case IsCompiled:
		return event == filmed || event == t.Post.With
	}
	return false
}

func reason(p Post) (string, bool) {
	switch p.Kind {
	case Portrait:
		return IsPortrait, false
	case TwoSecond:
		return TooShort, false
	case Meme, NotFootball:
		return NotSoccer, false
	case PhoneFilm:
		return Screen, false
	case OldGoal:
		return WrongMinute, false
	case Neighbour:
		return SiblingGoal, false
	case Truncated, CutFile:
		return IsTruncated, false
	case Deleted:
		return IsDeleted, false
	case GeoBlocked:
		return IsGeo, false
	case NoVideo:
		return IsNoVideo, false
	case Compilation:
		return IsCompiled, true
	}
	return "", false
}
