package main_test

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"
)

func TestS3ServesADirectory(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "s3")
	args := []string{"s3", "--root", root, "--access-key", "footy", "--secret-key", "footy-secret", "--bucket", "clips"}
	connect := func(p *process, secret string) *minio.Client {
		c, err := minio.New(p.Address, &minio.Options{Creds: credentials.NewStaticV4("footy", secret, "")})
		require.NoError(t, err)
		return c
	}
	p := start(t, args...)
	c := connect(p, "footy-secret")
	content := bytes.Repeat([]byte("0123456789"), 1<<20) // 10 MB: several parts
	_, err := c.PutObject(t.Context(), "clips", "1/goal.mp4", bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{
		ContentType: "video/mp4", PartSize: 5 << 20, UserMetadata: map[string]string{"Scorer": "Ødegaard"},
	})
	require.NoError(t, err)
	_, err = connect(p, "wrong").StatObject(t.Context(), "clips", "1/goal.mp4", minio.StatObjectOptions{})
	require.Error(t, err, "a wrong signature is refused")

	require.Zero(t, p.stop(t))
	c = connect(start(t, args...), "footy-secret") // the bucket exists already
	var o minio.GetObjectOptions
	require.NoError(t, o.SetRange(5, 14))
	obj, err := c.GetObject(t.Context(), "clips", "1/goal.mp4", o)
	require.NoError(t, err)
	part, err := io.ReadAll(obj)
	require.NoError(t, err)
	require.Equal(t, "5678901234", string(part))
	info, err := c.StatObject(t.Context(), "clips", "1/goal.mp4", minio.StatObjectOptions{})
	require.NoError(t, err)
	require.Equal(t, "video/mp4", info.ContentType)
	require.Equal(t, int64(len(content)), info.Size)
}
