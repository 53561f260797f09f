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
	r, err = audit.Run(t.Context(), s.docs, ours, later)
	require.NoError(t, err)
	require.Contains(t, kinds(r), audit.ClipStoreOwner)
	require.NotContains(t, kinds(r), audit.ObjectOwner)
	for _, b := range r.Breaches {
		if b.Check == audit.ClipStoreOwner {
			require.Contains(t, b.Detail, "another installation")
			require.Contains(t, b.Remedy, "footy clips adopt")
		}
	}
}

func kinds(r audit.Report) (out []audit.Check) {
	for _, b := range r.Breaches {
		out = append(out, b.Check)
	}
	return out
}
