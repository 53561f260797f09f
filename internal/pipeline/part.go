package pipeline

import "context"

// Part is what an extra adds to a process that takes tasks.
type Part struct {
	Run func(context.Context) // until the process is told to stop
}
