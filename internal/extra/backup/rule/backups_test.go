package rule_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/extra/backup/rule"
)

func TestWhoseTheBackupsOfADirectoryAre(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		own  string
		all  []rule.Copy
		want keeping.Whose
	}{
		"none":                               {"a", nil, keeping.Unmarked},
		"empty ones from before ids":         {"a", []rule.Copy{{}, {}}, keeping.Unmarked},
		"made by hand":                       {"a", []rule.Copy{{Installation: "a"}}, keeping.Ours},
		"of another installation":            {"a", []rule.Copy{{Installation: "b", Content: rule.Clips}}, keeping.Others},
		"an empty one of another":            {"a", []rule.Copy{{Installation: "b"}}, keeping.Others},
		"of both":                            {"a", []rule.Copy{{Installation: "a"}, {Installation: "b"}}, keeping.Others},
		"of another, and no id yet":          {"", []rule.Copy{{Installation: "b"}}, keeping.Others},
		"upgraded":                           {"a", []rule.Copy{{Content: rule.Clips, Known: true}, {Content: rule.Clips}}, keeping.Ours},
		"upgraded, and one is there already": {"a", []rule.Copy{{Installation: "a"}, {Content: rule.Clips}}, keeping.Ours},
		"from before ids, of a lost one":     {"a", []rule.Copy{{Content: rule.Matches}}, keeping.Others},
		"known beside another installation":  {"a", []rule.Copy{{Installation: "b"}, {Content: rule.Clips, Known: true}}, keeping.Others},
	} {
		require.Equal(t, c.want, rule.WhoseBackups(c.own, c.all), name)
	}
}

func TestABackupIsPushedOutByLaterOnesThatHoldAsMuch(t *testing.T) {
	t.Parallel()
	full, matches, empty := rule.Copy{Installation: "a", Content: rule.Clips}, rule.Copy{Installation: "a", Content: rule.Matches}, rule.Copy{Installation: "a"}
	other, old := rule.Copy{Installation: "b", Content: rule.Clips}, rule.Copy{Content: rule.Clips}
	for name, c := range map[string]struct {
		all  []rule.Copy
		keep int
		want []bool
	}{
		"as many as are kept":            {[]rule.Copy{full, full}, 2, []bool{false, false}},
		"one more":                       {[]rule.Copy{full, full, full}, 2, []bool{false, false, true}},
		"those of another":               {[]rule.Copy{full, other, other, full}, 1, []bool{false, false, false, true}},
		"from before ids":                {[]rule.Copy{full, old, old}, 2, []bool{false, false, true}},
		"an empty one pushes none out":   {[]rule.Copy{empty, full, old}, 1, []bool{false, false, true}},
		"nor do matches one with clips":  {[]rule.Copy{matches, matches, full}, 1, []bool{false, true, false}},
		"empty ones push each other out": {[]rule.Copy{empty, empty, matches}, 1, []bool{false, true, false}},
		"clips push out all":             {[]rule.Copy{full, matches, empty}, 1, []bool{false, true, true}},
	} {
		require.Equal(t, c.want, rule.Surplus("a", c.all, c.keep), name)
	}
}
