package s3_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/blobtest"
	"github.com/found-footy/found-footy/internal/keep/blob/s3"
	"github.com/found-footy/found-footy/tools/devtest"
)

const (
	accessKey = "test-access"
	secretKey = "test-secret-of-some-length"
)

// server starts the teststack's S3 server and returns options that name no bucket yet.
func server(t *testing.T) s3.Options {
	t.Helper()
	ready := devtest.Start(t, "s3", "--root", t.TempDir(), "--access-key", accessKey, "--secret-key", secretKey, "--port", "0")
	return s3.Options{Endpoint: ready.Address, AccessKey: accessKey, SecretKey: secretKey}
}

// open makes a store and connects it, as a program does at its start.
func open(t *testing.T, o s3.Options) (*s3.Store, error) {
	t.Helper()
	s, err := s3.New(o)
	if err != nil {
		return nil, err
	}
	return s, s.Connect(t.Context())
}

func TestConformance(t *testing.T) {
	t.Parallel()
	opts := server(t)
	var n atomic.Int64
	blobtest.Run(t, func(t *testing.T) blob.Store {
		o := opts
		o.Bucket = fmt.Sprintf("clips-%d", n.Add(1))
		s, err := open(t, o)
		require.NoError(t, err)
		return s
	}, blobtest.Traits{LooseWords: true}) // the teststack's server keeps metadata in files of their own
}

func TestOpen(t *testing.T) {
	t.Parallel()
	opts := server(t)
	opts.Bucket = "footy"

	t.Run("keeps a bucket that is there", func(t *testing.T) {
		s, err := open(t, opts)
		require.NoError(t, err)
		require.NoError(t, s.Put(t.Context(), "a", strings.NewReader("x"), 1, blob.Info{}))
		opts := opts
		opts.Endpoint = "http://" + strings.TrimPrefix(opts.Endpoint, "http://") + "/" // as people write it
		s, err = open(t, opts)
		require.NoError(t, err)
		_, err = s.Stat(t.Context(), "a")
		require.NoError(t, err)
	})
	t.Run("a wrong key says what to check", func(t *testing.T) {
		opts := opts
		opts.SecretKey = "wrong"
		_, err := open(t, opts)
		require.Equal(t, footy.CodeAuthRequired, footy.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, opts.Bucket)
		require.NotContains(t, err.Error(), "wrong")
	})
	t.Run("no server is unavailable", func(t *testing.T) {
		opts := opts
		opts.Endpoint = devtest.FreeAddr(t)
		_, err := open(t, opts)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, opts.Endpoint)
	})
	t.Run("no bucket is invalid", func(t *testing.T) {
		opts := opts
		opts.Bucket = ""
		_, err := open(t, opts)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	})
}
