package football

import "github.com/found-footy/found-footy/internal/world/script"

// StatusOf is what the feed says of a fixture's phase at a product minute, when it has listed each event n times.
func StatusOf(f script.Fixture, minute float64, n int) string {
	return report(f, minute, func(string) int { return n }).status.Short
}
