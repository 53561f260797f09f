// Package person does what a person does who logs in to X on the screen of a container, which noVNC shows in a web page: looks at the
// picture, clicks, types.
package person

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Patience is for a browser to start, and for its picture to arrive.
const Patience = 2 * time.Minute

// button finds the light button of the simulated X's login page in the picture: where its middle is on this screen, and how many pixels of
// this screen one of that screen takes; null where there is none. Pictures are compressed, so colours are nearly right.
const button = `(() => {
	const c = document.querySelector('#noVNC_container canvas');
	if (!c || !c.width) return null;
	const w = c.width, h = c.height, d = c.getContext('2d').getImageData(0, 0, w, h).data;
	let n = 0, x = 0, y = 0;
	for (let j = h / 4 | 0; j < h * 0.9; j += 2) for (let i = w * 0.3 | 0; i < w * 0.7; i += 2) {
		const at = 4 * (j * w + i);
		if (Math.abs(d[at] - 239) < 6 && Math.abs(d[at + 1] - 243) < 6 && Math.abs(d[at + 2] - 244) < 6) { n++; x += i; y += j; }
	}
	if (n < 1000) return null;
	const r = c.getBoundingClientRect(), scale = r.width / w;
	return {x: r.left + x / n * scale, y: r.top + y / n * scale, scale: scale};
})()`

// nameAbove is how far above the middle of the button the field for the name is.
const nameAbove = 141

// LogIn opens the page, logs in to the simulated X in the browser that it shows, and closes that browser.
func LogIn(ctx context.Context, page string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*Patience)
	defer cancel()
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.WindowSize(1440, 1000))
	if os.Geteuid() == 0 {
		opts = append(opts, chromedp.NoSandbox) // root has none
	}
	ctx, cancel = chromedp.NewExecAllocator(ctx, opts...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	var at struct{ X, Y, Scale float64 }
	err := chromedp.Run(ctx, chromedp.Navigate(page),
		chromedp.Poll(button, &at, chromedp.WithPollingInterval(500*time.Millisecond), chromedp.WithPollingTimeout(Patience)))
	if err != nil {
		return fmt.Errorf("no login page is seen at %s: %w", page, err)
	}
	err = chromedp.Run(ctx, chromedp.MouseClickXY(at.X, at.Y-nameAbove*at.Scale), chromedp.KeyEvent("fan"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("secret"), chromedp.KeyEvent(kb.Enter),
		chromedp.Poll("!"+button, nil, chromedp.WithPollingInterval(500*time.Millisecond), chromedp.WithPollingTimeout(Patience)))
	if err != nil {
		return fmt.Errorf("the login page at %s does not go: %w", page, err)
	}
	key := func(of input.KeyType, name, code string, number int64) chromedp.Action {
		return input.DispatchKeyEvent(of).WithKey(name).WithCode(code).WithWindowsVirtualKeyCode(number).WithModifiers(input.ModifierCtrl)
	}
	if err := chromedp.Run(ctx, key(input.KeyDown, "Control", "ControlLeft", 17), key(input.KeyDown, "w", "KeyW", 87), key(input.KeyUp, "w", "KeyW", 87), key(input.KeyUp, "Control", "ControlLeft", 17)); err != nil {
		return fmt.Errorf("close the browser at %s: %w", page, err)
	}
	return nil
}
