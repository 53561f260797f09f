package browser

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/browser/devtools"
	"github.com/found-footy/found-footy/internal/footy"
)

// A site sees one browser, whoever has it in hand: the same program, profile, user agent, client hints, window and screen when a
// person logs in and when a search runs. A session that moves to another browser is one that X may end.
//
// The window is smaller than the screen: one of the same size is moved by a pixel.
const (
	windowSize = "1280,860"
	screenSize = "1440x900"
)

// featuresOff are those of no use here. The last two draw the list under the address bar as pages of their own, which each window would
// load and run: with them a search takes a quarter to three quarters more processor time.
const featuresOff = "Translate,MediaRouter,OptimizationHints,WebUIOmniboxPopup,WebUIOmniboxAimPopup"

func (o Options) sharedFlags(profile string) []string {
	f := []string{"--user-data-dir=" + profile, "--password-store=basic", "--no-first-run", "--no-default-browser-check",
		"--disable-dev-shm-usage", "--hide-crash-restore-bubble", "--allow-browser-signin=false", "--disable-extensions",
		"--disable-features=" + featuresOff, "--window-position=0,0", "--window-size=" + windowSize}
	if os.Getuid() == 0 {
		f = append(f, "--no-sandbox", "--test-type") // the second hides the bar that warns of the first
	}
	return f
}

// place finds a screen for the automated browser: one in memory, which disturbs nobody, where Xvfb is installed, else none.
func (s *Service) place() display {
	if _, err := exec.LookPath(xvfb); err != nil || s.opts.Headless {
		return display{}
	}
	at, err := s.screen.start(s.opts.Dir)
	if err != nil {
		s.opts.Log.Warn("no screen in memory; the browser has no window", "module", "browser", "action", "start", "error", err)
	}
	return at
}

// hintsPage is where the client hints are read. Only secure pages see them; a file is one, and this one is always there and empty.
const (
	hintsPage   = "file:///dev/null"
	hintsScript = `navigator.userAgentData.getHighEntropyValues(["architecture", "bitness", "formFactors", "fullVersionList",
	"model", "platformVersion", "uaFullVersion", "wow64"])`
	headlessName = "HeadlessChrome"
)

// identify asks a browser that has just started, in its first tab, what it is. One without a window gets the name and the hints that it
// would have with one.
func (c *chrome) identify(first *tab, o Options) error {
	var is struct{ Product, UserAgent string }
	if err := c.do(c.Life, "Browser.getVersion", nil, &is); err != nil {
		return err
	}
	headless := strings.Contains(is.UserAgent, headlessName)
	o.Log.Info("the browser runs", "module", "browser", "action", "start", "program", o.Chromium, "version", is.Product, "window", !headless)
	if !headless {
		return nil
	}
	var hints json.RawMessage
	ctx, cancel := context.WithTimeout(c.Life, startTimeout)
	defer cancel()
	err := first.Call(ctx, "Page.navigate", devtools.Params{"url": hintsPage}, nil)
	if err == nil {
		err = first.Evaluate(ctx, hintsScript, &hints)
	}
	c.agent = devtools.Params{"userAgent": strings.ReplaceAll(is.UserAgent, headlessName, "Chrome"), "userAgentMetadata": hints}
	return footy.Wrap(footy.CodeUnavailable, "read the client hints", err)
}
