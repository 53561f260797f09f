package phash

import "slices"

// Channels put the same moving card before or behind everything they upload. Two goals then share a stretch at the very
// beginning or the very end of both, and nothing else; two copies of one goal that begin together go on together.

const (
	// enoughCard is the evidence asked for where only such a stretch is shared: some seven seconds of it.
	enoughCard = 36.0
	// cardEnd is how many samples a card may lie from the end of its video, still ones not counted.
	cardEnd = 3
	// cardRest is the weight of what lies beside the stretch before it says anything (half the stretch's own at least), and
	// cardAgree the share of it that may agree by chance.
	cardRest  = 10.0
	cardAgree = 0.25
)

// card reports whether a stretch looks like a shared intro or outro.
func (p *Prepared) card(q *Prepared, r run, c common) bool {
	if c.restAll < cardRest || c.restAgree > cardAgree*c.restAll || c.restAll < (c.all-c.restAll)/2 {
		return false
	}
	first, last := p.moving()
	firstQ, lastQ := q.moving()
	begins := r.from <= first+cardEnd && r.second(r.from) <= firstQ+cardEnd
	ends := r.to >= last-cardEnd && r.second(r.to) >= lastQ-cardEnd
	return begins || ends
}

// moving returns the first and the last sample that carry weight.
func (p *Prepared) moving() (first, last int) {
	last = len(p.weights) - 1
	for first < last && p.weights[first] < 64 {
		first++
	}
	for last > first && p.weights[last] < 64 {
		last--
	}
	return first, last
}

// without is the video with a stretch of it left out of account.
func (p *Prepared) without(from, to int) *Prepared {
	out := *p
	out.weights = slices.Clone(p.weights)
	clear(out.weights[max(0, from):min(len(out.weights), to+1)])
	return &out
}
