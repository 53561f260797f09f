package pipeline_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

// portrait films files that are refused by their shape.
type portrait struct{ filmed }

func (p portrait) Probe(ctx context.Context, path string) (footy.Probe, error) {
	probe, err := p.filmed.Probe(ctx, path)
	probe.Width, probe.Height = 360, 640
	return probe, err
}

// TestEveryDownloadedPostKeepsAPicture: the goal page shows what was refused, too.
func TestEveryDownloadedPostKeepsAPicture(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]footy.EntryKind{"refused by its shape": footy.EntryRejected, "looked at": footy.EntryVerdict} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if kind == footy.EntryRejected {
				b.down.Decoder = portrait{}
			}
			in := b.open("1")
			b.batch(in.Download, in)
			rows := b.rows(oneGoal, kind)
			require.Len(t, rows, 1)
			key := rows[0].Data.PosterKey
			require.Contains(t, key, blob.PosterPrefix+oneGoal+"/", "it goes when the goal's other pictures go")
			at, err := b.blob.Stat(t.Context(), key)
			require.NoError(t, err)
			require.LessOrEqual(t, at.Size, int64(20<<10))
		})
	}
}
