package target

// Key names the target without a secret.
func (t *Target) Key() string { return t.key }
