package check

import (
	"fmt"
	"io"

	"github.com/found-footy/found-footy/internal/tell/health"
)

// PrintModelTest writes a test of the model for people.
func PrintModelTest(w io.Writer, m health.ModelTest) {
	if m.Model != "" {
		fmt.Fprintln(w, "model", m.Model)
	}
	fmt.Fprintln(w, m.Verdict())
	if remedy := m.Remedy(); remedy != "" {
		fmt.Fprintln(w, "->", remedy)
	}
	if m.Pictures > 0 {
		fmt.Fprintln(w)
	}
	for _, k := range m.Kinds {
		if k.Shown == 0 {
			continue
		}
		fmt.Fprintf(w, "%2d of %2d  %s\n", k.Right, k.Shown, k.Name)
		for _, miss := range k.Misses {
			fmt.Fprintf(w, "%10s%s\n", "", miss)
		}
	}
	for i, f := range m.Findings() {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, f)
	}
}
