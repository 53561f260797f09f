package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/found-footy/found-footy/internal/footy"
)

// tokenOf is the file with the word that clients of an engine of ours must send: other users of the machine reach its port, too, and
// cannot read the file.
func tokenOf(dir string) string { return filepath.Join(dir, "token") }

// renewToken makes the token of a start. While the engine was down, another user may have listened at its port and have been sent the
// former.
func renewToken(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) { // it may be open to others
		return err
	}
	return os.WriteFile(file, []byte(rand.Text()+rand.Text()+"\n"), 0o600)
}

// readToken refuses what no header can hold: a file may be damaged.
func readToken(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(b))
	if len(token) < 32 || len(token) > 1024 || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("holds no token")
	}
	return token, nil
}

// bearer sends the token of a file with each call. An engine that is started anew may have another; one that runs keeps its own, also
// where the file is gone.
type bearer struct {
	file string
	last atomic.Pointer[string]
}

// GetHeaders implements the SDK's HeadersProvider.
func (b *bearer) GetHeaders(context.Context) (map[string]string, error) {
	token, err := readToken(b.file)
	if err == nil {
		b.last.Store(&token)
	}
	if last := b.last.Load(); last != nil {
		return map[string]string{"authorization": "Bearer " + *last}, nil
	}
	return nil, noToken(b.file, err)
}

func noToken(file string, err error) error {
	return footy.Errorf(footy.CodeAuthRequired, op, "the engine's token in TEMPORAL_TOKEN_FILE=%s: %w; name the file token in its engine directory", file, withoutPath(err))
}
