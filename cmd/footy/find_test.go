package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsFoundIsPrintedWithIDNameAndCountry(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, printFound(&out, [][]any{{int64(42), "Arsenal", "England"}, {int64(10042), "Arsenal W", "England"}}, "team", "arsenal"))
	require.Equal(t, "42     Arsenal    England\n10042  Arsenal W  England\n", out.String())
	require.ErrorContains(t, printFound(&out, nil, "league", "nowhere"), `the feed knows no league by "nowhere"`)
}
