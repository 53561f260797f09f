package health

// Public is the report for readers: which part is in which state, and since when. Why, what to do and the figures name accounts, spending,
// addresses and files, and are the operator's.
func (r Report) Public() Report {
	out := Report{State: r.State, At: r.At}
	for _, p := range r.Parts {
		out.Parts = append(out.Parts, Part{Name: p.Name, State: p.State, Since: p.Since, Unasked: p.Unasked, Heading: p.Heading, Called: p.Called})
	}
	return out
}
