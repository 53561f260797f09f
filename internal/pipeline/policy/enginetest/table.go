package enginetest

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Table is how activities are run, as Markdown.
func Table(all []policy.Registration) string {
	var b strings.Builder
	b.WriteString("| activity | queue | one try | heartbeat | tries |\n|---|---|---|---|---|\n")
	for _, each := range all {
		r := each.Row
		tries, queue := "until it succeeds", strings.TrimPrefix(strings.TrimPrefix(r.Queue, policy.QueueMain), "-")
		if r.Tries > 0 {
			tries = strconv.Itoa(int(r.Tries))
		}
		if r.Budget > 0 {
			tries += ", " + r.Budget.String() + " in all"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", each.Name, cmp.Or(queue, "main"), r.Timeout, r.Heartbeat, tries)
	}
	return strings.ReplaceAll(b.String(), "| 0s |", "| none |")
}
