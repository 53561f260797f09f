package blob

// ReelPrefix is where reels and the pieces that they are made of lie. All of it can be made again.
const ReelPrefix = "reels/"

// Where reels that were made and pieces lie.
const (
	MadePrefix  = ReelPrefix + "made/"
	PiecePrefix = ReelPrefix + "pieces/"
)

// Names of what is kept of a reel.
const (
	ReelFilm   = "reel.mp4"
	ReelPoster = "poster.jpg"
	ReelRecord = "reel.json" // written last: without it there is no reel
)

// ReelKey is where a part of a reel lies.
func ReelKey(reel, name string) string { return MadePrefix + reel + "/" + name }

// PieceKey is where a piece lies, beside others of the same clip.
func PieceKey(digest, piece string) string { return PiecePrefix + digest + "/" + piece + ".nut" }
