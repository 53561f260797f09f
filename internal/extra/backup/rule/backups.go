// Package rule decides which backups go.
package rule

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
}

// Surplus says which backups of a directory, the newest first, go when an installation keeps so many: none but its own.
// A backup is pushed out by later ones that hold as much: an empty database removes none that has matches, one without clips none with clips.
func Surplus(own string, all []Copy, keep int) []bool {
	out := make([]bool, len(all))
	var later [Clips + 1]int
	for i, c := range all {
		if c.Installation != own {
			continue
		}
		out[i] = later[c.Content] >= keep
		for at := NoContent; at <= c.Content; at++ {
			later[at]++
		}
	}
	return out
}
