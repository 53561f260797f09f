package footy

import "time"

// Candidate is a post with video, unchecked.
type Candidate struct {
	PostID     string    `json:"id"` // snowflake, as a string: 64 bits do not survive JSON numbers; _2 and so on for further videos of a post
	URL        string    `json:"url"`
	Author     string    `json:"author,omitempty"`
	Text       string    `json:"text,omitempty"`
	PostedAt   time.Time `json:"posted_at,omitzero"`
	DurationMS int       `json:"duration_ms,omitempty"` // 0 = unknown
	Width      int       `json:"width,omitempty"`
	Height     int       `json:"height,omitempty"`
	Quoted     bool      `json:"quoted,omitempty"`     // found only in a post that quotes this one
	OfferedBy  string    `json:"offered_by,omitempty"` // uid of the sibling goal that passed it on

	Files []string `json:"files,omitempty"` // addresses of its file that the search's answer gave, best first; they may expire

	Title *TitleEvidence `json:"title_says,omitempty"` // how its title agrees with the goal, where that is why it was taken

	Link      string `json:"link,omitempty"`       // of a comment: what it links to, which is fetched; "" = it is a post
	CommentOf string `json:"comment_of,omitempty"` // of a comment: the address of its post
}

// TitleEvidence is which facts a post's title tells as the feed does, and which it tells otherwise: teams, score, scorer, minute.
type TitleEvidence struct {
	Source  string   `json:"source"`
	Agrees  []string `json:"agrees"`
	Differs []string `json:"differs,omitempty"`
	Strange string   `json:"strange,omitempty"` // a name that is not the team's own
	Team    string   `json:"team,omitempty"`    // whose name it must be
}

// Probe is what ffprobe and the one decode found in a file.
type Probe struct {
	Width     int     `json:"width"`
	Height    int     `json:"height"`
	Duration  float64 `json:"duration"` // seconds, of the video itself; 0: unknown
	Bitrate   int64   `json:"bitrate"`  // bits per second
	FrameRate float64 `json:"frame_rate,omitempty"`
	Codec     string  `json:"codec,omitempty"`
	Container string  `json:"container,omitempty"`
	Stream    int     `json:"stream,omitempty"`   // which of the file's streams it is
	Pixels    string  `json:"pix_fmt,omitempty"`  // how its pixels are coded
	Sound     string  `json:"sound,omitempty"`    // codec of its sound; "": none
	Recolour  string  `json:"recolour,omitempty"` // colour tags that a decode must set in place of impossible ones
	Start     float64 `json:"start,omitempty"`    // seconds into the file
	Untold    bool    `json:"untold,omitempty"`   // the file does not say its length, or another: sound may go on behind it
	Damaged   bool    `json:"damaged,omitempty"`  // its decoder complained: browsers stop where ffmpeg goes on
	Untimed   bool    `json:"untimed,omitempty"`  // some of its pictures have no time, as in AVI: they cannot be copied into another file
}

// Aspect is width over height; 0 where unknown.
func (p Probe) Aspect() float64 {
	if p.Height == 0 {
		return 0
	}
	return float64(p.Width) / float64(p.Height)
}

// Media is a downloaded file in staging with its probe. Digest addresses it: exact content hash, hex SHA-256.
type Media struct {
	Digest   string `json:"digest"`
	Size     int64  `json:"size"`      // bytes of what is staged
	StageKey string `json:"stage_key"` // the file, or what was made of it for browsers to play
	Probe    Probe  `json:"probe"`
	Unplayed bool   `json:"unplayed,omitempty"` // browsers cannot be expected to play it
	// Keys of what the one decode produced, in staging beside the file.
	FingerprintKey string        `json:"fingerprint_key,omitempty"`
	PosterKey      string        `json:"poster_key,omitempty"`
	StillKey       string        `json:"still_key,omitempty"`   // a small lasting picture for the goal page, also of what is refused
	Clock          *RunningClock `json:"clock,omitempty"`       // what was read of the broadcast clock; nil: nobody tried
	FootageKey     string        `json:"footage_key,omitempty"` // by what its footage is recognised, kept beside the still
	FrameKeys      []string      `json:"frame_keys,omitempty"`  // JPEGs, in time order
	FrameTimes     []float64     `json:"frame_times,omitempty"` // seconds into the video
	// FetchBegan is when its fetch began; it was decoded and staged right after.
	FetchBegan    time.Time `json:"fetch_began,omitzero"`
	FetchSeconds  float64   `json:"fetch_s,omitempty"`
	DecodeSeconds float64   `json:"decode_s,omitempty"` // with the running clock, until it is staged
}

// Outcome of a validator.
type Outcome string

// The outcomes. A post that nobody could look at has none, and waits.
const (
	OutcomeVerified   Outcome = "verified"
	OutcomeUnverified Outcome = "unverified"
	OutcomeRejected   Outcome = "rejected"
)

// Reading is what a validator read in one frame; empty strings mean "not shown".
type Reading struct {
	At            float64 `json:"at"` // seconds into the video
	Soccer        bool    `json:"soccer"`
	Screen        bool    `json:"screen"` // a phone filming a screen
	Clock         string  `json:"clock,omitempty"`
	Added         string  `json:"added,omitempty"`
	StoppageClock string  `json:"stoppage_clock,omitempty"`
	Period        string  `json:"period,omitempty"`
	Shows         string  `json:"shows,omitempty"` // the Name of a kind, or ShowsNothing; "": not asked
}

