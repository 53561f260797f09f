package explain

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

// TestEachSentenceCanBeSaidOfARowThatLacksEverything: rows of other releases lack fields.
func TestEachSentenceCanBeSaidOfARowThatLacksEverything(t *testing.T) {
	t.Parallel()
	for a, s := range sentences {
		require.NoError(t, s.Execute(io.Discard, footy.Evidence{}), "%v", a)
	}
}
