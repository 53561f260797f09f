package store

// Known reports whether the lists of facts have a key.
func Known(key string) bool { return factOf(key) != "" }

// Facts is how many they have.
func Facts() int { return len(learned) + len(kept) }

// Index derives what a stored document is found by beside what a database gives back: a test writes documents of one into another.
func Index(c Collection, d *Doc) error {
	if c != FixturesColl {
		return nil
	}
	f, err := decodeFixture(*d)
	if err == nil {
		indexFixture(d, f)
	}
	return err
}
