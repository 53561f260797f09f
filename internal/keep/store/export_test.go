package store

// Known reports whether the table of facts has a key.
func Known(key string) bool {
	_, known := factOf(key)
	return known
}

// Facts is how many the table has.
func Facts() int { return len(facts) }
