package temporal

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	uiserver "github.com/temporalio/ui-server/v2/server"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	uioptions "github.com/temporalio/ui-server/v2/server/server_options"

	"github.com/found-footy/found-footy/devstack/loopback"
	"github.com/found-footy/found-footy/devstack/problem"
)

// claimUI is called before anything starts: the UI server ends the whole process when its port turns out to be taken.
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

func startUI(frontend string, port int, namespace, version string) *uiserver.Server {
	ui := uiserver.NewServer(uioptions.WithConfigProvider(&uiconfig.Config{
		TemporalGRPCAddress: frontend,
		Host:                loopback.Host,
		Port:                port,
		EnableUI:            true,
		DefaultNamespace:    namespace,
		DisableNewsFetch:    true, // nothing leaves the machine
		Distribution:        "server",
		DistributionVersion: version,
		HideLogs:            true,
		CORS:                uiconfig.CORS{CookieInsecure: true}, // plain HTTP on loopback
	}))
	go func() { _ = ui.Start() }()
	return ui
}

func waitUI(ctx context.Context, url string) error {
	client := http.Client{Timeout: 2 * time.Second}
	return poll(ctx, func() error {
		resp, err := client.Get(url + "/healthz")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("the Web UI answers %s", resp.Status)
		}
		return nil
	})
}
