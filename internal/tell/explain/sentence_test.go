package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/explain"
)

// TestEachSentenceCanBeSaidOfARowThatLacksEverything: rows of other releases lack fields.
func TestEachSentenceCanBeSaidOfARowThatLacksEverything(t *testing.T) {
	t.Parallel()
	require.NoError(t, explain.SayAllOfNothing())
}

// TestASentenceBeginsWithALetter: one that begins with a quotation mark of several bytes was cut within it.
func TestASentenceBeginsWithALetter(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"": "", "none is set": "None is set", "“none” follows nothing": "“none” follows nothing", "ödemark": "Ödemark"} {
		require.Equal(t, want, explain.UpperFirst(s))
	}
	require.Equal(t, "ödemark", explain.LowerFirst("Ödemark"))
}
