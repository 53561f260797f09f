package validate_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestConditionOfTheModel(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	trouble := func(r footy.Reason) error {
		return &footy.Error{Code: footy.CodeInvalid, Op: "ask", Reason: r, Err: errors.New("why")}
	}

	c := validate.Condition{}.Answered(10*time.Second, at(0))
	require.Equal(t, validate.Condition{At: at(0), LastOK: at(0), SecondsPerClip: 10}, c)
	c.Showing = validate.Showing{Lines: 360, Reduced: footy.ReasonModelContext}
	c = c.Answered(20*time.Second, at(1))
	require.Equal(t, 360, c.Showing.Lines)
	require.InDelta(t, 12, c.SecondsPerClip, 0.01, "one slow clip moves it little")

	c = c.Failed(trouble(footy.ReasonModelJunk), at(2)).Failed(trouble(footy.ReasonModelBlind), at(3)).Failed(trouble(footy.ReasonModelBlind), at(9))
	require.Equal(t, footy.ReasonModelBlind, c.Reason)
	require.Equal(t, at(3), c.Since, "since this trouble began")
	require.Equal(t, at(9), c.At)
	require.Equal(t, at(1), c.LastOK)
	require.Equal(t, "why", c.Detail)
	require.InDelta(t, 12, c.SecondsPerClip, 0.01)

	for name, err := range map[string]error{"nothing": nil, "a stranger's": errors.New("x"), "a post's": footy.Reject("x", footy.ReasonTruncated, "y")} {
		require.Equal(t, c, c.Failed(err, at(10)), name)
	}
	c = c.Answered(12*time.Second, at(11))
	require.Empty(t, c.Reason)
	require.Zero(t, c.Since)
}
