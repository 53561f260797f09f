// Package port says what an extra plugs into, and what it is lent. An extra is a part that the product does without: one folder in
// internal/extra and one line in cmd/footy/extras.go.
package port

import "github.com/found-footy/found-footy/internal/run/config"

// Extra is what an extra adds. What it leaves nil it does not need.
type Extra struct {
	Name     string // of its folder
	Settings *config.Group
	Commands []Command
}

// Command is one subcommand of footy. An extra has its own; none adds below another's.
type Command struct {
	Name, Help string
	Run        any // a pointer to a kong command
}
