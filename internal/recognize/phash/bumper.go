package phash

import "slices"

// Channels put the same bumper, a moving intro or outro, before or after everything they upload. Two goals then share a stretch at
// the very beginning or end of both and nothing else; two copies of one goal that begin together also go on together.

const (
	// neededForBumper is the evidence asked for where only such a stretch is shared: some seven seconds of it.
	neededForBumper = 36.0
	// bumperMargin is how many beats a bumper may be from the end of its video, still ones not counted.
	bumperMargin = 3
	// restMinWeight is the least weight of what is beside the stretch before that says anything (half the stretch's own at least), and
	// restChance the share of it that may agree by chance.
	restMinWeight = 10.0
	restChance    = 0.25
)

// sharedBumper reports whether a stretch looks like a shared intro or outro.
func (p *Prepared) sharedBumper(q *Prepared, r alignment, c overlapWeight) bool {
	if c.restAll < restMinWeight || c.restAgree > restChance*c.restAll || c.restAll < (c.all-c.restAll)/2 {
		return false
	}
	first, last := p.movingSamples()
	firstQ, lastQ := q.movingSamples()
	margin := bumperMargin * p.beat
	begins := r.from <= first+margin && r.sampleBeside(r.from) <= firstQ+margin
	ends := r.to >= last-margin && r.sampleBeside(r.to) >= lastQ-margin
	return begins || ends
}

// movingSamples returns the first and the last sample that carry weight.
func (p *Prepared) movingSamples() (first, last int) {
	last = len(p.weights) - 1
	for first < last && p.weights[first] < 64 {
		first++
	}
	for last > first && p.weights[last] < 64 {
		last--
	}
	return first, last
}

// withoutStretch is the video with a stretch of it left out of account.
func (p *Prepared) withoutStretch(from, to int) *Prepared {
	out := *p
	out.weights = slices.Clone(p.weights)
	clear(out.weights[max(0, from):min(len(out.weights), to+1)])
	return &out
}
