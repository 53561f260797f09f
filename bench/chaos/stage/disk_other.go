//go:build !linux

package stage

// disk would be a small one of its own for the state directory.
type disk struct{}

func mount(string) *disk { return &disk{} }

func (d *disk) fill() (restore func() error, err error) {
	return nil, errSkip{"a small disk is mounted on Linux only"}
}

func (d *disk) keep(string) {}

// Release has nothing to give back.
func Release(string) {}
