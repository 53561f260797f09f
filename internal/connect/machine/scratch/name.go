package scratch

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

const names = "names" // in STATE_DIR

// Name is what a process is known by to others that share its database. It is free again when the process ends, however that
// happens, and the next one takes it: who was killed and started anew goes on with what it held.
type Name struct {
	Text string
	lock *os.File
}

// TakeName takes the first name of a state directory that no living process has.
func TakeName(stateDir string) (*Name, error) {
	dir := filepath.Join(stateDir, names)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		f, err := os.OpenFile(filepath.Join(dir, strconv.Itoa(n)), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		locked, err := lockedNow(f)
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if !locked {
			_ = f.Close()
			continue
		}
		text, err := io.ReadAll(f)
		if err == nil && len(text) == 0 {
			text = []byte(rand.Text())
			_, err = f.Write(text)
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		host, _ := os.Hostname() // a copied directory must not make two machines one
		return &Name{host + "/" + string(text), f}, nil
	}
}

// Free lets another process have the name; nil has none.
func (n *Name) Free() {
	if n != nil {
		_ = n.lock.Close()
	}
}
