package rule_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup/rule"
)

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
		"from before ids":                {[]rule.Copy{full, old, old}, 1, []bool{false, false, false}},
		"an empty one pushes none out":   {[]rule.Copy{empty, full, full}, 1, []bool{false, false, true}},
		"nor do matches one with clips":  {[]rule.Copy{matches, matches, full}, 1, []bool{false, true, false}},
		"empty ones push each other out": {[]rule.Copy{empty, empty, matches}, 1, []bool{false, true, false}},
		"clips push out all":             {[]rule.Copy{full, matches, empty}, 1, []bool{false, true, true}},
	} {
		require.Equal(t, c.want, rule.Surplus("a", c.all, c.keep), name)
	}
}
