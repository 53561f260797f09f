package audit

// Checks are all, in the order in which they are reported.
func Checks() (out []Check) {
	for _, c := range checks {
		out = append(out, c.Check)
	}
	return out
}
