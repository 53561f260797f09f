package ledger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// Kind says what happens.
func (m Move) Kind() MoveKind { return m.kind }

// Table is the table as Markdown, for documents. A test keeps the printed one up to date.
func Table() string {
	var b strings.Builder
	b.WriteString("| a post that is | when it is | by | becomes | log row | what the move does |\n|---|---|---|---|---|---|\n")
	for _, r := range table {
		fmt.Fprintf(&b, "| %s | **%s** | %s | %s | %s | %s |\n", words(r.from, ", "), r.move, r.who, words(r.to, " or "), r.rows(), r.what)
	}
	return b.String()
}

// rows are the kinds of log row that the move may have: one that ends a post has the row of its end.
func (r rule) rows() string {
	if r.row == footy.EntryWaiting && slices.Contains(r.to, refused) {
		return string(r.row) + " or " + string(footy.EntryRejected)
	}
	return string(r.row)
}

func words(s states, between string) string {
	out := make([]string, len(s))
	for i := range s {
		out[i] = strings.ReplaceAll(string(s[i]), "_", " ")
	}
	if len(s) == 0 {
		return "what it was"
	}
	return strings.Join(out, between)
}
