package phash

// Bytes is what the keys and sketches take.
func (p Part) Bytes() int {
	n := 4 * len(p.entries)
	for _, s := range p.Sketches {
		n += len(s)
	}
	return n
}
