package store

// Known reports whether the lists of facts have a key.
func Known(key string) bool { return factOf(key) != "" }

// Facts is how many they have.
func Facts() int { return len(learned) + len(kept) }
