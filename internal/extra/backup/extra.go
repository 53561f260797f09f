package backup

import (
	"path/filepath"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/telemetry"
)

// manual is the page of this extra.
const manual = "internal/extra/backup/README.md"

// Extra is what backups add.
func Extra() port.Extra {
	return port.Extra{
		Name:     "backup",
		Settings: &config.Group{Title: "Backups", New: func() any { return &Settings{} }, Check: contradictions},
		Commands: []port.Command{
			{Name: "backup", Help: "Copy database and clips to a directory, also while footy runs.", Run: &Cmd{}},
			{Name: "restore", Help: "Bring back a backup.", Run: &RestoreCmd{}},
		},
		Looks: looks,
		Worker: func(core port.Core, _ port.Duty) (p pipeline.Part, err error) {
			if core.Config.State.Embedded() && config.Own[Settings](core.Config).Dir != "" {
				k := keeper(core)
				k.Log = telemetry.Module(core.Log, "backup")
				p.Run = k.Run
			}
			return p, nil
		},
	}
}

// Settings are where copies of the state are kept.
type Settings struct {
	Dir  string `env:"BACKUP_DIR" doc:"Directory for a daily backup of the SQLite file and the clips; best on another disk. Without it none is made; database servers have their own tools (internal/extra/backup/README.md)." like:"/mnt/backup/found-footy"`
	Keep int    `env:"BACKUP_KEEP" envDefault:"7" min:"1" max:"3650" doc:"Backups kept there; older ones are removed." like:"7"`
}

func contradictions(c config.Config, own any) (out config.Problems) {
	s := own.(*Settings) //nolint:forcetypeassert // made by New
	if dir := ownDir(c.State.Dir, s.Dir); dir != "" {
		out = append(out, config.Problem{
			Setting: "BACKUP_DIR", Value: s.Dir,
			Why: "is inside " + dir + " of STATE_DIR, which footy clears or copies itself", Remedy: "choose another directory, best on another disk",
		})
	}
	return out
}

// ownDir is the directory below STATE_DIR that footy clears or copies itself, where path is inside of one.
func ownDir(state, path string) string {
	for _, dir := range []string{"clips", "tmp", "engine", "browser"} {
		if path != "" && inside(filepath.Join(state, dir), path) {
			return dir
		}
	}
	return ""
}

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
