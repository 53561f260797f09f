package blob

import (
	"context"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// DeletePrefix deletes every object whose key begins with prefix.
func DeletePrefix(ctx context.Context, b Store, prefix string) error {
	if !strings.HasSuffix(prefix, "/") {
		return footy.Errorf(footy.CodeInvalid, "delete objects", "prefix %q does not end in a slash", prefix)
	}
	var keys []string
	err := b.List(ctx, prefix, func(at Attributes) error { keys = append(keys, at.Key); return nil })
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := b.Delete(ctx, k); err != nil {
			return err
		}
	}
	return nil
}
