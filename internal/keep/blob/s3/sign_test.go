package s3_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/s3"
)

// TestASignedAddressGivesTheObjectToWhoHasIt: under the name that viewers use, in ranges as players ask, and nothing else.
func TestASignedAddressGivesTheObjectToWhoHasIt(t *testing.T) {
	t.Parallel()
	inside := server(t)
	inside.Bucket, inside.Region = "footy", "us-east-1"
	s, err := open(t, inside)
	require.NoError(t, err)
	require.NoError(t, s.Put(t.Context(), "clips/1/a b.mp4", strings.NewReader("0123456789"), 10, blob.Info{ContentType: "video/mp4"}))

	outside := inside
	_, port, err := net.SplitHostPort(inside.Endpoint)
	require.NoError(t, err)
	outside.Endpoint = net.JoinHostPort("localhost", port)
	public, err := s3.New(outside)
	require.NoError(t, err)
	address, err := public.Sign(t.Context(), "clips/1/a b.mp4", "", time.Hour)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(address, "http://localhost:"), address)

	get := func(address, ranges string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		require.NoError(t, err)
		if ranges != "" {
			req.Header.Set("Range", ranges)
		}
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res, string(b)
	}
	res, body := get(address, "")
	require.Equal(t, http.StatusOK, res.StatusCode, body)
	require.Equal(t, "0123456789", body)
	require.Equal(t, "video/mp4", res.Header.Get("Content-Type"))
	res, body = get(address, "bytes=3-5")
	require.Equal(t, http.StatusPartialContent, res.StatusCode)
	require.Equal(t, "345", body)

	plain, _, _ := strings.Cut(address, "?")
	for name, other := range map[string]string{"not signed": plain, "another object": strings.Replace(address, "a%20b", "other", 1)} {
		res, body = get(other, "")
		require.Equal(t, http.StatusForbidden, res.StatusCode, name)
		require.NotContains(t, body, "0123456789", name)
	}

	saved, err := public.Sign(t.Context(), "clips/1/a b.mp4", "Saka 12'.mp4", time.Hour)
	require.NoError(t, err)
	res, _ = get(saved, "")
	require.Contains(t, res.Header.Get("Content-Disposition"), "Saka 12'.mp4")
}
