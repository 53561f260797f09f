package footy

import "time"

// TeamAliases is what is known about how people call a team, with where it came from.
type TeamAliases struct {
	TeamID     int64     `json:"_id"`
	Team       string    `json:"team"`
	Country    string    `json:"country,omitempty"`
	National   bool      `json:"national,omitempty"`
	Aliases    []string  `json:"aliases"` // folded single words, best first
	Abbr       string    `json:"abbreviation,omitempty"`
	WikidataID string    `json:"wikidata_id,omitempty"`
	Provenance string    `json:"provenance"` // "static", "wikidata", "wikidata+model", "name"
	UpdatedAt  time.Time `json:"updated_at"`
}
