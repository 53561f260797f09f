package apifootball_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/feed/feedtest"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestListsWithGapsArriveAsObjects(t *testing.T) {
	t.Parallel()
	fixture := spell(feedtest.Match(1, 2), true)
	start := strings.Index(fixture, `"events":[`) + len(`"events":`)
	end := start + strings.Index(fixture[start:], `}],`) + 2
	events := strings.Replace(fixture[start+1:end-1], `,{"assist"`, `,"2":{"assist"`, 1)
	numbered := fixture[:start] + `{"0":` + events + `}` + fixture[end:]
	env, err := apifootball.Open([]byte(`{"errors":{},"response":{"3":`+numbered+`}}`), time.Time{})
	require.NoError(t, err)
	good, failed := apifootball.Read(env, time.Time{}, true).All()
	require.Empty(t, failed)
	require.Len(t, good, 1)
	require.Len(t, good[0].Events, 2)

	for _, odd := range []string{`{}`, `{"first":{}}`, `"x"`, `null`, `3`} {
		env, err := apifootball.Open([]byte(`{"errors":[],"response":[`+fixture[:start]+odd+fixture[end:]+`]}`), time.Time{})
		require.NoError(t, err)
		good, failed := apifootball.Read(env, time.Time{}, true).All()
		require.Empty(t, good, odd)
		require.Len(t, failed, 1, odd)
		_, err = apifootball.Open([]byte(`{"errors":[],"response":`+odd+`}`), time.Time{})
		require.Error(t, err, odd)
	}
}

// TestAnEmptyListOfTodayIsNotBelieved: "nothing found" would drop a day's matches, where the feed only failed to look.
func TestAnEmptyListOfTodayIsNotBelieved(t *testing.T) {
	t.Parallel()
	f, v := newVendor(t, 2*time.Second)
	v.Lists()
	_, err := f.Day(t.Context(), time.Now())
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.ErrorContains(t, err, "the list of today is empty")
	later, err := f.Day(t.Context(), time.Now().AddDate(0, 0, 30))
	require.NoError(t, err)
	require.Empty(t, later)
}
