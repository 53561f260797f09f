package s3_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/s3"
)

// manner is how a store answers a HEAD, and the listing after it.
type manner struct {
	head    int
	status  int // of the listing
	code    string
	message string
	region  string        // in the body
	header  string        // x-amz-bucket-region
	off     time.Duration // of its clock
	listed  string
	page    string // instead of XML
}

// answers is a store with these manners, which takes nothing.
func answers(t *testing.T, m manner) *s3.Store {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Date", time.Now().Add(m.off).UTC().Format(http.TimeFormat))
		if m.header != "" {
			h.Set("x-amz-bucket-region", m.header)
		}
		h.Set("Content-Type", "application/xml")
		switch {
		case r.Method == http.MethodHead:
			w.WriteHeader(m.head)
		case m.page != "":
			w.WriteHeader(m.status)
			fmt.Fprint(w, m.page)
		case m.code != "":
			w.WriteHeader(m.status)
			fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>%s</Message><Region>%s</Region></Error>`, m.code, m.message, m.region)
		default:
			fmt.Fprintf(w, `<?xml version="1.0"?><ListBucketResult><Name>clips</Name><Contents><Key>%s</Key><Size>1</Size></Contents></ListBucketResult>`, m.listed)
		}
	}))
	t.Cleanup(srv.Close)
	s, err := s3.New(s3.Options{Endpoint: srv.URL + "//", AccessKey: "a", SecretKey: "b", Bucket: "clips", Region: "us-east-1"})
	require.NoError(t, err)
	return s
}

// TestAfterAHeadTheStoreIsAskedWhy: a HEAD has no body. A wrong region looked like a store that does not answer, a wrong clock like a wrong key.
func TestAfterAHeadTheStoreIsAskedWhy(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		manner
		code footy.Code
		says []string
	}{
		"Garage, another region": {manner{head: 400, status: 400, code: "AuthorizationHeaderMalformed", message: "Authorization header malformed, unexpected scope: 20261127/us-east-1/s3/aws4_request", region: "garage"},
			footy.CodeAuthRequired, []string{"in the region garage", "S3_REGION=garage"}},
		"the region in the text alone": {manner{head: 400, status: 400, code: "AuthorizationHeaderMalformed", message: "the region 'us-east-1' is wrong; expecting 'eu-west-1'"},
			footy.CodeAuthRequired, []string{"S3_REGION=eu-west-1"}},
		"a region that is not said": {manner{head: 400, status: 400, code: "AuthorizationHeaderMalformed", message: "malformed"}, footy.CodeAuthRequired, []string{"S3_REGION"}},
		"AWS, a bucket of another region": {manner{head: 301, status: 301, code: "PermanentRedirect", message: "must be addressed using the specified endpoint", header: "eu-central-1"},
			footy.CodeAuthRequired, []string{"S3_REGION=eu-central-1"}},
		"the region in the header of a 400":               {manner{head: 400, status: 400, code: "IllegalLocationConstraintException", header: "eu-south-2"}, footy.CodeAuthRequired, []string{"S3_REGION=eu-south-2"}},
		"a redirect to who knows where":                   {manner{head: 307, status: 307, code: "TemporaryRedirect", message: "elsewhere"}, footy.CodeAuthRequired, []string{"S3_ENDPOINT"}},
		"virtual hosts only":                              {manner{head: 403, status: 403, code: "SecondLevelDomainForbidden", message: "use virtual hosted style"}, footy.CodeAuthRequired, []string{"S3_ENDPOINT", "in the path"}},
		"our clock is behind":                             {manner{head: 403, status: 403, code: "RequestTimeTooSkewed", off: 20 * time.Minute}, footy.CodeUnavailable, []string{"clock of this machine is 20m", "behind"}},
		"our clock is ahead, in other words":              {manner{head: 400, status: 400, code: "InvalidRequest", message: "Date is too old", off: -time.Hour}, footy.CodeUnavailable, []string{"clock of this machine is 1h0m", "ahead of"}},
		"a clock that is off and a key that is not known": {manner{head: 403, status: 403, code: "InvalidAccessKeyId", off: time.Hour}, footy.CodeAuthRequired, []string{"S3_ACCESS_KEY"}},
		"an unknown key":                                  {manner{head: 403, status: 403, code: "InvalidAccessKeyId"}, footy.CodeAuthRequired, []string{"does not know the key of S3_ACCESS_KEY"}},
		"another secret":                                  {manner{head: 403, status: 403, code: "SignatureDoesNotMatch"}, footy.CodeAuthRequired, []string{"S3_SECRET_KEY", "Host header"}},
		"no right to list":                                {manner{head: 403, status: 403, code: "AccessDenied", header: "eu-west-1"}, footy.CodeAuthRequired, []string{"s3:ListBucket"}},
		"overloaded":                                      {manner{head: 403, status: 400, code: "RequestLimitExceeded"}, footy.CodeRateLimited, []string{"fewer requests"}},
		"too fast":                                        {manner{head: 403, status: 400, code: "SlowDown"}, footy.CodeRateLimited, []string{"fewer requests (SlowDown)"}},
		"a web page":                                      {manner{head: 405, status: 405, page: "<html>Method Not Allowed</html>"}, footy.CodeAuthRequired, []string{"HTTP 405", "S3 API"}},
		"no object store":                                 {manner{head: 501, status: 501, code: "NotImplemented"}, footy.CodeAuthRequired, []string{"HTTP 501", "S3 API"}},
		"http to a port of TLS":                           {manner{head: 400, status: 400, page: "Client sent an HTTP request to an HTTPS server.\n"}, footy.CodeAuthRequired, []string{"S3_SECURE=true"}},
		"nginx, http to TLS":                              {manner{head: 400, status: 400, page: "<html><h1>400 Bad Request</h1>The plain HTTP request was sent to HTTPS port</html>"}, footy.CodeAuthRequired, []string{"S3_SECURE=true"}},
		"a page of a proxy, 403":                          {manner{head: 403, status: 403, page: "<html><title>403 Forbidden</title></html>"}, footy.CodeAuthRequired, []string{"behind a proxy or firewall"}},
		"a bucket to be made and no right to":             {manner{head: 404, status: 403, code: "AccessDenied"}, footy.CodeAuthRequired, []string{"s3:CreateBucket"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := answers(t, tc.manner).Connect(t.Context())
			require.Equal(t, tc.code, footy.CodeOf(err), "%v", err)
			var why *s3.Refusal
			require.Equal(t, tc.says != nil, errors.As(err, &why), "%v", err)
			for _, words := range tc.says {
				require.ErrorContains(t, err, words)
			}
		})
	}
}

// TestWhatIsThereIsNotGuessedFromAHead: a key that may not list a bucket gets 403 for an object that is not there, and a bucket that is gone 404.
func TestWhatIsThereIsNotGuessedFromAHead(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		manner
		code footy.Code
		says string
	}{
		"it is not there":                     {manner{head: 404, listed: "clips/b.mp4"}, footy.CodeNotFound, ""},
		"it is not there, and may not list":   {manner{head: 404, status: 403, code: "AccessDenied"}, footy.CodeNotFound, ""},
		"it is not there, and 403 for it":     {manner{head: 403, listed: "clips/a.mp4.more"}, footy.CodeNotFound, ""},
		"it is there and may not be read":     {manner{head: 403, listed: "clips/a.mp4"}, footy.CodeAuthRequired, "s3:GetObject"},
		"which of both cannot be found out":   {manner{head: 403, status: 403, code: "AccessDenied"}, footy.CodeAuthRequired, "s3:ListBucket"},
		"the bucket is gone":                  {manner{head: 404, status: 404, code: "NoSuchBucket"}, footy.CodeUnavailable, "does not exist"},
		"the clock went wrong meanwhile":      {manner{head: 403, status: 403, code: "RequestTimeTooSkewed", off: -2 * time.Hour}, footy.CodeUnavailable, "2h0m"},
		"the bucket was moved to another key": {manner{head: 403, status: 403, code: "SignatureDoesNotMatch"}, footy.CodeAuthRequired, "S3_SECRET_KEY"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := answers(t, tc.manner)
			_, err := s.Stat(t.Context(), "clips/a.mp4")
			require.Equal(t, tc.code, footy.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tc.says)
			_, err = s.Open(t.Context(), "clips/a.mp4")
			require.Equal(t, tc.code, footy.CodeOf(err), "%v", err)
		})
	}
}

func TestTheBucketIsNotNamedTwice(t *testing.T) {
	t.Parallel()
	for _, endpoint := range []string{"https://clips.s3.eu-west-1.amazonaws.com", "clips.s3-eu-west-1.example.org/"} {
		_, err := s3.New(s3.Options{Endpoint: endpoint, AccessKey: "a", SecretKey: "b", Bucket: "clips"})
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
		require.ErrorContains(t, err, "leave clips. out")
	}
	_, err := s3.New(s3.Options{Endpoint: "clips.example.org", AccessKey: "a", SecretKey: "b", Bucket: "clips"})
	require.NoError(t, err)
}

func TestTheServerItselfSaysWhy(t *testing.T) {
	t.Parallel()
	opts := server(t)
	opts.Bucket, opts.Region = "footy", "us-east-1"
	s, err := open(t, opts)
	require.NoError(t, err)
	for words, change := range map[string]func(*s3.Options){
		"set S3_REGION=us-east-1": func(o *s3.Options) { o.Region = "garage" },
		"correct S3_SECRET_KEY":   func(o *s3.Options) { o.SecretKey = "other" },
		"correct S3_ACCESS_KEY":   func(o *s3.Options) { o.AccessKey = "other" },
	} {
		o := opts
		change(&o)
		other, err := s3.New(o)
		require.NoError(t, err)
		require.ErrorContains(t, other.Connect(t.Context()), words)
		_, err = other.Stat(t.Context(), "a")
		require.Equal(t, footy.CodeAuthRequired, footy.CodeOf(err), "%v", err)
		require.ErrorContains(t, other.Put(t.Context(), "a", strings.NewReader("x"), 1, blob.Info{}), words)
	}
	core, err := minio.NewCore(opts.Endpoint, &minio.Options{Creds: credentials.NewStaticV4(accessKey, secretKey, "")})
	require.NoError(t, err)
	require.NoError(t, core.RemoveBucket(t.Context(), opts.Bucket))
	_, err = s.Stat(t.Context(), "a")
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "no bucket is not nothing found: %v", err)
}
