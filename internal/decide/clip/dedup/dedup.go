// Package dedup decides which clips of one event stand for which. The plan is a function of everything the event ever
// accepted, never of the order of arrival, and it never looks across events or pools: deduplication across goals has
// deleted real goals before.
package dedup

import (
	"cmp"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// Item is one accepted clip with its fingerprint.
type Item struct {
	Clip        footy.Clip
	Fingerprint footy.Fingerprint
}

// Decision says what becomes of one clip.
type Decision struct {
	ClipID      string
	ReplacedBy  string           // id of the clip that stands for it; empty: it stands for itself
	Popularity  int              // distinct source posts whose picture directly matches
	Compilation bool             // several moments in one file: may be retired, never retires
	Better      footy.Merit      // what that one has over it
	Match       footy.Comparison // with the clip in ReplacedBy, where they were compared directly
}

// Plan decides for the clips of one event and one pool, with fingerprints from prepare. Decisions come sorted by clip id.
func Plan(items []Item, prepare phash.Preparer) []Decision {
	t := newTable(items, prepare)
	t.findCompilations()
	t.chooseWinners()
	out := make([]Decision, len(t.items))
	for i := range t.items {
		out[i] = t.decision(i)
	}
	slices.SortFunc(out, func(a, b Decision) int { return cmp.Compare(a.ClipID, b.ClipID) })
	return out
}

// comparisons holds every pair's comparison; items are sorted by quality, best first, so that a lower index is a better clip.
type comparisons struct {
	items    []Item
	match    [][]footy.Comparison // match[i][j] for i < j
	compiled []bool
	winner   []int // index of the clip that stands for this one; its own for a winner
}

func newTable(items []Item, prepare phash.Preparer) *comparisons {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b Item) int { return Compare(a.Clip, b.Clip) })
	t := &comparisons{items: items, match: make([][]footy.Comparison, len(items)), compiled: make([]bool, len(items)), winner: make([]int, len(items))}
	prepared := make([]*phash.Prepared, len(items))
	for i := range items {
		prepared[i] = prepare(items[i].Clip.Digest, items[i].Fingerprint)
		t.winner[i] = i
	}
	for i := range items {
		t.match[i] = make([]footy.Comparison, len(items))
		for j := i + 1; j < len(items); j++ {
			t.match[i][j] = prepared[i].Compare(prepared[j])
		}
	}
	return t
}

func (t *comparisons) pair(i, j int) footy.Comparison {
	if i < j {
		return t.match[i][j]
	}
	return t.match[j][i]
}

func (t *comparisons) same(i, j int) bool { return i == j || t.pair(i, j).Same }

// chooseWinners lets each connected group of single-goal clips be represented by its best clip, then assigns
// compilations to the winner of what they contain.
func (t *comparisons) chooseWinners() {
	single := func(i int) bool { return !t.compiled[i] }
	for _, group := range t.groups(single) {
		t.electWinner(group)
	}
	for i := range t.items {
		if !t.compiled[i] || t.items[i].Clip.Pinned {
			continue
		}
		best := -1
		for j := range t.items {
			if !single(j) || !t.same(i, j) || t.winner[j] == j && !eligible(t.items[j].Clip) {
				continue
			}
			if best < 0 || t.pair(i, j).Score > t.pair(i, best).Score {
				best = j
			}
		}
		if best >= 0 {
			t.winner[i] = t.winner[best]
		}
	}
	alone := func(i int) bool { return t.compiled[i] && t.winner[i] == i && !t.items[i].Clip.Pinned }
	for _, group := range t.groups(alone) {
		t.electWinner(group)
	}
}

// groups returns the connected groups of the chosen clips, best member first.
func (t *comparisons) groups(chosen func(int) bool) [][]int {
	var out [][]int
	seen := make([]bool, len(t.items))
	for i := range t.items {
		if seen[i] || !chosen(i) {
			continue
		}
		seen[i] = true
		group := []int{i}
		for k := 0; k < len(group); k++ {
			for j := range t.items {
				if !seen[j] && chosen(j) && t.same(group[k], j) {
					seen[j] = true
					group = append(group, j)
				}
			}
		}
		slices.Sort(group)
		out = append(out, group)
	}
	return out
}

// eligible reports whether a clip may stand for others: an operator's hidden clip and one whose bytes are gone may not.
func eligible(c footy.Clip) bool { return !c.Hidden && !c.Swept }

