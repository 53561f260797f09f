// Package temporal runs a Temporal server and its Web UI inside this process, with all state in one SQLite file.
package temporal

import (
	"time"

	"github.com/found-footy/found-footy/devstack/problem"
)

// MinRetention keeps closed workflows visible for a week: "why no clip" is often asked days later, and an id may not be
// reused while its predecessor is still needed for duplicate detection.
const MinRetention = 7 * 24 * time.Hour

// NoUI as UIPort starts no Web UI.
const NoUI = -1

// Options is what a caller chooses; everything else is fixed in config.go and dynamic.go.
type Options struct {
	DB             string // SQLite file; created when missing
	Port           int    // frontend; 0 picks a free one
	UIPort         int    // Web UI; NoUI for none
	UIPortFallback bool   // take any free port when UIPort is in use
	TokenFile      string // of the token that clients must send; "" admits every client on this machine
	Namespace      string
	Retention      time.Duration
	LogLevel       string       // debug, info, warn, error
	Version        string       // of this program, shown by the UI
	Warn           func(string) // called when a disk fills up; may be nil
}

// Validate reports the first option that cannot be used.
func (o Options) Validate() error {
	switch {
	case o.DB == "":
		return &problem.Error{Thing: "--db", What: "no database file given", Code: problem.Usage}
	case o.Namespace == "":
		return &problem.Error{Thing: "--namespace", What: "must not be empty", Code: problem.Usage}
	case o.Retention < MinRetention:
		return &problem.Error{Thing: "--retention " + o.Retention.String(), What: "shorter than a week",
			Remedy: "give 168h or more", Code: problem.Usage}
	}
	return nil
}
