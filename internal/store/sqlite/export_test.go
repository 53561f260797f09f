package sqlite

// AfterStep has f called between the steps of a migration.
func AfterStep(f func(step string)) { afterStep = f }
