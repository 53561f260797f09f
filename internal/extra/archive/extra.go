package archive

import (
	"context"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
)

// Extra is what the archive adds: posts of old footage are refused, and footy archive looks for footage.
func Extra() port.Extra {
	return port.Extra{Name: "archive", Worker: worker,
		Settings: &config.Group{Title: "Archive of old footage", New: func() any { return &Settings{} }},
		Commands: []port.Command{{Name: "archive", Help: "Footage of the clips that were kept.", Run: &Cmd{}}}}
}

// Settings is what the archive lets people set.
type Settings struct {
	Days int `env:"ARCHIVE_DAYS" envDefault:"365" min:"0" max:"3650" doc:"Days that the fingerprint of a verified clip is kept after its match (some 11 KB), to refuse the same footage when it is posted for another match. 0 refuses none." like:"365"`
}

// worker knows in each process what stays of a match, and makes the index where clips are decoded. Nothing waits for the index: until it was
// compared with the store it says that it cannot look.
func worker(c port.Core, d port.Duty) (pipeline.Part, error) {
	days := config.Own[Settings](c.Config).Days
	if days == 0 {
		return pipeline.Part{}, nil
	}
	known := &Known{Fixtures: c.Store, Log: c.Log, Stays: time.Duration(days) * 24 * time.Hour}
	part := pipeline.Part{Footage: known}
	if slices.Contains(d.Queues, policy.QueueMedia) {
		known.Index = New(c.Store, time.Now)
		part.Run = func(ctx context.Context) { known.Index.Keep(ctx, c.Log) }
	}
	return part, nil
}
