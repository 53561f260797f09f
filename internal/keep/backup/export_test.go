package backup

// Dying calls fn at each step.
func (t Target) Dying(fn func(step string)) Target {
	t.died = fn
	return t
}
