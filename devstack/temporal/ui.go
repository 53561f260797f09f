package temporal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/temporalio/ui-server/v2/server/api"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	"github.com/temporalio/ui-server/v2/server/route"
	"github.com/temporalio/ui-server/v2/ui"
	"google.golang.org/grpc/metadata"

	"github.com/found-footy/found-footy/devstack/loopback"
	"github.com/found-footy/found-footy/devstack/problem"
)

// claimUI is called before anything starts: a port that is taken is said at once.
func claimUI(o Options) (int, error) {
	if o.UIPort == NoUI {
		return NoUI, nil
	}
	port, err := loopback.Claim(o.UIPort, "--ui-port (-1 for none)")
	var taken *problem.Error
	if o.UIPortFallback && errors.As(err, &taken) {
		return loopback.Claim(0, "")
	}
	return port, err
}

// startUI serves Temporal's Web UI: to this machine alone, and to look only.
func startUI(frontend string, port int, token door, o Options) (*http.Server, error) {
	pages, err := uiPages(frontend, token, o)
	if err != nil {
		return nil, fmt.Errorf("make the Web UI: %w", err)
	}
	srv := &http.Server{Addr: loopback.Address(port), Handler: onlyToRead(onlyHere(pages)), ReadHeaderTimeout: 10 * time.Second}
	l, err := net.Listen("tcp4", srv.Addr)
	if err != nil {
		return nil, fmt.Errorf("start the Web UI: %w", err)
	}
	go func() { _ = srv.Serve(l) }()
	return srv, nil
}

// uiPages are those of the UI server without its listener, its sign-in and its permission for other sites to ask.
func uiPages(frontend string, token door, o Options) (http.Handler, error) {
	settings, err := uiconfig.NewConfigProviderWithRefresh(&uiconfig.Config{
		TemporalGRPCAddress: frontend,
		EnableUI:            true,
		DefaultNamespace:    o.Namespace,
		DisableWriteActions: true,
		DisableNewsFetch:    true, // nothing leaves the machine
		Distribution:        "server",
		DistributionVersion: o.Version,
	})
	if err != nil {
		return nil, err
	}
	assets, err := ui.Assets()
	if err != nil {
		return nil, err
	}
	if assets, err = fs.Sub(assets, "local"); err != nil {
		return nil, err
	}
	e := echo.New()
	e.Use(middleware.Recover(), middleware.Gzip(), middleware.Secure())
	route.SetHealthRoute(e)
	withToken := api.Middleware(func(echo.Context) runtime.ServeMuxOption {
		return runtime.WithMetadata(func(context.Context, *http.Request) metadata.MD {
			if token.bearer == "" {
				return nil
			}
			return metadata.Pairs("authorization", token.bearer)
		})
	})
	if err := route.SetAPIRoutes(e, settings, []api.Middleware{withToken}); err != nil {
		return nil, err
	}
	if err := route.SetUIRoutes(e, "", assets, settings); err != nil {
		return nil, err
	}
	route.SetRenderRoute(e, "/")
	return e, nil
}

// onlyHere refuses names that are not this machine's, as the product's page does: a foreign page whose name was made to point here
// would else read everything. It also refuses what another site's page sends.
func onlyHere(next http.Handler) http.Handler {
	next = http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := (&url.URL{Host: r.Host}).Hostname()
		if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
			http.Error(w, "This page answers to localhost and 127.0.0.1 only.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// onlyToRead refuses what is no look. The UI server's own switch lets pass whatever has the word "query" in its path.
func onlyToRead(next http.Handler) http.Handler {
	m := http.NewServeMux()
	m.Handle("GET /", next)
	m.Handle("POST /api/v1/namespaces/{namespace}/workflows/{workflow}/query/{query}", next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead && r.URL.RawPath != "" { // a slash in disguise
			http.Error(w, "This page is to look only.", http.StatusMethodNotAllowed)
			return
		}
		m.ServeHTTP(w, r)
	})
}
