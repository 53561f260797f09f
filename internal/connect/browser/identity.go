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

	programs "github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/connect/source"
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

// flag is a switch of Chromium; no value = on.
type flag struct{ name, value string }

// sharedFlags are those of both browsers: whatever a page could tell them apart by.
func (o Options) sharedFlags(profile string) []flag {
	f := []flag{{"user-data-dir", profile}, {"password-store", "basic"}, {"no-first-run", ""}, {"no-default-browser-check", ""},
		{"disable-dev-shm-usage", ""}, {"hide-crash-restore-bubble", ""}, {"allow-browser-signin", "false"}, {"disable-extensions", ""},
		{"disable-features", featuresOff}, {"window-position", "0,0"}, {"window-size", windowSize}}
	if os.Getuid() == 0 {
		f = append(f, flag{"no-sandbox", ""}, flag{"test-type", ""}) // the second hides the bar that warns of the first
	}
	return f
}

func (f flag) String() string {
	if f.value == "" {
		return "--" + f.name
	}
	return "--" + f.name + "=" + f.value
}

// place is where the automated browser runs.
type place struct {
	headful bool
	display display // the zero one = none, or none that has a name
}

// place finds a screen for the automated browser: one in memory, which disturbs nobody, before the desktop's.
func (s *Service) place() (place, error) {
	o := s.opts
	if o.Headful == HeadfulNo {
		return place{}, nil
	}
	if haveXvfb() {
		screen, err := s.screen.start(o.Dir)
		if err == nil {
			return place{true, screen}, nil
		}
		if o.Headful == HeadfulYes {
			return place{}, err
		}
		o.Log.Warn("no screen in memory; the browser has no window", "module", "browser", "action", "start", "error", err)
		return place{}, nil
	}
	switch {
	case o.Display != "" && o.Display != Desktop:
		return place{true, display{name: o.Display}}, nil
	case o.Headful != HeadfulYes:
		return place{}, nil
	case o.Display == Desktop:
		return place{headful: true}, nil
	}
	return place{}, footy.Errorf(footy.CodeUnavailable, "start chromium",
		"X_HEADFUL=yes, but there is no screen: install Xvfb (make vnc; Debian: apt-get install xvfb), set DISPLAY, or choose X_HEADFUL=auto")
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
func (c *chrome) identify(ctx context.Context, o Options, at place) error {
	c.info = source.Browser{Program: o.Chromium, Headful: at.headful, Display: at.display.name}
	_, product, _, agent, _, err := browser.GetVersion().Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
	if err != nil {
		return err
	}
	_, c.info.Version, _ = strings.Cut(product, "/")
	c.info.UserAgent = agent
	if at.headful || !strings.Contains(agent, headlessName) {
		return nil
	}
	c.info.UserAgent = strings.ReplaceAll(agent, headlessName, "Chrome")
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
	c.disguise = emulation.SetUserAgentOverride(c.info.UserAgent).WithUserAgentMetadata(&hints)
	return nil
}

// asWithWindow makes a page of a browser without a window look as it would with one.
func (c *chrome) asWithWindow() chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		if c.disguise == nil {
			return nil
		}
		return c.disguise.Do(ctx)
	})
}

// Plan is what the browser of a service would be that does not run.
func Plan(ctx context.Context, opts Options) source.Browser {
	o := opts.withDefaults()
	b := source.Browser{Program: o.Chromium}
	path, err := exec.LookPath(o.Chromium)
	if b.Missing = err != nil; !b.Missing {
		out, _ := programs.New(ctx, path, "--version").Output() // none is no version
		for _, word := range strings.Fields(string(out)) {
			if word[0] >= '0' && word[0] <= '9' && strings.Count(word, ".") > 1 {
				b.Version = word
				break
			}
		}
	}
	switch onDesktop := o.Display != "" && (o.Display != Desktop || o.Headful == HeadfulYes); {
	case o.Headful == HeadfulNo:
	case haveXvfb():
		b.Headful, b.Display = true, VirtualDisplay
	case onDesktop:
		b.Headful, b.Display = true, strings.TrimPrefix(o.Display, Desktop)
	}
	return b
}
