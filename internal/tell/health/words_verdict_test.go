package health_test

import (
	"testing"

	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

func TestWhatWasNotAskedIsNotSaidToWork(t *testing.T) {
	t.Parallel()
	feed := health.Part{Name: health.Feed, State: health.StateOK}
	require.Equal(t, "works", feed.Word())
	require.Equal(t, "Everything works.", health.Report{State: health.StateOK, Parts: []health.Part{feed}}.Verdict())
	feed.Unasked = true
	require.Equal(t, "not asked yet", feed.Word())
	require.Equal(t, health.StateMissing, feed.Tone())
	require.Equal(t, "Nothing is known to be wrong; not every part was asked yet.", health.Report{State: health.StateOK, Parts: []health.Part{feed}}.Verdict())
	feed.State = health.StateDown
	require.Equal(t, "down", feed.Word())
}
