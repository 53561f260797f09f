package temporal

import (
	"strings"

	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/membership/static"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"

	"github.com/found-footy/found-footy/devstack/loopback"
)

const (
	clusterName = "active"
	// clusterID never changes: a database moved to another machine stays the same cluster.
	clusterID = "f007ba11-0000-4000-8000-000000000001"
	store     = "sqlite"
)

// ports of one server; all but the frontend are internal and always on free ones.
type ports struct{ frontend, inside, history, matching, worker int }

func (p ports) byService() map[primitives.ServiceName]int {
	return map[primitives.ServiceName]int{
		primitives.FrontendService:         p.frontend,
		primitives.InternalFrontendService: p.inside, // of the server's own workers, which send no token
		primitives.HistoryService:          p.history,
		primitives.MatchingService:         p.matching,
		primitives.WorkerService:           p.worker,
	}
}

func (p ports) hosts() map[primitives.ServiceName]static.Hosts {
	hosts := map[primitives.ServiceName]static.Hosts{}
	for name, port := range p.byService() {
		hosts[name] = static.SingleLocalHost(loopback.Address(port))
	}
	return hosts
}

// sqlConfig keeps one connection (the default): SQLite has one writer, and a second would only add "database is locked".
func sqlConfig(file string) *config.SQL {
	return &config.SQL{
		PluginName: sqlite.PluginName,
		// The name becomes part of a URI, in which these three characters mean something.
		DatabaseName: strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(file),
		ConnectAttributes: map[string]string{
			"mode":  "rwc",
			"cache": "private",
			// NORMAL in WAL mode survives kill -9 whole; a power cut may lose the last moments but never consistency.
			"journal_mode":       "wal",
			"synchronous":        "1",
			"busy_timeout":       "10000",
			"journal_size_limit": "67108864",
			"cache_size":         "-16384",
			"wal_autocheckpoint": "8192", // pages: a row that changes often is written back once in 8 MB
		},
	}
}

func serverConfig(sql *config.SQL, p ports) *config.Config {
	frontend := loopback.Address(p.frontend)
	cfg := &config.Config{
		Persistence: config.Persistence{
			DefaultStore:     store,
			VisibilityStore:  store,
			NumHistoryShards: 1,
			DataStores:       map[string]config.DataStore{store: {SQL: sql}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        clusterName,
			CurrentClusterName:       clusterName,
			ClusterInformation: map[string]cluster.ClusterInformation{
				clusterName: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: frontend, ClusterID: clusterID},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Archival: config.Archival{
			History:    config.HistoryArchival{State: config.ArchivalDisabled},
			Visibility: config.VisibilityArchival{State: config.ArchivalDisabled},
		},
		NamespaceDefaults: config.NamespaceDefaults{Archival: config.ArchivalNamespaceDefaults{
			History:    config.HistoryArchivalNamespaceDefaults{State: config.ArchivalDisabled},
			Visibility: config.VisibilityArchivalNamespaceDefaults{State: config.ArchivalDisabled},
		}},
		Services: map[string]config.Service{},
	}
	for name, port := range p.byService() {
		cfg.Services[string(name)] = config.Service{RPC: config.RPC{GRPCPort: port, BindOnIP: loopback.Host}}
	}
	return cfg
}
