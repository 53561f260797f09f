package target_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// TestARepeatThatIsRefusedForgetsNoEarlierTry: the first try made the post and its answer was lost; the second met a limit.
func TestARepeatThatIsRefusedForgetsNoEarlierTry(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place, b *bundle) {
		if !p.repeats {
			return
		}
		b.today()
		b.clip("aa", 1000, true)
		faults := []social.Fault{social.LostWord, social.Busy, social.Closed}
		p.SetTrouble(func(call string) social.Fault {
			if call != "post" || len(faults) == 0 {
				return social.None
			}
			f := faults[0]
			faults = faults[1:]
			return f
		})
		for range 6 {
			_ = b.look()
			b.now = b.now.Add(3 * time.Minute)
		}
		require.Empty(t, faults)
		require.Len(t, p.Messages(), 1)
		require.Equal(t, rule.Done, b.posting().Step)
	})
}
