package main_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"go.temporal.io/server/api/adminservice/v1"
	"go.temporal.io/server/api/historyservice/v1"
	"go.temporal.io/server/api/matchingservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const token = "0123456789abcdef0123456789abcdef"

// tokenFile is a token as the product keeps one.
func tokenFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(file, []byte(token+"\n"), 0o600))
	return file
}

func plain(t *testing.T, address string) *grpc.ClientConn {
	t.Helper()
	c, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

type bearer struct{ word string }

func (b bearer) GetHeaders(context.Context) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + b.word}, nil
}

// TestOnlyTheTokenOpensTheEngine: every user of the machine could read all workflows and pause the monitor.
func TestOnlyTheTokenOpensTheEngine(t *testing.T) {
	t.Parallel()
	p := start(t, "temporal", "--db", filepath.Join(t.TempDir(), "t.db"), "--ui-port", "0", "--token-file", tokenFile(t))
	conn := plain(t, p.Address)
	calls := map[string]func(context.Context) error{
		"the default namespace": func(ctx context.Context) error {
			_, err := workflowservice.NewWorkflowServiceClient(conn).DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: "default"})
			return err
		},
		"the server's own namespace": func(ctx context.Context) error {
			_, err := workflowservice.NewWorkflowServiceClient(conn).ListOpenWorkflowExecutions(ctx, &workflowservice.ListOpenWorkflowExecutionsRequest{Namespace: "temporal-system"})
			return err
		},
		"no namespace": func(ctx context.Context) error {
			_, err := workflowservice.NewWorkflowServiceClient(conn).ListNamespaces(ctx, &workflowservice.ListNamespacesRequest{})
			return err
		},
		"system info": func(ctx context.Context) error {
			_, err := workflowservice.NewWorkflowServiceClient(conn).GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{})
			return err
		},
		"the operator service": func(ctx context.Context) error {
			_, err := operatorservice.NewOperatorServiceClient(conn).ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: "default"})
			return err
		},
		"the admin service": func(ctx context.Context) error {
			_, err := adminservice.NewAdminServiceClient(conn).DescribeCluster(ctx, &adminservice.DescribeClusterRequest{})
			return err
		},
		"a stream": func(ctx context.Context) error {
			s, err := adminservice.NewAdminServiceClient(conn).StreamWorkflowReplicationMessages(ctx)
			if err == nil {
				_, err = s.Recv()
			}
			return err
		},
	}
	for name, call := range calls {
		for _, word := range []string{"", "another" + token, strings.ToUpper(token)} {
			ctx := t.Context()
			if word != "" {
				ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+word)
			}
			err := call(ctx)
			require.ErrorContains(t, err, "Request unauthorized", "%s with %q", name, word)
			if name != "a stream" { // whose refusal the server does not give a code
				require.Equal(t, codes.PermissionDenied, status.Code(err), "%s with %q", name, word)
			}
		}
		if name != "a stream" {
			require.NoError(t, call(metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+token)), name)
		}
	}

	_, err := client.Dial(client.Options{HostPort: p.Address, Logger: silent{}})
	require.ErrorContains(t, err, "Request unauthorized")
	c, err := client.Dial(client.Options{HostPort: p.Address, Logger: silent{}, HeadersProvider: bearer{token}})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	work(t, c, "schedule", worker.Options{}, func(w worker.Worker) {
		w.RegisterWorkflowWithOptions(func(workflow.Context) error { return nil }, workflow.RegisterOptions{Name: "tick"})
	})
	s, err := c.ScheduleClient().Create(t.Context(), client.ScheduleOptions{ID: "monitor", TriggerImmediately: true,
		Action: &client.ScheduleWorkflowAction{ID: "tick", Workflow: "tick", TaskQueue: "schedule"}})
	require.NoError(t, err)
	require.Eventually(t, func() bool { // by the server's own workers
		d, err := s.Describe(t.Context())
		return err == nil && d.Info.NumActions > 0
	}, soon, tick)

	t.Run("the interface is to look only, and answers this machine only", func(t *testing.T) {
		get := func(method, path, host string, headers ...string) (int, string) {
			req, err := http.NewRequestWithContext(t.Context(), method, p.UI+path, strings.NewReader("{}"))
			require.NoError(t, err)
			if host != "" {
				req.Host = host
			}
			for i := 0; i < len(headers); i += 2 {
				req.Header.Set(headers[i], headers[i+1])
			}
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			defer res.Body.Close()
			b, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			return res.StatusCode, string(b)
		}
		for _, host := range []string{"", "localhost:3200", "[::1]:3200", "localhost"} {
			code, text := get(http.MethodGet, "/api/v1/namespaces/default/schedules/monitor", host)
			require.Equal(t, http.StatusOK, code, text)
			require.Contains(t, text, "tick")
		}
		for _, host := range []string{"evil.example", "evil.example:3200", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1"} {
			for _, path := range []string{"/", "/api/v1/namespaces/default/schedules/monitor", "/healthz"} {
				code, _ := get(http.MethodGet, path, host)
				require.Equal(t, http.StatusMisdirectedRequest, code, host)
			}
		}
		for _, path := range []string{"/api/v1/namespaces/default/schedules/monitor/patch", "/namespaces/default/schedules/monitor/patch", "/api/v1/namespaces",
			"/api/v1/namespaces/default/workflows/x/signal/a%2Fquery%2Fb", "/api/v1/namespaces/default/workflows/x%2Fsignal/query/b"} {
			for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch} {
				code, _ := get(method, path, "")
				require.Equal(t, http.StatusMethodNotAllowed, code, method+path)
			}
		}
		code, _ := get(http.MethodPost, "/api/v1/namespaces/default/workflows/x/query/__stack_trace", "", "Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site")
		require.Equal(t, http.StatusForbidden, code)
		code, _ = get(http.MethodPost, "/api/v1/namespaces/default/workflows/x/query/__stack_trace", "")
		require.NotContains(t, []int{http.StatusForbidden, http.StatusMethodNotAllowed}, code, "a look at a workflow")
		d, err := s.Describe(t.Context())
		require.NoError(t, err)
		require.False(t, d.Schedule.State.Paused)
	})

	t.Run("what the services say to each other is closed to others", func(t *testing.T) {
		ports := listening(t, p.PID)
		require.GreaterOrEqual(t, len(ports), 4, "frontend, interface and the services behind it")
		for _, at := range ports {
			if at == p.Address || "http://"+at == p.UI {
				continue
			}
			conn, ctx := plain(t, at), metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+token)
			for _, call := range []func() error{
				func() error {
					_, err := historyservice.NewHistoryServiceClient(conn).GetShard(ctx, &historyservice.GetShardRequest{ShardId: 1})
					return err
				},
				func() error {
					_, err := matchingservice.NewMatchingServiceClient(conn).ListTaskQueuePartitions(ctx, &matchingservice.ListTaskQueuePartitionsRequest{Namespace: "default"})
					return err
				},
				func() error {
					_, err := workflowservice.NewWorkflowServiceClient(conn).GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{})
					return err
				},
				func() error {
					_, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{})
					return err
				},
			} {
				require.Equal(t, codes.Unavailable, status.Code(call()), at)
			}
		}
	})
}

// TestATokenThatOthersCouldReadIsRefused before anything is started.
func TestATokenThatOthersCouldReadIsRefused(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "t.db")
	for name, make := range map[string]func(file string) error{
		"cannot be read":           func(string) error { return nil },
		"others may read or write": func(file string) error { return os.WriteFile(file, []byte(token), 0o644) },
		"fewer than 32 characters": func(file string) error { return os.WriteFile(file, []byte("short"), 0o600) },
	} {
		file := filepath.Join(t.TempDir(), "token")
		require.NoError(t, make(file))
		code, stderr := refused(t, "temporal", "--db", db, "--ui-port", "-1", "--token-file", file)
		require.Equal(t, 1, code)
		requireOneLine(t, stderr, name, "chmod 600")
	}
	require.NoFileExists(t, db)
}
