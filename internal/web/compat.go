package web

import (
	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/web/pages"
	"github.com/found-footy/found-footy/internal/web/stream"
)

// Names that internal/app still uses.
type (
	Component = health.Part
	Health    = health.Report
	State     = health.State
	Hub       = stream.Hub
	Note      = stream.Note
	Timing    = pages.Timing
)

// The states and entities.
const (
	StateOK       = health.StateOK
	StateMissing  = health.StateMissing
	StateDegraded = health.StateDegraded
	StateDown     = health.StateDown
	EntityFixture = stream.EntityFixture
	EntityEvent   = stream.EntityEvent
	EntityHealth  = stream.EntityHealth
)

// Worst is health.Worst.
func Worst(parts []Component) State { return health.Worst(parts) }

// DefaultTiming is that of the pages.
func DefaultTiming() Timing { return pages.DefaultTiming() }
