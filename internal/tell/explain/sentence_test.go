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
