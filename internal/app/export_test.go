package app

import (
	"github.com/found-footy/found-footy/internal/health/check"
)

// Checker looks at the parts, as in a running process.
func (a *App) Checker() *check.Checker { return a.checker(nil, a.Media) }
