//go:build pins

package pins

import (
	_ "github.com/alecthomas/kong"
	_ "github.com/caarlos0/env/v11"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/hashicorp/go-retryablehttp"
	_ "github.com/minio/minio-go/v7"
	_ "github.com/openai/openai-go/v3"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "github.com/stretchr/testify/mock"
	_ "github.com/stretchr/testify/require"
	_ "go.mongodb.org/mongo-driver/v2/mongo"
	_ "go.temporal.io/api/workflowservice/v1"
	_ "go.temporal.io/sdk/client"
	_ "go.temporal.io/sdk/interceptor"
	_ "go.temporal.io/sdk/testsuite"
	_ "go.temporal.io/sdk/worker"
	_ "go.uber.org/goleak"
	_ "golang.org/x/net/html"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/text/unicode/norm"
	_ "golang.org/x/text/transform"
	_ "golang.org/x/image/draw"
	_ "golang.org/x/time/rate"
	_ "golang.org/x/sys/unix"
	_ "github.com/chromedp/chromedp"
	_ "github.com/sony/gobreaker/v2"
	_ "github.com/cenkalti/backoff/v5"
	_ "modernc.org/sqlite"
	_ "pgregory.net/rapid"
)
