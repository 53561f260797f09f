package check

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/keep/store"
)

// maxNamed is how many damaged documents health names; the log and footy audit name all of them.
const maxNamed = 5

// damageText names the documents that cannot be read.
func damageText(list []store.Damage) string {
	var names []string
	for _, d := range list[:min(len(list), maxNamed)] {
		names = append(names, string(d.Collection)+" "+d.ID)
	}
	if more := len(list) - maxNamed; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return "damaged and left out: " + strings.Join(names, ", ")
}

func damageRemedy(list []store.Damage) string {
	at := slices.IndexFunc(list, func(d store.Damage) bool { return d.Collection == store.FixturesColl })
	if at < 0 {
		return "Restore a backup from before (footy restore); footy audit lists all of them."
	}
	return "Restore a backup from before (footy restore), or begin a match anew with footy ingest " + list[at].ID + "; footy audit lists all of them."
}

// LogDamage logs each damaged document once; logged remembers them.
func LogDamage(log *slog.Logger, list []store.Damage, logged map[store.Damage]bool) {
	for _, d := range list {
		if !logged[d] {
			logged[d] = true
			log.Error("a stored document is damaged and left out", "action", "read", "collection", d.Collection, "id", d.ID,
				"error", d.Detail, "remedy", damageRemedy([]store.Damage{d}))
		}
	}
}
