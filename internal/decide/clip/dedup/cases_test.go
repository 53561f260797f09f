package dedup_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

func shared[T any](t *testing.T, group string) []T {
	t.Helper()
	var all []T
	for _, path := range devtest.Payloads(t, "cases/clip.json") {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var doc struct{ Groups map[string]json.RawMessage }
		require.NoError(t, json.Unmarshal(data, &doc))
		var rows []T
		require.NoError(t, json.Unmarshal(doc.Groups[group], &rows))
		require.NotEmpty(t, rows)
		all = append(all, rows...)
	}
	return all
}

func TestSharedQuality(t *testing.T) {
	t.Parallel()
	type file struct{ MS, Bitrate, W, H float64 }
	type row struct {
		ID       string
		Input    struct{ Challenger, Incumbent file }
		Expected struct{ Upgrade bool }
		Note     string
	}
	clip := func(f file) footy.Clip {
		return footy.Clip{Duration: f.MS / 1000, Bitrate: int64(f.Bitrate), Width: int(f.W), Height: int(f.H)}
	}
	for _, r := range shared[row](t, "quality_compare") {
		require.Equal(t, r.Expected.Upgrade, dedup.Compare(clip(r.Input.Challenger), clip(r.Input.Incumbent)) < 0, "%s: %s", r.ID, r.Note)
	}
}

// TestSharedPopularity draws clips whose footage has the edges of the example and counts their posts.
func TestSharedPopularity(t *testing.T) {
	t.Parallel()
	type row struct {
		ID       string
		Input    struct{ Example map[string]json.RawMessage }
		Expected struct{ Popularity map[string]int }
	}
	seen := 0
	for _, r := range shared[row](t, "match_policy") {
		if r.Input.Example == nil {
			continue
		}
		seen++
		exact := map[string]int{}
		var edges, selected []string
		for field, v := range r.Input.Example {
			var n int
			if name, ok := strings.CutSuffix(field, "_exact"); ok {
				require.NoError(t, json.Unmarshal(v, &n))
				exact[name] = n
			}
		}
		require.NoError(t, json.Unmarshal(r.Input.Example["edges"], &edges))
		require.NoError(t, json.Unmarshal(r.Input.Example["selected"], &selected))
		// Every clip has footage of its own; each edge adds the footage of its second end to its first.
		film := map[string]footy.Fingerprint{}
		scene := uint64(0)
		for name := range exact {
			if !slices.ContainsFunc(edges, func(e string) bool { return strings.HasPrefix(e, name+"-") }) {
				scene++
				film[name] = footage(scene, 0, 12)
			}
		}
		var items []dedup.Item
		for name, n := range exact {
			if _, own := film[name]; !own {
				var parts []footy.Fingerprint
				for _, e := range edges {
					if to, ok := strings.CutPrefix(e, name+"-"); ok {
						parts = append(parts, film[to])
					}
				}
				items = append(items, item(name, n, join(parts...)))
				continue
			}
			items = append(items, item(name, n, film[name]))
		}
		got := plan(items...)
		for name, want := range r.Expected.Popularity {
			require.Equal(t, want, got[name].Popularity, "%s: %s", r.ID, name)
		}
		for _, name := range selected {
			require.Empty(t, got[name].ReplacedBy, "%s: %s stands for itself", r.ID, name)
		}
	}
	require.NotZero(t, seen)
}
