package s3_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/blob/s3"
)

// Each look wrote an object of its own and deleted it: 11,520 requests a day, most of which some services charge for.
func TestALookOverwritesOneObjectAndDeletesNothing(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Method+" "+r.URL.Path)
		w.Header().Set("ETag", `"d41d8cd98f00b204e9800998ecf8427e"`)
	}))
	t.Cleanup(srv.Close)
	s, err := s3.New(s3.Options{Endpoint: strings.TrimPrefix(srv.URL, "http://"), AccessKey: "a", SecretKey: "b", Bucket: "clips", Region: "us-east-1"})
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, s.Ping(t.Context()))
	}
	const put = "PUT /clips/write-test.txt"
	require.Equal(t, []string{"HEAD /clips/", put, put, put}, asked, "the bucket is asked for once")
}
