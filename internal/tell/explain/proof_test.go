package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

func TestTheOrderOfProofsIsSaid(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct{ clock, asked, there, first bool }{
		"first the running clock, then the model (PROOF=x)":          {true, true, true, false},
		"first the model, then the running clock (PROOF=x)":          {true, true, true, true},
		"the running clock alone, for there is no model (PROOF=x)":   {true, true, false, false},
		"the running clock alone (PROOF=x)":                          {true, false, true, false},
		"the model alone (PROOF=x)":                                  {false, true, true, false},
		"nothing, for there is no model: no clip is shown (PROOF=x)": {false, true, false, false},
	} {
		require.Equal(t, want, explain.ProofOrder(c.clock, c.asked, c.there, c.first, "x"))
	}
}

func TestEachProofHasWords(t *testing.T) {
	t.Parallel()
	for _, b := range stats.Bys() {
		require.NotContains(t, explain.ProvenBy(b), "_", "words, and no code")
	}
}
