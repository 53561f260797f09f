package scaler

import (
	"context"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/port/command"
)

// Extra is what the scaler adds.
func Extra() port.Extra {
	return port.Extra{
		Name:     "scaler",
		Settings: &config.Group{Title: "Scaler (footy scaler)", New: func() any { return &Settings{} }, Check: contradictions},
		Commands: []port.Command{{Name: "scaler", Help: "Start and stop workers and browsers of a compose project as there is work.", Run: &Cmd{}}},
	}
}

// Settings is how many workers and browsers footy scaler keeps running.
type Settings struct {
	Min      int           `env:"MIN_INSTANCES" envDefault:"2" min:"1" max:"64" doc:"Workers, and browsers, that always run." like:"2"`
	Max      int           `env:"MAX_INSTANCES" envDefault:"8" min:"1" max:"64" doc:"Workers, and browsers, at most." like:"8"`
	Up       int           `env:"SCALE_UP_THRESHOLD" test:"true" envDefault:"5" min:"1" max:"1000" doc:"One worker more above this many waiting tasks for each." like:"5"`
	Down     int           `env:"SCALE_DOWN_THRESHOLD" test:"true" envDefault:"2" min:"0" max:"1000" doc:"One fewer below this many, while no work runs." like:"2"`
	Every    time.Duration `env:"CHECK_INTERVAL" test:"true" envDefault:"30s" min:"5s" max:"10m" doc:"Time between two looks." like:"30s"`
	Cooldown time.Duration `env:"SCALE_COOLDOWN" test:"true" envDefault:"60s" min:"0s" max:"1h" doc:"Time between two changes of one service." like:"60s"`
	Socket   string        `env:"DOCKER_SOCKET" test:"true" envDefault:"/var/run/docker.sock" doc:"Unix socket of the Docker engine. Anybody who can use it has the rights of root on that machine." like:"/var/run/docker.sock"`
	Project  string        `env:"COMPOSE_PROJECT_NAME" envDefault:"found-footy" doc:"Compose project whose containers are scaled; no other is touched." like:"found-footy"`
}

func contradictions(_ config.Config, own any) (out config.Problems) {
	s := own.(*Settings) //nolint:forcetypeassert // made by New
	if s.Min > s.Max {
		out = append(out, config.Problem{Setting: "MIN_INSTANCES", Value: strconv.Itoa(s.Min), Why: "is above MAX_INSTANCES=" + strconv.Itoa(s.Max), Remedy: "lower it or raise MAX_INSTANCES"})
	}
	if s.Down >= s.Up {
		out = append(out, config.Problem{Setting: "SCALE_DOWN_THRESHOLD", Value: strconv.Itoa(s.Down), Why: "is not below SCALE_UP_THRESHOLD=" + strconv.Itoa(s.Up), Remedy: "lower it or raise SCALE_UP_THRESHOLD"})
	}
	return out
}

// Cmd is footy scaler.
type Cmd struct {
	DryRun bool `help:"Say what would be done, and do nothing."`
}

// Run scales the workers and browsers of a compose project.
func (s Cmd) Run(ctx context.Context, p command.Process) error {
	return Run(ctx, p.Config, p.Log, p.Version, s.DryRun)
}
