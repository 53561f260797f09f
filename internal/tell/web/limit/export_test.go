package limit

// Addresses is how many are remembered.
func (l *Limits) Addresses() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.known)
}
