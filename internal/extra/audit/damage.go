package audit

import (
	"slices"
	"strconv"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// unsure lists what only seems not to hold while documents of a collection cannot be read: they may own an object.
var unsure = map[store.Collection][]Check{
	store.FixturesColl: {ObjectOwner},
	store.PostsColl:    {ObjectOwner, ClipPost, EventIncomplete},
	store.EventLog:     {ObjectOwner},
}

// damaged tells each document that cannot be read and takes back what is not sure without it.
func damaged(list []store.Damage, found []Breach) []Breach {
	for _, d := range list {
		found = slices.DeleteFunc(found, func(b Breach) bool { return slices.Contains(unsure[d.Collection], b.Check) })
		if d.Renewed {
			continue
		}
		b := Breach{Check: DocumentDamaged, Key: string(d.Collection) + " " + d.ID, Detail: d.Detail, Remedy: DocumentDamaged.Remedy()}
		if what := d.Counts(); what != "" {
			b.Detail += " (" + what + ")"
		}
		if d.Collection == store.FixturesColl {
			b.FixtureID, _ = strconv.ParseInt(d.ID, 10, 64) // the ids of fixtures are numbers
			b.Remedy += ", or footy ingest " + d.ID + " to begin the match anew"
		}
		found = append(found, b)
	}
	return found
}

// there notes the fixtures that are there, although they cannot be read: their posts are no orphans.
func there(list []store.Damage, open []footy.Post, known map[int64]bool) {
	for _, p := range open {
		id := strconv.FormatInt(p.FixtureID, 10)
		if slices.ContainsFunc(list, func(d store.Damage) bool { return d.Collection == store.FixturesColl && d.ID == id }) {
			known[p.FixtureID] = true
		}
	}
}
