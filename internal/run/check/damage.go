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

// damageText names the documents that cannot be read, and if there are none, what was written anew.
func damageText(list []store.Damage) string {
	list, begins := foremost(list), "damaged and left out: "
	if list[0].Renewed {
		begins = "could not be read and was begun anew: "
	}
	var names []string
	for _, d := range list[:min(len(list), maxNamed)] {
		names = append(names, string(d.Collection)+" "+d.ID)
	}
	if more := len(list) - maxNamed; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return begins + strings.Join(names, ", ")
}

// foremost leaves out what was written anew, unless there is nothing else.
func foremost(list []store.Damage) []store.Damage {
	if still := slices.DeleteFunc(slices.Clone(list), func(d store.Damage) bool { return d.Renewed }); len(still) > 0 {
		return still
	}
	return list
}

func damageRemedy(list []store.Damage) string {
	if list = foremost(list); list[0].Renewed {
		return "Nothing is to be done; if it comes again, look at the disk of the database."
	}
	if !slices.ContainsFunc(list, func(d store.Damage) bool { return !d.Learned() }) {
		return "Nothing is to be done: the next cycle begins anew what can be learned again."
	}
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
			text := "a stored document is damaged and left out"
			if d.Learned() {
				text = "a stored document could not be read and is begun anew"
			}
			if d.Renewed {
				text = "a stored document could not be read and was begun anew"
			}
			log.Error(text, "action", "read", "collection", d.Collection, "id", d.ID, "error", d.Detail, "was", d.Counts(),
				"remedy", damageRemedy([]store.Damage{d}))
		}
	}
}
