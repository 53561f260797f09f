package audit

import (
	"maps"
	"slices"
)

// Checks are all.
func Checks() []Check { return slices.Collect(maps.Keys(remedies)) }
