//go:build !linux

package stage

import "errors"

// disk would be a small one of its own for the state directory.
type disk struct{}

func mount(string) (*disk, error) { return nil, errors.New("it is mounted on Linux only") }

func (d *disk) fill() (restore func() error, err error) { return nil, errors.ErrUnsupported }

func (d *disk) keep(string) {}

// Release has nothing to give back.
func Release(string) {}
