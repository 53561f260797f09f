package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// ErrSpoiled is in the error of a staged object that does not hold what was put there.
var ErrSpoiled = errors.New("its bytes are not those that were staged")

// sumLength is how much of a sum is in the name of a part: enough for what went wrong by chance.
const sumLength = 16

// StagedFilm is where the file of a post is staged; kind is its extension.
func StagedFilm(digest, kind string) string { return StagingPrefix + digest + "/clip" + kind }

// StagedMade is where a film that was made of the file is staged; sum is that of its bytes.
func StagedMade(digest, sum, kind string) string {
	return StagingPrefix + digest + "/film-" + sum[:sumLength] + kind
}

// StagedPart is where something lies that was made of the file. Its name ends in the sum of its bytes, as that of the file begins with it:
// so whoever reads it knows that they are still those.
func StagedPart(digest, name string, content []byte) string {
	kind := path.Ext(name)
	sum := sha256.Sum256(content)
	return StagingPrefix + digest + "/" + strings.TrimSuffix(name, kind) + "-" + hex.EncodeToString(sum[:])[:sumLength] + kind
}

// ReadStaged writes a staged object to w; ErrSpoiled where its bytes are others than its name says.
func ReadStaged(ctx context.Context, b Store, key string, w io.Writer) error {
	o, err := b.Open(ctx, key)
	if err != nil {
		return err
	}
	defer func() { _ = o.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w, sum), Cancellable(ctx, o)); err != nil {
		return err
	}
	if want := stagedSum(key); !strings.HasPrefix(hex.EncodeToString(sum.Sum(nil)), want) {
		return fmt.Errorf("%s: %w", key, ErrSpoiled)
	}
	return nil
}

// stagedSum is the sum in the name of a staged object; "" in names of 1.0.0 and before.
func stagedSum(key string) string {
	digest, name, _ := strings.Cut(strings.TrimPrefix(key, StagingPrefix), "/")
	if key == StagedFilm(digest, path.Ext(key)) {
		return digest
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	if sum := name[strings.LastIndex(name, "-")+1:]; len(sum) == sumLength {
		return sum
	}
	return ""
}

// Cancellable reads from r until ctx ends: a copy stops when the caller gives up.
func Cancellable(ctx context.Context, r io.Reader) io.Reader { return cancellable{ctx, r} }

type cancellable struct {
	ctx context.Context
	r   io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
