package audit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/audit"
	"github.com/found-footy/found-footy/internal/keep/owner"
)

func TestAClipStoreThatIsNotOursIsToldAndLeftAlone(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	ours := owner.New(s.blob, s.docs, time.Now)
	require.NoError(t, ours.Writable(t.Context()))
	s.put("clips/7-1/of-nobody.mp4")
	later := s.options()
	later.Now, later.Grace = s.now.Add(time.Minute), time.Nanosecond
	r, err := audit.Run(t.Context(), s.docs, ours, later)
	require.NoError(t, err)
	require.Contains(t, kinds(r), audit.ObjectOwner, "it is ours, and has what nobody needs")

	require.NoError(t, owner.Mark(t.Context(), s.blob, "another", "", s.now))
	r, err = audit.CheckAndRepair(t.Context(), s.docs, ours, later, true)
	require.NoError(t, err)
	require.Contains(t, kinds(r), audit.ClipStoreOwner)
	require.NotContains(t, kinds(r), audit.ObjectOwner)
	for _, b := range r.Breaches {
		if b.Check == audit.ClipStoreOwner {
			require.Contains(t, b.Detail, "another installation")
			require.Contains(t, b.Remedy, "footy clips adopt")
		}
	}
	_, err = s.blob.Stat(t.Context(), "clips/7-1/of-nobody.mp4")
	require.NoError(t, err)
}

// TestARepairDeletesNothingThatACopyOfTheDatabaseMayLack: what no record names may be of the hours that it lacks.
func TestARepairDeletesNothingThatACopyOfTheDatabaseMayLack(t *testing.T) {
	t.Parallel()
	const lost = "clips/7-1/lost.mp4"
	for name, c := range map[string]struct {
		sweeps, installation map[string]any
		unknown, left        bool
	}{
		"few":                        {nil, nil, false, false},
		"older than the database":    {nil, map[string]any{"id": "a", "began": time.Now().Add(time.Minute)}, false, true},
		"of the time since the copy": {map[string]any{"seen": time.Now().Add(-3 * time.Hour)}, nil, false, true},
		"of a time when it was away": {map[string]any{"gaps": []map[string]any{{"from": time.Now().Add(-time.Hour), "to": time.Now().Add(time.Hour)}}}, nil, false, true},
		"and an operator says so":    {map[string]any{"seen": time.Now().Add(-3 * time.Hour)}, nil, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := healthy(t)
			for key, value := range map[string]map[string]any{"sweeps": c.sweeps, "installation": c.installation} {
				if value != nil {
					require.NoError(t, s.docs.PutState(t.Context(), key, value))
				}
			}
			s.put(lost)
			o := s.options()
			o.Now, o.Grace, o.Unknown = s.now.Add(time.Minute), time.Nanosecond, c.unknown
			r, err := audit.CheckAndRepair(t.Context(), s.docs, s.blob, o, true)
			require.NoError(t, err)
			_, err = s.blob.Stat(t.Context(), lost)
			require.Equal(t, c.left, err == nil, "%v", r)
			require.Equal(t, c.left, len(r.Breaches) == 1)
		})
	}
}

func kinds(r audit.Report) (out []audit.Check) {
	for _, b := range r.Breaches {
		out = append(out, b.Check)
	}
	return out
}
