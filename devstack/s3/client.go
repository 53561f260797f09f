package s3

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

type client struct{ api *s3.Client }

func newClient(address, access, secret string) client {
	return client{s3.New(s3.Options{
		BaseEndpoint:     aws.String("http://" + address),
		Region:           Region,
		UsePathStyle:     true,
		Credentials:      credentials.NewStaticCredentialsProvider(access, secret, ""),
		RetryMaxAttempts: 1,
	})}
}

func (c client) probe(ctx context.Context) error {
	_, err := c.api.ListBuckets(ctx, &s3.ListBucketsInput{})
	return err
}

func (c client) create(ctx context.Context, bucket string) error {
	_, err := c.api.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String(bucket)})
	var ours *types.BucketAlreadyOwnedByYou
	if errors.As(err, &ours) {
		return nil
	}
	return err
}
