package dedup

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
