package program

import (
	"context"
	"os"
	"os/exec"
	"strings"
)

// ordinary are the variables that programs need to run at all. Those of this process hold passwords, keys and tokens: a program that
// is broken into, or that crashes, must not have them.
var ordinary = []string{"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LANG", "LANGUAGE", "LC_*", "TZ", "LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_*", "FONTCONFIG_*", "XDG_CACHE_HOME"}

// Environ is what a program may see of the environment: the ordinary variables, and those named also. NAME_* means all that begin so.
func Environ(also ...string) []string {
	listed := []string{} // not nil, which would stand for all
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if covers(ordinary, name) || covers(also, name) {
			listed = append(listed, v)
		}
	}
	return listed
}

func covers(patterns []string, name string) bool {
	for _, p := range patterns {
		if start, all := strings.CutSuffix(p, "*"); p == name || all && strings.HasPrefix(name, start) {
			return true
		}
	}
	return false
}

// New prepares a program with the ordinary environment. All programs of others are started by it, or by Command.
func New(ctx context.Context, prog string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, prog, args...)
	cmd.Env = Environ()
	return cmd
}
