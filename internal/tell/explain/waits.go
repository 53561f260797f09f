package explain

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
)

// passes reports whether a cause ends by itself: there is nothing to do about it.
func passes(cause footy.Reason) bool {
	a := reasons[cause].awaited
	return a == secondLook || a == anotherTry
}

// WaitsFor says what the posts in trouble wait for: "wait: 2 for the vision model, 1 for the clip storage".
func WaitsFor(posts []footy.Post) string {
	var order []string
	count, n := map[string]int{}, 0
	for _, b := range ledger.Backlogs(posts) {
		what := reasons[b.Cause].awaited
		what = cmp.Or(what, "something else")
		if count[what] == 0 {
			order = append(order, what)
		}
		count[what] += len(b.Posts)
		n += len(b.Posts)
	}
	if len(order) == 1 && n == 1 {
		return "waits for " + order[0]
	}
	if len(order) == 1 {
		return "wait for " + order[0]
	}
	for i, what := range order {
		order[i] = fmt.Sprintf("%d for %s", count[what], what)
	}
	return "wait: " + strings.Join(order, ", ")
}
