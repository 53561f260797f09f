// Package rule decides whose backups are, and which of them go.
package rule

import "github.com/found-footy/found-footy/internal/decide/keeping"

// Content is how much a backup holds that can be lost.
type Content int

// From nothing to all.
const (
	NoContent Content = iota
	Matches
	Clips
)

// Copy is a backup.
type Copy struct {
	Installation string // whose id is in it; "" = it is from before ids
	Content      Content
	Known        bool // the database has clips or matches of it; asked only where it has no id
}

// WhoseBackups answers to whose the backups of one directory are: Ours, Others, or Unmarked where nothing lies there that can be lost.
// Those from before ids were made by one database.
func WhoseBackups(own string, all []Copy) keeping.Whose {
	known, unknown := false, false
	for _, c := range all {
		switch {
		case c.Installation == "":
			known, unknown = known || c.Known, unknown || c.Content > NoContent
		case c.Installation != own:
			return keeping.Others
		default:
			known = true
		}
	}
	switch {
	case known:
		return keeping.Ours
	case unknown:
		return keeping.Others
	}
	return keeping.Unmarked
}

// Surplus says which backups of a directory, the newest first, go when an installation keeps so many: its own, and those from before ids.
// A backup is pushed out by later ones that hold as much: an empty database removes none that has matches, one without clips none with clips.
func Surplus(own string, all []Copy, keep int) []bool {
	out := make([]bool, len(all))
	var later [Clips + 1]int
	for i, c := range all {
		if c.Installation != own && c.Installation != "" {
			continue
		}
		out[i] = later[c.Content] >= keep
		for at := NoContent; at <= c.Content; at++ {
			later[at]++
		}
	}
	return out
}
