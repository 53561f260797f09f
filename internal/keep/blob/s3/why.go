package s3

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/found-footy/found-footy/internal/footy"
)

// The rights that a key needs on its bucket.
const (
	mayRead   = "s3:GetObject"
	mayWrite  = "s3:PutObject"
	mayDelete = "s3:DeleteObject"
	mayList   = "s3:ListBucket"
	mayMake   = "s3:CreateBucket"
	mayAbort  = "s3:ListBucketMultipartUploads and s3:AbortMultipartUpload"
)

// Refusal says why a store that answers does not do what it is asked, and what to do about it.
type Refusal struct{ Reason, Remedy string }

// Error implements error.
func (r *Refusal) Error() string { return r.Reason + "; " + r.Remedy }

// explain finds out why a HEAD of key failed, of the bucket if it is empty. Its answer has no body, so a listing of one object is asked, too.
// A key that may not list is answered 403 for what is not there.
func (s *Store) explain(ctx context.Context, key string, head error) (right string, err error) {
	status := minio.ToErrorResponse(head).StatusCode
	if status == 0 { // no answer
		return mayRead, head
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()                                                                                                 // ends the listing
	o := <-s.client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: key, Recursive: true, MaxKeys: 1}) // empty where there is none
	if o.Err != nil && (status != http.StatusNotFound || minio.ToErrorResponse(o.Err).Code != minio.AccessDenied) {
		return mayList, o.Err
	}
	if key != "" && o.Key != key {
		return mayRead, minio.ErrorResponse{Code: minio.NoSuchKey, StatusCode: http.StatusNotFound}
	}
	return mayRead, head
}

// expected is the region that the text of an answer names.
var expected = regexp.MustCompile(`expecting ['"‘]?([A-Za-z0-9-]+)`)

// most is what our clock may be off; stores refuse what is signed more than 15 minutes off.
const most = 10 * time.Minute

// refusal reads an answer that says that settings, rights or the clock are wrong; nil if it says something else. right is what was needed.
func (s *Store) refusal(answer minio.ErrorResponse, right string) (footy.Code, *Refusal) {
	region := answer.Region
	if found := expected.FindStringSubmatch(answer.Message); found != nil {
		region = found[1]
	}
	refused := answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusBadRequest
	off := time.Duration(s.clock.ahead.Load())
	switch {
	case answer.Code == minio.NoSuchBucket:
		return footy.CodeUnavailable, &Refusal{s.where + " does not exist", "restart to make it, or correct S3_BUCKET"}
	case answer.Code == "RequestTimeTooSkewed", answer.Code == "RequestExpired", refused && off.Abs() > most && answer.Code != "InvalidAccessKeyId":
		way := map[bool]string{true: "ahead of", false: "behind"}[off > 0]
		return footy.CodeUnavailable, &Refusal{fmt.Sprintf("the clock of this machine is %s %s that of %s", strings.TrimSuffix(off.Abs().Round(time.Minute).String(), "0s"), way, s.where), "set the clock right (NTP), here or there"}
	case region != "" && !strings.EqualFold(region, s.region) && answer.Code != minio.AccessDenied:
		return footy.CodeAuthRequired, &Refusal{fmt.Sprintf("%s is in the region %s, and S3_REGION is %s", s.where, region, s.region), "set S3_REGION=" + region}
	case answer.Code == minio.AuthorizationHeaderMalformed, answer.Code == minio.InvalidRegion:
		return footy.CodeAuthRequired, &Refusal{fmt.Sprintf("%s does not take S3_REGION=%s", s.where, s.region), "set S3_REGION to the region in the store's own settings (Garage's is garage)"}
	case answer.Code == "InvalidAccessKeyId", answer.Code == "XAdminUserNotFound":
		return footy.CodeAuthRequired, &Refusal{s.where + " does not know the key of S3_ACCESS_KEY", "correct S3_ACCESS_KEY and S3_SECRET_KEY"}
	case answer.Code == "SignatureDoesNotMatch":
		return footy.CodeAuthRequired, &Refusal{s.where + " does not take our signature (SignatureDoesNotMatch)",
			"correct S3_SECRET_KEY; a proxy before the store must leave the Host header and the path as they are"}
	case answer.StatusCode >= 300 && answer.StatusCode < 400, answer.Code == "SecondLevelDomainForbidden", answer.Code == "VirtualHostDomainRequired":
		return footy.CodeAuthRequired, &Refusal{fmt.Sprintf("%s has the bucket at another address (%s)", s.where, cmp.Or(answer.Code, "a redirect")),
			"set S3_ENDPOINT to the address of the bucket's region, one that takes the bucket's name in the path, and S3_REGION to that region"}
	case answer.Code == "SlowDown", answer.Code == "RequestLimitExceeded", answer.StatusCode == http.StatusTooManyRequests:
		return footy.CodeRateLimited, &Refusal{s.where + " asks for fewer requests (" + cmp.Or(answer.Code, "429") + ")", "wait, or raise the store's limit of requests"}
	case answer.StatusCode == http.StatusMethodNotAllowed, answer.StatusCode == http.StatusNotImplemented:
		return footy.CodeAuthRequired, &Refusal{fmt.Sprintf("what answers at %s does not do what an object store does (HTTP %d)", s.where, answer.StatusCode),
			"set S3_ENDPOINT to the address of the S3 API, not of a console or a web page"}
	case answer.StatusCode == http.StatusBadRequest && strings.Contains(answer.Message, "HTTPS"):
		return footy.CodeAuthRequired, &Refusal{s.where + " speaks https, and S3_SECURE is false", "set S3_SECURE=true"}
	case right == mayList && answer.StatusCode == http.StatusForbidden && answer.RequestID == "" && answer.Message == "Access Denied.": // minio's words for a body that no store sends
		return footy.CodeAuthRequired, &Refusal{s.where + " is behind a proxy or firewall that refuses us (403 with a page of its own)", "let this machine through there, or correct S3_ENDPOINT"}
	case answer.StatusCode == http.StatusForbidden, answer.StatusCode == http.StatusUnauthorized, answer.Code == minio.AccessDenied:
		return footy.CodeAuthRequired, &Refusal{fmt.Sprintf("%s refuses the key of S3_ACCESS_KEY what needs the right %s (%s)", s.where, right, answer.Code),
			"correct S3_ACCESS_KEY and S3_BUCKET, or give the key " + right + " on the bucket"}
	}
	return "", nil
}

// clock compares the Date of each answer with ours.
type clock struct {
	next  http.RoundTripper
	ahead atomic.Int64 // nanoseconds that this machine's clock is ahead
}

// RoundTrip implements http.RoundTripper.
func (c *clock) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := c.next.RoundTrip(r)
	if err == nil {
		if at, bad := http.ParseTime(res.Header.Get("Date")); bad == nil {
			c.ahead.Store(int64(time.Since(at)))
		}
	}
	return res, err
}
