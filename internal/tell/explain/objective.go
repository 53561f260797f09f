package explain

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
)

// Objective says how the objective of coverage fared in the last days.
func Objective(o stats.Objective, k stats.Kept, days int) string {
	share, within, last := int(100*o.Share+0.5), Span(o.Within), "the last "+Plural(days, "day", "days")
	if days == 1 {
		last = "the last 24 hours"
	}
	if k.Goals() == 0 {
		return fmt.Sprintf("%d %% of the goals should have a verified clip within %s; no goal of %s is that old yet.", share, within, last)
	}
	return fmt.Sprintf("In %s %d %% of %s had a verified clip within %s; the objective is %d %%.", last, k.Percent(), Plural(k.Goals(), "goal", "goals"), within, share)
}
