package posting

// Render lets tests see what a post says.
var Render = render

// Count is how long a text is.
func (l Limit) Count(text, link string) int { return l.count(text, link) }
