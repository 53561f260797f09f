package keeping_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/keeping"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

func TestWhichSweepsAskAnOperator(t *testing.T) {
	t.Parallel()
	old := keeping.Life{Began: noon.AddDate(0, -1, 0)}
	copied := keeping.Life{Began: old.Began, Gaps: []keeping.Gap{{From: noon.Add(-3 * time.Hour), To: noon}}}
	big := keeping.Amount{Objects: 1000, Bytes: 1000_000}
	for name, c := range map[string]struct {
		is      keeping.Sweep
		unknown []time.Duration // before noon
		bytes   int64
		life    keeping.Life
		want    keeping.Held
	}{
		"nothing":                            {keeping.Sweep{}, nil, 1, old, ""},
		"few of many":                        {keeping.Sweep{Lies: big}, []time.Duration{time.Hour}, 1, old, ""},
		"a twentieth":                        {keeping.Sweep{Lies: keeping.Amount{Objects: 40, Bytes: 40}}, []time.Duration{time.Hour, time.Hour}, 1, old, ""},
		"more than a twentieth":              {keeping.Sweep{Lies: keeping.Amount{Objects: 39, Bytes: 40}}, []time.Duration{time.Hour, time.Hour}, 1, old, keeping.HeldShare},
		"few objects with most of the bytes": {keeping.Sweep{Lies: big}, []time.Duration{time.Hour}, 50_001, old, keeping.HeldShare},
		"all of one":                         {keeping.Sweep{Lies: keeping.Amount{Objects: 1, Bytes: 1}}, []time.Duration{time.Hour}, 1, old, keeping.HeldShare},
		"what a dead worker left":            {keeping.Sweep{Lies: keeping.Amount{Objects: 2, Bytes: 2}, Spare: 2}, []time.Duration{time.Hour, time.Hour}, 1, old, ""},
		"more than it can have left":         {keeping.Sweep{Lies: keeping.Amount{Objects: 2, Bytes: 2}, Spare: 1}, []time.Duration{time.Hour, time.Hour}, 1, old, keeping.HeldShare},
		"one that is older":                  {keeping.Sweep{Lies: big, Spare: 9}, []time.Duration{32 * 24 * time.Hour}, 1, old, keeping.HeldOlder},
		"nobody knows when it began":         {keeping.Sweep{Lies: big}, []time.Duration{3200 * time.Hour}, 1, keeping.Life{}, ""},
		"of the hours that a copy lacks":     {keeping.Sweep{Lies: big}, []time.Duration{time.Hour}, 1, copied, keeping.HeldMissed},
		"of the hours before":                {keeping.Sweep{Lies: big}, []time.Duration{4 * time.Hour}, 1, copied, ""},
		"since":                              {keeping.Sweep{Lies: big}, []time.Duration{0}, 1, copied, ""},
	} {
		for _, ago := range c.unknown {
			c.is.Find(c.bytes, noon.Add(-ago), c.life)
		}
		require.Equal(t, c.want, c.is.Held(), name)
		require.Len(t, c.unknown, c.is.Unknown.Objects, name)
	}
}

func TestGapsInTheLifeOfADatabase(t *testing.T) {
	t.Parallel()
	l := keeping.Life{Began: noon}
	require.Empty(t, l.Since(time.Time{}, noon.Add(time.Minute), time.Hour).Gaps, "it has just begun")
	require.Empty(t, l.Since(noon, noon.Add(time.Hour), time.Hour).Gaps)
	require.Empty(t, l.Since(noon.Add(time.Hour), noon, time.Hour).Gaps, "the clock was ahead")
	require.Empty(t, keeping.Life{}.Since(time.Time{}, noon, time.Hour).Gaps, "from before")
	require.Equal(t, []keeping.Gap{{From: noon, To: noon.Add(2 * time.Hour)}}, l.Since(time.Time{}, noon.Add(2*time.Hour), time.Hour).Gaps, "what was known of sweeps is lost")
	for n := range 300 {
		l = l.Since(noon.Add(time.Duration(n)*2*time.Hour), noon.Add(time.Duration(n+1)*2*time.Hour), time.Hour)
	}
	require.Len(t, l.Gaps, 100)
	require.Equal(t, noon.Add(600*time.Hour), l.Gaps[99].To)
}
