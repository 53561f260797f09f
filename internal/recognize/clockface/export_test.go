package clockface

// These are for tests.
var (
	Differ = differ
	Lifted = lifted
)