// ShowsNothing is said of a frame that shows nothing of the kinds that were asked about.
const ShowsNothing = "nothing"

// Verdict is a validator's answer with its evidence.
type Verdict struct {
	Outcome  Outcome       `json:"outcome"`
	Reason   Reason        `json:"reason"`
	Detail   string        `json:"detail,omitempty"`   // one sentence for people: "clock 67:42, reported at 68'"
	Minute   *int          `json:"minute,omitempty"`   // broadcast clock minute that was matched
	Expected int           `json:"expected,omitempty"` // broadcast clock minute the event calls for
	Sibling  string        `json:"sibling,omitempty"`  // uid of the goal of the same match it belongs to instead
	Compiled bool          `json:"compiled,omitempty"` // the clock jumps by minutes: several moments in one file
	Readings []Reading     `json:"readings,omitempty"`
	Model    string        `json:"model,omitempty"`
	Proof    Proof         `json:"proof,omitempty"` // "": by what a model read in frames
	Running  *RunningClock `json:"running,omitempty"`
	Teams    bool          `json:"teams,omitempty"`     // the words beside the running clock are the teams'
	ScoreFit ScoreFit      `json:"score_fit,omitempty"` // of the score beside the running clock
	SameAs   string        `json:"same_as,omitempty"`   // id of the clip whose frames were read: it is the same footage
	// ModelSeconds is how long the model took for its answers about this very file.
	ModelSeconds float64 `json:"model_s,omitempty"`
}

// Pool separates clips whose moment is proven from the rest; dedup never crosses it.
type Pool string

// The pools.
const (
	PoolVerified   Pool = "verified"
	PoolUnverified Pool = "unverified"
)

// Clip is an accepted, stored video of an event. Copies that dedup retired stay listed, hidden, until the event completes.
type Clip struct {
	ID          string    `json:"id"` // first 16 hex digits of the digest
	Digest      string    `json:"digest"`
	Key         string    `json:"_s3_key"` // "" once the bytes of a retired copy are deleted
	URL         string    `json:"s3_url"`  // our own stable web path; objects are private
	PosterKey   string    `json:"poster_key,omitempty"`
	Fingerprint string    `json:"perceptual_hash"` // version and reference; the sequence lies in its own table
	HashVersion string    `json:"hash_version"`
	Width       int       `json:"width"`
	Height      int       `json:"height"`
	Size        int64     `json:"file_size"` // bytes
	Duration    float64   `json:"duration"`  // seconds
	Bitrate     int64     `json:"bitrate"`   // bits per second
	Aspect      float64   `json:"aspect_ratio"`
	Pixels      int       `json:"resolution_score"`
	FrameRate   float64   `json:"frame_rate,omitempty"` // frames per second; 0 = unknown
	Popularity  int       `json:"popularity"`           // distinct source posts that directly match
	Rank        int       `json:"rank"`                 // 1 = best; 0 = hidden
	SourceURL   string    `json:"source_url"`
	Posts       []string  `json:"posts"` // ids of the posts that carried this very file
	Verified    bool      `json:"timestamp_verified"`
	Minute      *int      `json:"extracted_minute"`
	Status      Outcome   `json:"timestamp_status"`
	Evidence    string    `json:"evidence,omitempty"`
	Compiled    bool      `json:"compiled,omitempty"`
	Unplayed    bool      `json:"unplayed,omitempty"` // browsers cannot be expected to play it
	Pinned      bool      `json:"pinned,omitempty"`
	Hidden      bool      `json:"hidden,omitempty"`      // by an operator
	ReplacedBy  string    `json:"replaced_by,omitempty"` // id of the clip that stands for it now
	Swept       bool      `json:"swept,omitempty"`       // its bytes are gone; its link redirects
	AddedAt     time.Time `json:"added_at"`
}

// ClipOf is a clip as far as its file says.
func ClipOf(m Media) Clip {
	return Clip{ID: ClipID(m.Digest), Digest: m.Digest, Fingerprint: FingerprintVersion + ":" + ClipID(m.Digest), HashVersion: FingerprintVersion, Width: m.Probe.Width, Height: m.Probe.Height,
		Size: m.Size, Duration: m.Probe.Duration, Bitrate: m.Probe.Bitrate, FrameRate: m.Probe.FrameRate, Aspect: m.Probe.Aspect(),
		Pixels: m.Probe.Width * m.Probe.Height, Unplayed: m.Unplayed}
}

// Visible reports whether people may see the clip.
func (c Clip) Visible() bool { return !c.Hidden && c.ReplacedBy == "" && !c.Swept }

// Pool is where the clip is compared.
func (c Clip) Pool() Pool {
	if c.Verified {
		return PoolVerified
	}
	return PoolUnverified
}

// ClipID is the public id of the clip with this digest.
func ClipID(digest string) string {
	if len(digest) > 16 {
		return digest[:16]
	}
	return digest
}
