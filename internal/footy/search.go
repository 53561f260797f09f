package footy

// SearchState tells results and explicit emptiness from everything that is no answer.
type SearchState string

// The states a search ends in. Only SearchResults and SearchEmpty count as a search.
const (
	SearchResults       SearchState = "results"
	SearchEmpty         SearchState = "empty"
	SearchRateLimited   SearchState = "rate_limited"
	SearchUpstreamError SearchState = "upstream_error"
	SearchLoginRequired SearchState = "login_required"
	SearchTimeout       SearchState = "timeout"
	SearchUnreachable   SearchState = "unreachable" // the search service did not answer
	SearchBusy          SearchState = "busy"        // every account is searching for other goals
	SearchNotNow        SearchState = "not_now"     // its goal is not certain yet, and others may need the call

	// Of the paid API, which wants money.
	SearchNoCredits  SearchState = "no_credits"
	SearchMonthlyCap SearchState = "monthly_cap" // the owner's own limit at X
	SearchDayCap     SearchState = "day_cap"     // X_DAILY_CAP
)

// Waits reports whether nobody could look until something changes: such a search was none, and costs the goal nothing.
func (s SearchState) Waits() bool {
	return s == SearchRateLimited || s == SearchLoginRequired || s.NoMoney()
}

// NoMoney reports whether the paid API answers nothing for want of money.
func (s SearchState) NoMoney() bool {
	return s == SearchNoCredits || s == SearchMonthlyCap || s == SearchDayCap
}

// Usable reports whether the state counts as a search.
func (s SearchState) Usable() bool { return s == SearchResults || s == SearchEmpty }

// Looked reports whether the search of a row counts; a state that nobody wrote down does.
func (d Evidence) Looked() bool { return d.State == "" || d.State.Usable() }
