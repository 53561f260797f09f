package footy

import "fmt"

// RunningClock is what was read of a broadcast clock from its beat, without a model; or why nothing was. Only a clock that stands
// as still as graphics do is read: that of a filmed screen trembles.
type RunningClock struct {
	Readings   []ClockAt    `json:"readings,omitempty"` // one for each second it was read in, in time order
	Seconds    int          `json:"seconds,omitempty"`  // of the clock that the video is long; 0 = unknown
	Speed      float64      `json:"speed,omitempty"`    // of the footage: 1 = as broadcast, .5 = half as fast
	Phase      float64      `json:"phase,omitempty"`    // seconds into the video at which the clock changes first
	Confidence float64      `json:"confidence,omitempty"`
	Half       int          `json:"half,omitempty"`        // 1 or 2, by the label beside it; 0 = no label was read
	PictureKey string       `json:"picture_key,omitempty"` // what was read, cut out of some frames
	Score      *ScoreBeside `json:"score,omitempty"`       // what stands beside it; nil: none was read surely
	Codes      []string     `json:"codes,omitempty"`       // words in capitals beside it that were read surely: mostly codes of teams
	Abstained  string       `json:"abstained,omitempty"`   // why nothing is said; "" = it was read, surely
}

// ScoreBeside is the score that was read beside a clock. Most graphics name the home side first.
type ScoreBeside struct {
	Left  int `json:"left"`
	Right int `json:"right"`
}

// ScoreFit is how the score beside a clock stands to a goal. One that does not fit holds a verdict back, and refuses nothing.
type ScoreFit string

// The fits; "" = no score was read, or the feed's is not known.
const (
	ScoreFitsBefore ScoreFit = "before" // it stood so before the goal
	ScoreFitsAfter  ScoreFit = "after"
	ScoreFitsThen   ScoreFit = "then" // before and after: a card, a penalty that was missed
	ScoreFitsNot    ScoreFit = "not"
)

// ClockAt is the text of a clock at a time of the video.
type ClockAt struct {
	At    float64 `json:"at"` // seconds into the video
	Clock string  `json:"clock"`
}

// Sure reports whether the clock was read.
func (c *RunningClock) Sure() bool { return c != nil && c.Abstained == "" && len(c.Readings) > 0 }

// Proof is what a verdict rests on.
type Proof string

// The proofs.
const (
	ProofModel Proof = "model" // what a vision model read
	ProofClock Proof = "clock" // the running clock, read from its beat; a model was asked only what the picture is, if at all
)

// ReadIn says in how much of the video the clock was read: "14 of 14 seconds".
func (c RunningClock) ReadIn() string {
	n := len(c.Readings)
	switch {
	case c.Seconds >= n && n > 0:
		return fmt.Sprintf("%d of %d seconds", n, c.Seconds)
	case n == 1:
		return "1 second"
	}
	return fmt.Sprintf("%d seconds", n)
}
