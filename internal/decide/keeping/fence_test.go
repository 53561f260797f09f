package keeping_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/keeping"
)

func TestWhetherOneCopyOfADatabaseUsesAClipStore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		is   keeping.Fence
		want bool
	}{
		"neither has a life yet":               {keeping.Fence{}, true},
		"the mark has none yet":                {keeping.Fence{Own: []string{"a"}}, true},
		"what was written last":                {keeping.Fence{Mark: "b", Own: []string{"a", "b"}}, true},
		"it died before it wrote the mark":     {keeping.Fence{Mark: "a", Own: []string{"a", "b"}}, true},
		"another copy wrote":                   {keeping.Fence{Mark: "c", Own: []string{"a", "b"}}, false},
		"a database that was rolled back":      {keeping.Fence{Mark: "a"}, false},
		"another copy found ours, and said so": {keeping.Fence{Mark: "b", Contested: true, Own: []string{"a", "b"}}, false},
	} {
		require.Equal(t, c.want, c.is.Sole(), name)
	}
}
