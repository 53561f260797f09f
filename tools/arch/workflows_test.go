package arch_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// workflow is what GitHub runs, as far as it decides what that may do.
type workflow struct {
	On          any               `yaml:"on"`
	Permissions map[string]string `yaml:"permissions"`
	Jobs        map[string]struct {
		Permissions map[string]string `yaml:"permissions"`
		Steps       []struct {
			Uses string            `yaml:"uses"`
			Run  string            `yaml:"run"`
			With map[string]any    `yaml:"with"`
			Env  map[string]string `yaml:"env"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

// TestWorkflowsMayDoNoMoreThanTheyMust: an action, a tool or a test that was taken over has what its job has. make lint reads the files as
// GitHub does (actionlint).
func TestWorkflowsMayDoNoMoreThanTheyMust(t *testing.T) {
	t.Parallel()
	writes := map[string]map[string]string{"release.yml publish": {"contents": "write", "id-token": "write", "attestations": "write"}}
	files, err := filepath.Glob(filepath.Join(root(t), ".github", "workflows", "*.y*ml"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 3)
	pinned := map[string]string{} // the digest of each action
	for _, file := range files {
		name := filepath.Base(file)
		text := read(t, filepath.Join(".github", "workflows", name))
		require.NotContains(t, text, "pull_request_target", "%s would run a stranger's code with our token", name)
		var w workflow
		require.NoError(t, yaml.Unmarshal([]byte(text), &w), name)
		require.NotNil(t, w.Permissions, "%s: without the key each job has what the repository allows", name)
		require.Empty(t, w.Permissions, "%s: each job names its own", name)
		for job, j := range w.Jobs {
			at := name + " " + job
			want, special := writes[at]
			if !special {
				want = map[string]string{"contents": "read"}
			}
			require.Equal(t, want, j.Permissions, at)
			delete(writes, at)
			for _, s := range j.Steps {
				require.NotContains(t, s.Run, "${{", "%s: what others named would be run as a command", at)
				if special {
					require.NotContains(t, s.Uses, "setup-go", "%s builds nothing: it may write", at)
				} else {
					require.Empty(t, s.Env, "%s needs no token", at)
				}
				action, digest, _ := strings.Cut(s.Uses, "@")
				if action == "actions/checkout" {
					require.Equal(t, false, s.With["persist-credentials"], "%s: whatever runs later would find the token in .git", at)
				}
				if action == "actions/setup-go" && name == "release.yml" {
					require.Equal(t, false, s.With["cache"], "%s: other workflows write the cache", at)
				}
				if action != "" {
					require.Regexp(t, `^[0-9a-f]{40}$`, digest, "%s: a tag of %s can be moved", at, action)
					require.Contains(t, []string{"", digest}, pinned[action], "%s has two digests of %s", at, action)
					pinned[action] = digest
					require.Regexp(t, regexp.QuoteMeta(s.Uses)+` # v\d+\.\d+\.\d+\n`, text, "%s: which version that is", at)
				}
			}
		}
	}
	require.Empty(t, writes, "each exception is needed")
	require.Contains(t, pinned, "actions/attest", "what is released is signed")
}
