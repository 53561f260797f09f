package keeping_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/keeping"
)

func TestWhoseTheBackupsOfADirectoryAre(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		own  string
		all  []keeping.Copy
		want keeping.Whose
	}{
		"none":                               {"a", nil, keeping.Unmarked},
		"empty ones from before ids":         {"a", []keeping.Copy{{}, {}}, keeping.Unmarked},
		"made by hand":                       {"a", []keeping.Copy{{Installation: "a"}}, keeping.Ours},
		"of another installation":            {"a", []keeping.Copy{{Installation: "b", Content: keeping.Clips}}, keeping.Others},
		"an empty one of another":            {"a", []keeping.Copy{{Installation: "b"}}, keeping.Others},
		"of both":                            {"a", []keeping.Copy{{Installation: "a"}, {Installation: "b"}}, keeping.Others},
		"of another, and no id yet":          {"", []keeping.Copy{{Installation: "b"}}, keeping.Others},
		"upgraded":                           {"a", []keeping.Copy{{Content: keeping.Clips, Known: true}, {Content: keeping.Clips}}, keeping.Ours},
		"upgraded, and one is there already": {"a", []keeping.Copy{{Installation: "a"}, {Content: keeping.Clips}}, keeping.Ours},
		"from before ids, of a lost one":     {"a", []keeping.Copy{{Content: keeping.Matches}}, keeping.Others},
		"known beside another installation":  {"a", []keeping.Copy{{Installation: "b"}, {Content: keeping.Clips, Known: true}}, keeping.Others},
	} {
		require.Equal(t, c.want, keeping.WhoseBackups(c.own, c.all), name)
	}
}

func TestABackupIsPushedOutByLaterOnesThatHoldAsMuch(t *testing.T) {
	t.Parallel()
	full, matches, empty := keeping.Copy{Installation: "a", Content: keeping.Clips}, keeping.Copy{Installation: "a", Content: keeping.Matches}, keeping.Copy{Installation: "a"}
	other, old := keeping.Copy{Installation: "b", Content: keeping.Clips}, keeping.Copy{Content: keeping.Clips}
	for name, c := range map[string]struct {
		all  []keeping.Copy
		keep int
		want []bool
	}{
		"as many as are kept":            {[]keeping.Copy{full, full}, 2, []bool{false, false}},
		"one more":                       {[]keeping.Copy{full, full, full}, 2, []bool{false, false, true}},
		"those of another":               {[]keeping.Copy{full, other, other, full}, 1, []bool{false, false, false, true}},
		"from before ids":                {[]keeping.Copy{full, old, old}, 2, []bool{false, false, true}},
		"an empty one pushes none out":   {[]keeping.Copy{empty, full, old}, 1, []bool{false, false, true}},
		"nor do matches one with clips":  {[]keeping.Copy{matches, matches, full}, 1, []bool{false, true, false}},
		"empty ones push each other out": {[]keeping.Copy{empty, empty, matches}, 1, []bool{false, true, false}},
		"clips push out all":             {[]keeping.Copy{full, matches, empty}, 1, []bool{false, true, true}},
	} {
		require.Equal(t, c.want, keeping.Surplus("a", c.all, c.keep), name)
	}
}
