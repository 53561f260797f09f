package engine

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/network"
	"github.com/found-footy/found-footy/internal/telemetry"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc"
)

// dialWithin is how long Temporal may take to answer at start.
const dialWithin = 8 * time.Second

// Identity is how this process is called among those that ask the engine for tasks.
func Identity() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%d@%s", os.Getpid(), host)
}

// Dial connects to Temporal and makes sure that our namespace is there: without it every later call would fail. metrics
// and traces may be nil.
func Dial(ctx context.Context, address string, c config.Engine, log *slog.Logger, metrics *telemetry.Metrics, traces *telemetry.Traces) (client.Client, error) {
	const op = "connect to Temporal"
	o := client.Options{HostPort: address, Namespace: c.Namespace, Identity: Identity(), Logger: telemetry.Temporal(log), Interceptors: traces.Interceptors()}
	if metrics != nil {
		o.MetricsHandler = metrics.TemporalMetrics()
	}
	if c.APIKey != "" {
		o.Credentials = client.NewAPIKeyStaticCredentials(c.APIKey)
	}
	// Temporal keeps no configuration of clients in DNS, and a resolver that does not get out, as that of an internal network of Docker,
	// answers the question for it after many seconds.
	o.ConnectionOptions = client.ConnectionOptions{DialOptions: []grpc.DialOption{grpc.WithDisableServiceConfig()}}
	if c.TLS || c.APIKey != "" {
		o.ConnectionOptions.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	ctx, cancel := context.WithTimeout(ctx, dialWithin)
	defer cancel()
	t, err := client.DialContext(ctx, o)
	if err != nil {
		if errors.Is(context.Cause(ctx), context.Canceled) {
			return nil, context.Canceled
		}
		return nil, footy.Errorf(footy.CodeUnavailable, op, "nothing answers as Temporal at TEMPORAL_ADDRESS=%s (%s); start it, or unset TEMPORAL_ADDRESS to use the embedded one",
			address, network.Unreached(err))
	}
	var missing *serviceerror.NamespaceNotFound
	_, err = t.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: c.Namespace})
	if errors.As(err, &missing) {
		t.Close()
		return nil, footy.Errorf(footy.CodeNotFound, op, "TEMPORAL_NAMESPACE=%s is not at %s; create it with a retention of 168h or more, or name another",
			c.Namespace, address)
	}
	return t, nil // what else went wrong (no right to ask, say) is for the calls that matter to tell
}
