package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
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
	"model", "platformVersion", "uaFullVersion", "wow64"]).then(JSON.stringify)`
	headlessName = "HeadlessChrome"
)

// identify asks a browser that has just started what it is. One without a window gets the name and the hints that it would
// have with one.
func (c *chrome) identify(ctx context.Context, o Options) error {
	_, product, _, agent, _, err := browser.GetVersion().Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
	if err != nil {
		return err
	}
	headless := strings.Contains(agent, headlessName)
	o.Log.Info("the browser runs", "module", "browser", "action", "start", "program", o.Chromium, "version", product, "window", !headless)
	if !headless {
		return nil
	}
	var raw string
	var hints emulation.UserAgentMetadata
	err = chromedp.Tasks{chromedp.Navigate(hintsPage),
		chromedp.Evaluate(hintsScript, &raw, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) })}.Do(ctx)
	if err == nil {
		err = json.Unmarshal([]byte(raw), &hints)
	}
	if err != nil {
		return fmt.Errorf("read the client hints: %w", err)
	}
	c.disguise = emulation.SetUserAgentOverride(strings.ReplaceAll(agent, headlessName, "Chrome")).WithUserAgentMetadata(&hints)
	return nil
}