// electWinner makes the best eligible clip of a group its winner; pinned clips always stand for themselves.
func (t *comparisons) electWinner(group []int) {
	best := -1
	for _, i := range group {
		c := t.items[i].Clip
		if eligible(c) && (best < 0 || c.Pinned && !t.items[best].Clip.Pinned) {
			best = i
		}
	}
	if best < 0 {
		return
	}
	for _, i := range group {
		c := t.items[i].Clip
		if !c.Hidden && !(c.Pinned && eligible(c)) {
			t.winner[i] = best
		}
	}
	t.winner[best] = best
}

func (t *comparisons) decision(i int) Decision {
	c := t.items[i].Clip
	d := Decision{ClipID: c.ID, Compilation: t.compiled[i], Popularity: t.popularity(i)}
	w := t.winner[i]
	if w == i {
		return d
	}
	winner := t.items[w].Clip
	d.ReplacedBy, d.Match = winner.ID, t.pair(i, w)
	d.Better = whyBetter(winner, c)
	return d
}

// popularity counts distinct posts. A post counts once for each clip its file directly matches, so totals overlap.
func (t *comparisons) popularity(i int) int {
	posts := map[string]bool{}
	for j := range t.items {
		if !t.same(i, j) {
			continue
		}
		for _, p := range t.items[j].Clip.Posts {
			posts[p] = true
		}
	}
	return max(1, len(posts))
}

// maxPartOverlap is how much two stretches of one file may overlap and still count as separate parts of it, in seconds.
const maxPartOverlap = 1.0

// findCompilations marks the files that hold several moments: those whose clock jumped, and those that bridge two clips
// which do not match each other. They would merge two goals into one.
func (t *comparisons) findCompilations() {
	for i := range t.items {
		t.compiled[i] = t.items[i].Clip.Compiled || t.bridges(i)
	}
}

// bridges reports whether file i holds footage of two clips, in separate parts, that have nothing in common. A clip
// whose clock was read, without a jump, is one moment however its copies were cut.
func (t *comparisons) bridges(i int) bool {
	clip := t.items[i].Clip
	if clip.Verified && clip.Minute != nil {
		return false
	}
	for j := range t.items {
		if j == i || !t.sharesFootage(i, j) || t.items[j].Clip.Compiled {
			continue
		}
		for k := j + 1; k < len(t.items); k++ {
			if k == i || !t.sharesFootage(i, k) || t.same(j, k) || t.items[k].Clip.Compiled {
				continue
			}
			a, b := t.positionIn(i, j), t.positionIn(i, k)
			if min(a.to, b.to)-max(a.from, b.from) > maxPartOverlap {
				continue // both show the same part of i: one of the comparisons was wrong
			}
			if bumperJ, bumperK := t.pair(i, j).SharedBumper, t.pair(i, k).SharedBumper; bumperJ || bumperK {
				// What it shares with one may be a bumper. It is part of that goal if the other clip, played on, contradicts it.
				if !bumperJ && a.goesOnInto(b) || !bumperK && b.goesOnInto(a) {
					return true
				}
				continue
			}
			longer := clip.Duration > t.items[j].Clip.Duration && clip.Duration > t.items[k].Clip.Duration
			if longer || a.goesOnInto(b) || b.goesOnInto(a) {
				return true
			}
		}
	}
	return false
}

// sharesFootage reports whether two clips have something in common, even if it is only a bumper.
func (t *comparisons) sharesFootage(i, j int) bool { return t.same(i, j) || t.pair(i, j).SharedBumper }

// position is where another clip is in a file, in the file's seconds.
type position struct {
	from, to   float64 // agreeing stretch
	begin, end float64 // where the whole other clip would lie
}

// goesOnInto reports whether the clip of a, played on, contradicts what the file shows at b: the file was cut.
func (a position) goesOnInto(b position) bool {
	return min(a.end, b.to)-max(a.begin, b.from) > maxPartOverlap
}

func (t *comparisons) positionIn(i, j int) position {
	m := t.pair(i, j)
	if i < j {
		d := t.items[j].Fingerprint.Seconds()
		return position{m.From, m.To, m.Offset, m.Offset + d*m.Speed}
	}
	// The comparison ran the other way: turn its times around.
	back := func(at float64) float64 { return (at - m.Offset) / m.Speed }
	d := t.items[j].Fingerprint.Seconds()
	return position{back(m.From), back(m.To), back(0), back(d)}
}
