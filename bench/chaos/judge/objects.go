package judge

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Objects lists the keys of the object store.
func (s Site) Objects(ctx context.Context) ([]string, error) {
	c, err := minio.New(s.S3, &minio.Options{Creds: credentials.NewStaticV4(s.Key, s.Secret, "")})
	if err != nil {
		return nil, err
	}
	var out []string
	for o := range c.ListObjects(ctx, s.Bucket, minio.ListObjectsOptions{Recursive: true}) {
		if o.Err != nil {
			return nil, o.Err
		}
		out = append(out, o.Key)
	}
	return out, nil
}

// Bytes finds clips without bytes and bytes without a clip. An object belongs to the goal whose uid is a part of its key,
// and its file is named after its content. Files of goals that do not stand are left to footy audit: what lies there
// depends on how far the goal had come. So are files without an owner where a database was put back without its objects (byHand): those
// of clips that it never heard of.
func Bytes(o Outcome, keys []string, name func(id string) string, byHand bool) []string {
	var out []string
	for goal, g := range o.Goals {
		there := map[string]int{}
		for _, key := range keys {
			parts := strings.Split(key, "/")
			if parts[0] == "clips" && slices.Contains(parts, g.UID) {
				there[idOf(key)]++
			}
		}
		for _, c := range g.Clips {
			if there[c.ID] != 1 {
				out = append(out, fmt.Sprintf("%s: the bytes of %s lie in the object store %d times", goal, name(c.ID), there[c.ID]))
			}
			delete(there, c.ID)
		}
		if byHand {
			continue
		}
		for id := range there {
			out = append(out, fmt.Sprintf("%s: the object store holds %s, which is no clip of this goal", goal, name(id)))
		}
	}
	slices.Sort(out)
	return out
}

// idOf is the clip's id: the first 16 digits of its content's digest.
func idOf(key string) string {
	digest := strings.TrimSuffix(path.Base(key), path.Ext(key))
	return digest[:min(16, len(digest))]
}
