package explain

import "github.com/found-footy/found-footy/internal/decide/clip/reel"

// LeftOut says why a goal is not in a reel.
func LeftOut(why reel.Why) string {
	switch why {
	case reel.WhyNoClip:
		return "no verified clip"
	case reel.WhyLength:
		return "did not fit; ask for a longer reel"
	case reel.WhyBroken:
		return "its clip is broken or black"
	}
	return string(why)
}
