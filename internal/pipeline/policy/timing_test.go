package policy_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

func TestAnUploadEndsAfterFiveIdleMinutes(t *testing.T) {
	t.Parallel()
	require.Equal(t, 5*time.Minute, policy.Defaults().UploadIdle)
}
