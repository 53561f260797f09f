package browser

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// A debugging port is open to every user of the machine, and whoever reaches it can read the session's cookies. So Chromium is
// driven through two pipes, its files 3 and 4, which only this process holds.

// newPipes makes both pipes: ours, and the ends that Chromium gets.
func newPipes() (in io.ReadCloser, out io.WriteCloser, theirs []*os.File, err error) {
	commands, out, err := os.Pipe()
	if err != nil {
		return nil, nil, nil, err
	}
	in, answers, err := os.Pipe()
	if err != nil {
		_ = commands.Close()
		_ = out.Close()
		return nil, nil, nil, err
	}
	return in, out, []*os.File{commands, answers}, nil
}

// relay leads to the pipes from an address for chromedp, which speaks WebSocket alone. The address has an unguessable name and takes
// one connection; then nothing listens at it any more. The pipes are closed when the connection ends, or ctx before there is one.
func relay(ctx context.Context, in io.ReadCloser, out io.WriteCloser) (address string, err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	name := "/" + rand.Text()
	srv := &http.Server{ReadHeaderTimeout: 10 * time.Second}
	unused := context.AfterFunc(ctx, func() {
		_ = srv.Close()
		_ = in.Close()
		_ = out.Close()
	})
	srv.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.URL.Path), []byte(name)) != 1 || !unused() {
			http.NotFound(w, r)
			return
		}
		_ = l.Close()
		defer in.Close()
		defer out.Close()
		conn, _, _, err := ws.UpgradeHTTP(r, w)
		if err != nil {
			return // and chromedp's call fails
		}
		go forward(conn, in)
		drive(conn, out)
	})
	go func() { _ = srv.Serve(l) }()
	return "ws://" + l.Addr().String() + name, nil
}

// forward sends what Chromium says. Its messages end with a zero byte.
func forward(conn net.Conn, in io.Reader) {
	defer conn.Close()
	for messages := bufio.NewReader(in); ; {
		m, err := messages.ReadBytes(0)
		if err != nil || wsutil.WriteServerText(conn, m[:len(m)-1]) != nil {
			return
		}
	}
}

// drive sends what chromedp says, until either side has ended.
func drive(conn net.Conn, out io.Writer) {
	defer conn.Close()
	for {
		m, err := wsutil.ReadClientText(conn)
		if err == nil {
			_, err = out.Write(append(m, 0))
		}
		if err != nil {
			return
		}
	}
}
