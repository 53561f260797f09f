package keeping_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/keeping"
)

func TestWhoseAClipStoreIs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		is   keeping.Claim
		want keeping.Whose
	}{
		"a first start":          {keeping.Claim{}, keeping.Unmarked},
		"both agree":             {keeping.Claim{Own: "a", Mark: "a", Content: true}, keeping.Ours},
		"another installation's": {keeping.Claim{Own: "b", Mark: "a", Content: true}, keeping.Others},
		"another installation's, which has no clip":    {keeping.Claim{Own: "b", Mark: "a"}, keeping.Others},
		"another's, whose clips are known":             {keeping.Claim{Own: "b", Mark: "a", Content: true, Known: true}, keeping.Others},
		"a new database beside a store with a mark":    {keeping.Claim{Mark: "a", Content: true}, keeping.Others},
		"a new database beside a store of another":     {keeping.Claim{Mark: "a"}, keeping.Others},
		"a new database beside clips without a mark":   {keeping.Claim{Content: true}, keeping.Unknown},
		"a database with an id beside strange clips":   {keeping.Claim{Own: "b", Content: true}, keeping.Unknown},
		"both from before ids":                         {keeping.Claim{Content: true, Known: true}, keeping.Unmarked},
		"an old database is restored":                  {keeping.Claim{Mark: "a", Content: true, Known: true}, keeping.Inherit},
		"clips were copied to another store":           {keeping.Claim{Own: "b", Content: true, Known: true}, keeping.Unmarked},
		"the store was emptied, or another was chosen": {keeping.Claim{Own: "b"}, keeping.Unmarked},
	} {
		require.Equal(t, c.want, c.is.Whose(), name)
		require.Equal(t, c.want != keeping.Others && c.want != keeping.Unknown, c.want.Writable(), name)
	}
}
