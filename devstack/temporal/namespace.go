package temporal

import (
	"context"
	"fmt"
	"time"

	namespacepb "go.temporal.io/api/namespace/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/schema/sqlite"
	"google.golang.org/protobuf/types/known/durationpb"
)

// createNamespace writes a missing namespace straight into the database, so that it exists before the first client.
func createNamespace(cfg *config.SQL, name string, retention time.Duration) error {
	ns, err := sqlite.NewNamespaceConfig(clusterName, name, false, nil)
	if err != nil {
		return fmt.Errorf("describe namespace %s: %w", name, err)
	}
	ns.Detail.Config.Retention = durationpb.New(retention)
	return sqlite.CreateNamespaces(cfg, ns)
}

// raiseRetention lengthens the retention of an older namespace; it never shortens one.
func raiseRetention(ctx context.Context, c workflowservice.WorkflowServiceClient, name string, retention time.Duration) error {
	got, err := c.DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: name})
	if err != nil {
		return fmt.Errorf("describe namespace %s: %w", name, err)
	}
	if got.GetConfig().GetWorkflowExecutionRetentionTtl().AsDuration() >= retention {
		return nil
	}
	_, err = c.UpdateNamespace(ctx, &workflowservice.UpdateNamespaceRequest{
		Namespace: name,
		Config:    &namespacepb.NamespaceConfig{WorkflowExecutionRetentionTtl: durationpb.New(retention)},
	})
	if err != nil {
		return fmt.Errorf("raise retention of namespace %s: %w", name, err)
	}
	return nil
}
