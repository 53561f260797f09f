package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
)

// Names maps a clip's id to its drawn file, from the cache of drawn clips.
func Names(clips string) func(id string) string {
	names := map[string]string{}
	files, err := filepath.Glob(filepath.Join(clips, "*.mp4"))
	if err == nil {
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				continue // it is only a name
			}
			sum := sha256.Sum256(b)
			name := strings.TrimSuffix(filepath.Base(f), ".mp4")
			if i := strings.LastIndex(name, "-"); i > 0 {
				name = name[:i] // a number follows
			}
			names[hex.EncodeToString(sum[:8])] = name
		}
	}
	return func(id string) string {
		if n := names[id]; n != "" {
			return n
		}
		return id
	}
}
