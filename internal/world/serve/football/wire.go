package football

// The vendor's JSON, field for field. Pointers are the fields that can be null.

type envelope struct {
	Get        string `json:"get"`
	Parameters any    `json:"parameters"`
	Errors     any    `json:"errors"`
	Results    int    `json:"results"`
	Paging     paging `json:"paging"`
	Response   []any  `json:"response"`
}

type paging struct {
	Current int `json:"current"`
	Total   int `json:"total"`
}

type fixture struct {
	Fixture match    `json:"fixture"`
	League  league   `json:"league"`
	Teams   teams    `json:"teams"`
	Goals   pair     `json:"goals"`
	Score   score    `json:"score"`
	Events  *[]event `json:"events,omitempty"`
}

type match struct {
	ID        int     `json:"id"`
	Referee   *string `json:"referee"`
	Timezone  string  `json:"timezone"`
	Date      string  `json:"date"`
	Timestamp int64   `json:"timestamp"`
	Periods   periods `json:"periods"`
	Venue     venue   `json:"venue"`
	Status    status  `json:"status"`
}

type periods struct {
	First  *int64 `json:"first"`
	Second *int64 `json:"second"`
}

type venue struct {
	ID   *int    `json:"id"`
	Name *string `json:"name"`
	City *string `json:"city"`
}

type status struct {
	Long    string `json:"long"`
	Short   string `json:"short"`
	Elapsed *int   `json:"elapsed"`
	Extra   *int   `json:"extra,omitempty"`
}

type league struct {
	ID      int     `json:"id"`
	Name    string  `json:"name"`
	Country string  `json:"country"`
	Logo    string  `json:"logo"`
	Flag    *string `json:"flag"`
	Season  int     `json:"season"`
	Round   string  `json:"round"`
}

type teams struct {
	Home team `json:"home"`
	Away team `json:"away"`
}

type team struct {
	ID     int    `json:"id"`
	Name   string `json:"name"`
	Logo   string `json:"logo"`
	Winner *bool  `json:"winner"`
}

type pair struct {
	Home *int `json:"home"`
	Away *int `json:"away"`
}

type score struct {
	Halftime  pair `json:"halftime"`
	Fulltime  pair `json:"fulltime"`
	Extratime pair `json:"extratime"`
	Penalty   pair `json:"penalty"`
}

type event struct {
	Time     when    `json:"time"`
	Team     side    `json:"team"`
	Player   person  `json:"player"`
	Assist   person  `json:"assist"`
	Type     string  `json:"type"`
	Detail   string  `json:"detail"`
	Comments *string `json:"comments"`
}

type when struct {
	Elapsed *int `json:"elapsed"` // null where the vendor does not know it yet
	Extra   *int `json:"extra"`
}

type side struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Logo string `json:"logo"`
}

type person struct {
	ID   *int    `json:"id"`
	Name *string `json:"name"`
}

var long = map[string]string{
	"TBD": "Time To Be Defined", "NS": "Not Started", "1H": "First Half", "HT": "Halftime", "2H": "Second Half",
	"ET": "Extra Time", "BT": "Break Time", "P": "Penalty In Progress", "SUSP": "Match Suspended", "INT": "Match Interrupted",
	"FT": "Match Finished", "AET": "Match Finished", "PEN": "Match Finished", "PST": "Match Postponed",
	"CANC": "Match Cancelled", "ABD": "Match Abandoned", "AWD": "Technical Loss", "WO": "WalkOver", "LIVE": "In Progress",
}
