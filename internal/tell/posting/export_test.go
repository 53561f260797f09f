package posting

import "golang.org/x/sync/semaphore"

// Render lets tests see what a post says.
var Render = render

// Count is how long a text is.
func (l Limit) Count(text, link string) int { return l.count(text, link) }

// Elsewhere makes it the target of another process, whose uploads wait for none of this one.
func (t *Target) Elsewhere() *Target {
	t.uploads = semaphore.NewWeighted(1)
	return t
}
