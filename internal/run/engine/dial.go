package engine

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
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

// Dial connects to Temporal and makes sure that our namespace is there: without it every later call would fail.
func Dial(ctx context.Context, c config.Engine, log *slog.Logger) (client.Client, error) {
	t, err := Connect(c, log)
	if err != nil {
		return nil, err
	}
	if err := Answers(ctx, t, c); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Connect makes a client and asks nothing yet: a process of a fleet may be there before its engine.
func Connect(c config.Engine, log *slog.Logger) (client.Client, error) {
	t, err := client.NewLazyClient(options(c, log))
	return t, footy.Wrap(footy.CodeInvalid, op, err)
}

// Answers says why the Temporal of t, which the settings name, is of no use now.
func Answers(ctx context.Context, t client.Client, c config.Engine) error {
	ctx, cancel := context.WithTimeout(ctx, dialWithin)
	defer cancel()
	if _, err := t.WorkflowService().GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{}); err != nil {
		return unanswered(ctx, c, err)
	}
	return hasNamespace(ctx, t, c.Address, c.Namespace)
}

// Await waits until the Temporal of t answers and has our namespace, and logs each of the two once.
func Await(ctx context.Context, t client.Client, c config.Engine, log *slog.Logger) error {
	return network.Await(ctx, telemetry.Module(log, "engine"), "the workflow engine", func() error { return Answers(ctx, t, c) })
}

const op = "connect to Temporal"

func options(c config.Engine, log *slog.Logger) client.Options {
	o := client.Options{HostPort: c.Address, Namespace: c.Namespace, Identity: Identity(), Logger: telemetry.Temporal(log)}
	if c.TokenFile != "" {
		o.HeadersProvider = &bearer{file: c.TokenFile}
	}
	if c.APIKey != "" {
		o.Credentials = client.NewAPIKeyStaticCredentials(c.APIKey)
	}
	// Temporal keeps no configuration of clients in DNS, and a resolver that does not get out, as that of an internal network of Docker,
	// answers the question for it after many seconds.
	o.ConnectionOptions = client.ConnectionOptions{DialOptions: []grpc.DialOption{grpc.WithDisableServiceConfig()},
		GrpcCompression: &client.GrpcCompressionNone{}} // on this machine, or beside it, packing costs more than it saves
	if c.TLS || c.APIKey != "" {
		o.ConnectionOptions.TLS, o.ConnectionOptions.GrpcCompression = &tls.Config{MinVersion: tls.VersionTLS12}, nil
	}
	return o
}

func unanswered(ctx context.Context, c config.Engine, err error) error {
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return context.Canceled
	}
	if _, refused := errors.AsType[*serviceerror.PermissionDenied](err); refused || status.Code(err) == codes.PermissionDenied || status.Code(err) == codes.Unauthenticated {
		return footy.Errorf(footy.CodeAuthRequired, op, "the Temporal at TEMPORAL_ADDRESS=%s refuses us (%w); for the engine of another footy on this machine, set "+
			"TEMPORAL_TOKEN_FILE to the file token in its engine directory; for Temporal Cloud, correct TEMPORAL_API_KEY", c.Address, err)
	}
	if _, bad := readToken(c.TokenFile); c.TokenFile != "" && bad != nil {
		return noToken(c.TokenFile, bad)
	}
	return footy.Errorf(footy.CodeUnavailable, op, "nothing answers as Temporal at TEMPORAL_ADDRESS=%s (%s); start it, or unset TEMPORAL_ADDRESS to use the embedded one",
		c.Address, network.Shorten(err))
}

// hasNamespace asks for ours. What else goes wrong (no right to ask, say) is for the calls that matter to tell.
func hasNamespace(ctx context.Context, t client.Client, address, namespace string) error {
	_, err := t.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: namespace})
	if _, missing := errors.AsType[*serviceerror.NamespaceNotFound](err); !missing {
		return nil
	}
	return footy.Errorf(footy.CodeNotFound, op, "TEMPORAL_NAMESPACE=%s is not at %s; create it with a retention of 168h or more, or name another", namespace, address)
}
