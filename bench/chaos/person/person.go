// Package person does what a person does who logs in to X on the screen of a container, which noVNC shows in a web page: looks at the
// picture, types, clicks.
package person

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is for a browser to start and its picture to arrive, and for a page to answer.
const patience = 90 * time.Second

// button is the middle of the light button of the simulated X's login page in the picture, null where that page is not seen: it is the
// only dark one. Pictures are compressed, so colours are nearly right.
const button = `(() => {
	const c = document.querySelector('#noVNC_container canvas');
	if (!c || !c.width) return null;
	const w = c.width, h = c.height, d = c.getContext('2d').getImageData(0, 0, w, h).data;
	if (d[4 * ((h / 2 | 0) * w + 40)] > 60) return null;
	let n = 0, x = 0, y = 0;
	for (let j = h / 4 | 0; j < h * 0.9; j += 2) for (let i = w * 0.3 | 0; i < w * 0.7; i += 2) {
		const at = 4 * (j * w + i);
		if (Math.abs(d[at] - 239) < 6 && Math.abs(d[at + 1] - 243) < 6 && Math.abs(d[at + 2] - 244) < 6) { n++; x += i; y += j; }
	}
	const r = c.getBoundingClientRect(), scale = r.width / w;
	return n < 1000 ? null : {x: r.left + x / n * scale, y: r.top + y / n * scale};
})()`

// LogIn opens the page, logs in to the simulated X in the browser that it shows, and closes that browser. Where it cannot, it keeps what it
// sees as a file.
func LogIn(ctx context.Context, page, seen string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*patience)
	defer cancel()
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.WindowSize(1440, 1000))
	if os.Geteuid() == 0 {
		opts = append(opts, chromedp.NoSandbox) // root has none
	}
	ctx, cancel = chromedp.NewExecAllocator(ctx, opts...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	wait := []chromedp.PollOption{chromedp.WithPollingInterval(500 * time.Millisecond), chromedp.WithPollingTimeout(patience)}
	var at struct{ X, Y float64 }
	for _, step := range []struct {
		what string
		do   chromedp.Tasks
	}{
		{"see the login page", chromedp.Tasks{chromedp.Navigate(page), chromedp.Poll(button, &at, wait...)}},
		{"log in", chromedp.Tasks{chromedp.KeyEvent("fan" + kb.Tab + "secret"),
			chromedp.ActionFunc(func(ctx context.Context) error { return chromedp.MouseClickXY(at.X, at.Y).Do(ctx) }),
			chromedp.Poll("!"+button, nil, wait...)}},
		{"close the browser", chromedp.Tasks{chromedp.ActionFunc(closeBrowser)}},
	} {
		if err := chromedp.Run(ctx, step.do); err != nil {
			var picture []byte
			err = errors.Join(err, chromedp.Run(ctx, chromedp.CaptureScreenshot(&picture)), os.WriteFile(seen, picture, 0o644))
			return fmt.Errorf("a person at %s cannot %s; %s shows what they see: %w", page, step.what, seen, err)
		}
	}
	return nil
}

// closeBrowser presses Control and W until the screen is gone: the browser ends with its last tab.
func closeBrowser(ctx context.Context) error {
	key := func(of input.KeyType, name, code string, number int64) chromedp.Action {
		return input.DispatchKeyEvent(of).WithKey(name).WithCode(code).WithWindowsVirtualKeyCode(number).WithModifiers(input.ModifierCtrl)
	}
	open := true
	for began := time.Now(); time.Since(began) < patience; {
		if err := (chromedp.Tasks{key(input.KeyDown, "Control", "ControlLeft", 17), key(input.KeyDown, "w", "KeyW", 87),
			key(input.KeyUp, "w", "KeyW", 87), key(input.KeyUp, "Control", "ControlLeft", 17), chromedp.Sleep(2 * time.Second),
			chromedp.Evaluate("document.documentElement.classList.contains('noVNC_connected')", &open)}).Do(ctx); err != nil || !open {
			return err
		}
	}
	return errors.New("it is still there")
}
