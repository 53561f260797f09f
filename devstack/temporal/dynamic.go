package temporal

import (
	"time"

	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/primitives"
)

// dynamicConfig is what differs from the defaults of a cluster: one small machine, one trusted user, one SQLite writer.
func dynamicConfig() dynamicconfig.StaticClient {
	c := dynamicconfig.StaticClient{
		// Task priority orders tasks within one partition: with the default of four it would only be approximate.
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():  1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key(): 1,
		dynamicconfig.MatchingUseNewMatcher.Key():               true,
		dynamicconfig.MatchingEnableFairness.Key():              true,

		// The default of 10 visibility calls a second starves a page that lists workflows next to the UI.
		dynamicconfig.FrontendMaxNamespaceVisibilityRPSPerInstance.Key(): 500,
		dynamicconfig.FrontendRPS.Key():                                  20000,
		dynamicconfig.FrontendMaxNamespaceRPSPerInstance.Key():           20000,

		// What other hosts of a cluster change, or take over, is looked for every few seconds; here nothing is, day and night.
		dynamicconfig.NamespaceCacheRefreshInterval.Key():         5 * time.Minute,
		dynamicconfig.MatchingNexusEndpointsRefreshInterval.Key(): time.Hour,
		dynamicconfig.ClusterMetadataRefreshInterval.Key():        time.Hour,
		dynamicconfig.MatchingUpdateAckInterval.Key():             5 * time.Minute,
		dynamicconfig.MatchingEphemeralDataUpdateInterval.Key():   20 * time.Second,
		dynamicconfig.MatchingBacklogMetricsEmitInterval.Key():    time.Hour, // they go nowhere
		// Queues wake their readers; looking beside that is for notices that are lost between hosts.
		dynamicconfig.TransferProcessorMaxPollInterval.Key():   10 * time.Minute,
		dynamicconfig.VisibilityProcessorMaxPollInterval.Key(): 10 * time.Minute,
		dynamicconfig.OutboundProcessorMaxPollInterval.Key():   10 * time.Minute,

		// Schedules and batches of the server's own namespace: there are none.
		dynamicconfig.WorkerPerNamespaceWorkerCount.Key(): []dynamicconfig.ConstrainedValue{
			{Constraints: dynamicconfig.Constraints{Namespace: primitives.SystemLocalNamespace}, Value: 0}},

		// One process: nothing to drain towards, so a stop need not wait.
		dynamicconfig.FrontendShutdownDrainDuration.Key(): time.Duration(0),
		dynamicconfig.HistoryShutdownDrainDuration.Key():  time.Duration(0),
		dynamicconfig.MatchingShutdownDrainDuration.Key(): time.Duration(0),
	}
	// Scanners look for damage that several hosts can do to one another; retention does not need them. Others copy to another cluster, or end children by the thousand.
	for _, off := range []dynamicconfig.Key{
		dynamicconfig.HistoryScannerEnabled.Key(),
		dynamicconfig.ExecutionsScannerEnabled.Key(),
		dynamicconfig.TaskQueueScannerEnabled.Key(),
		dynamicconfig.BuildIdScavengerEnabled.Key(),
		dynamicconfig.EnableParentClosePolicyWorker.Key(),
		dynamicconfig.EnableReplicationStream.Key(),
	} {
		c[off] = false
	}
	return c
}
