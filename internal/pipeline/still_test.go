package pipeline_test

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"testing"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/media"
	"github.com/found-footy/found-footy/internal/pipeline/acquire"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"
)

// pictured is filmed with real pictures; portrait makes it a file that is refused by its shape.
type pictured struct {
	filmed
	portrait bool
}

func picture() []byte {
	var out bytes.Buffer
	_ = jpeg.Encode(&out, image.NewGray(image.Rect(0, 0, 640, 360)), nil)
	return out.Bytes()
}

func (p pictured) Probe(ctx context.Context, path string) (footy.Probe, error) {
	probe, err := p.filmed.Probe(ctx, path)
	if p.portrait {
		probe.Width, probe.Height = 360, 640
	}
	return probe, err
}

func (p pictured) Decode(ctx context.Context, path string, probe footy.Probe, w media.Wants, f func()) (media.Decoded, error) {
	d, err := p.filmed.Decode(ctx, path, probe, w, f)
	d.Poster = picture()
	return d, err
}

func (pictured) Glimpse(context.Context, string, footy.Probe) ([]byte, error) { return picture(), nil }

// TestEveryDownloadedPostKeepsAPicture: the goal page shows what was refused, too.
func TestEveryDownloadedPostKeepsAPicture(t *testing.T) {
	t.Parallel()
	for name, portrait := range map[string]bool{"refused by its shape": true, "looked at": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.acquire.Decoder = pictured{portrait: portrait}
			var suite testsuite.WorkflowTestSuite
			env := suite.NewTestActivityEnvironment()
			env.RegisterActivity(b.acquire)
			in := acquire.Input{FixtureID: 5000, EventUID: oneGoal, Download: "download1", Timing: policy.Defaults()}
			val, err := env.ExecuteActivity(b.acquire.Download, acquire.Fetch{Input: in, Candidate: footy.Candidate{PostID: "1"}})
			require.NoError(t, err)
			var got acquire.Got
			require.NoError(t, val.Get(&got))
			if !portrait {
				_, err = env.ExecuteActivity(b.acquire.Validate, acquire.Judge{Input: in, Media: []footy.Media{*got.Media}})
				require.NoError(t, err)
			}
			rows, err := b.store.Entries(t.Context(), store.LogQuery{FixtureID: 5000, EventUID: oneGoal})
			require.NoError(t, err)
			require.Len(t, rows, 1)
			key, ok := rows[0].Data["poster_key"].(string)
			require.True(t, ok)
			require.Contains(t, key, blob.PosterPrefix+oneGoal+"/", "it goes when the goal's other pictures go")
			o, err := b.acquire.Blob.Open(t.Context(), key)
			require.NoError(t, err)
			require.LessOrEqual(t, o.Attributes().Size, int64(20<<10))
			require.NoError(t, o.Close())
		})
	}
}
