package validate

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

type Condition struct {
	Reason         footy.Reason
	Detail         string
	Since, LastOK  time.Time
	SecondsPerClip float64
}
