package backup

import "path/filepath"

// ownDirs are the directories below STATE_DIR that footy clears or copies itself.
var ownDirs = []string{"clips", "tmp", "engine", "browser"}

// inside reports whether path is dir or below it, whichever way the two are written.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(resolved(dir), resolved(path))
	return err == nil && filepath.IsLocal(rel)
}

// resolved is path as the file system knows it, as far as it exists.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(resolved(up), filepath.Base(path))
	}
	return path
}
