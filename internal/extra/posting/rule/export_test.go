package rule

// Count is how long a text is.
func (l Limit) Count(text, link string) int { return l.count(text, link) }
