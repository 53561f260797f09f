package config

import "time"

// Objective is what coverage should be.
type Objective struct {
	Percent int           `env:"COVERAGE_OBJECTIVE" envDefault:"90" min:"1" max:"99" doc:"Per cent of the goals that should have a verified clip within COVERAGE_WITHIN. Health says how it fares, and the alerts of deploy/prometheus go by it." like:"90"`
	Within  time.Duration `env:"COVERAGE_WITHIN" envDefault:"5m" min:"1m" max:"24h" doc:"Time from a goal to its first verified clip that counts as in time." like:"5m"`
}
