package phash_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/recognize/phash"
	"github.com/found-footy/found-footy/internal/recognize/phash/phashtest"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestSharedMatchPolicy runs the rows about plain hashes and their comparison; the row about popularity is dedup's.
func TestSharedMatchPolicy(t *testing.T) {
	t.Parallel()
	var doc struct {
		Groups map[string][]struct {
			ID    string
			Input struct {
				Image   string
				Hamming []string `json:"hamming_hex"`
				A, B    []any
				Policy  string `json:"max_bits/window/gaps"`
				Example any
			}
			Expected struct {
				DHash    string
				Distance int
				Match    *bool
			}
		}
	}
	rows := doc.Groups["match_policy"]
	for _, path := range devtest.Payloads(t, "cases/clip.json") {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		doc.Groups = nil
		require.NoError(t, json.Unmarshal(data, &doc))
		require.NotEmpty(t, doc.Groups["match_policy"])
		rows = append(rows, doc.Groups["match_policy"]...)
	}
	for _, r := range rows {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			switch in := r.Input; {
			case in.Image != "":
				require.Equal(t, r.Expected.DHash, fmt.Sprintf("%016x", phash.DHash(image(t, in.Image))))
			case in.Hamming != nil:
				require.Equal(t, r.Expected.Distance, phashtest.Distance(hex(t, in.Hamming[0]), hex(t, in.Hamming[1])))
			case in.Policy != "":
				var p phashtest.SimplePolicy
				_, err := fmt.Sscanf(in.Policy, "%d/%d/%d", &p.MaxBits, &p.Window, &p.Gaps)
				require.NoError(t, err)
				require.Equal(t, *r.Expected.Match, phashtest.MatchSimple(hashes(t, in.A), hashes(t, in.B), p))
			case in.Example != nil: // popularity
			default:
				t.Fatalf("a row of unknown kind: %+v", in)
			}
		})
	}
}

func image(t *testing.T, what string) []uint8 {
	t.Helper()
	out := make([]uint8, 72)
	for i := range out {
		switch x := uint8(i % 9); {
		case strings.Contains(what, "grey"):
			out[i] = 128
		case strings.Contains(what, "brighter"):
			out[i] = 20 * x
		case strings.Contains(what, "darker"):
			out[i] = 200 - 20*x
		default:
			t.Fatalf("an unknown image: %s", what)
		}
	}
	return out
}

func hex(t *testing.T, s string) uint64 {
	t.Helper()
	v, err := strconv.ParseUint(s, 16, 64)
	require.NoError(t, err)
	return v
}

// hashes reads numbers, and "~n" for all bits but those of n.
func hashes(t *testing.T, in []any) []uint64 {
	t.Helper()
	var out []uint64
	for _, v := range in {
		if s, ok := v.(string); ok {
			n, err := strconv.ParseUint(strings.TrimPrefix(s, "~"), 10, 64)
			require.NoError(t, err)
			out = append(out, ^n)
			continue
		}
		out = append(out, uint64(v.(float64)))
	}
	return out
}
