//go:build !linux || !amd64

package proc

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

func setClock(int, time.Duration) error {
	return fmt.Errorf("set the clock of a process on %s/%s: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)
}
