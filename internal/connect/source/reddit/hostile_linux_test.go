package reddit_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/footy"
)

// fenced waits until a stand-in for yt-dlp runs within its limits: it looks for trouble at once.
const fenced = "while ! grep -q 'open files  *256 ' /proc/$$/limits; do :; done\n"

// TestABadYtdlpIsHeld: whatever it does, it ends, with all it started, and the failure is not the post's.
func TestABadYtdlpIsHeld(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		script string
		reason footy.Reason
		says   string
	}{
		"eats memory":     {"dd if=/dev/zero of=/dev/null bs=3G count=1; exit 1", footy.ReasonFetchFailed, "memory"},
		"writes on":       {"cat /dev/zero", footy.ReasonTooLarge, "more than 209715200 bytes"},
		"hangs":           {"sleep 1000", footy.ReasonFetchFailed, "not done within"},
		"will not end":    {"trap '' TERM INT HUP; while :; do sleep 1; done", footy.ReasonFetchFailed, "not done within"},
		"loses its child": {"sleep 1000 & exit 1", footy.ReasonFetchFailed, "no explanation"},
		"a long film":     {"exit 101", footy.ReasonTooLong, "still running"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := filepath.Join(t.TempDir(), "home")
			f, c := elsewhere(t, fenced+`echo "$$ $PWD" >`+home+"\n"+tc.script, func(o *reddit.Options) {
				if tc.says == "not done within" {
					o.FileTime = 10 * time.Second
				}
			})
			_, err := f.Fetch(t.Context(), c, io.Discard)
			require.Equal(t, tc.reason, footy.ReasonOf(err), "%v", err)
			require.ErrorContains(t, err, tc.says)
			noted, err := os.ReadFile(home)
			require.NoError(t, err)
			group, dir, _ := strings.Cut(strings.TrimSpace(string(noted)), " ")
			require.NoDirExists(t, dir)
			n, err := strconv.Atoi(group)
			require.NoError(t, err)
			require.Eventually(t, func() bool { return errors.Is(syscall.Kill(-n, 0), syscall.ESRCH) }, time.Minute, 5*time.Millisecond, "nothing of it lives")
		})
	}
}

func TestYtdlpRunsWithinLimits(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	f, c := elsewhere(t, fenced+`cat /proc/$$/limits; env; echo "$PWD"`)
	_, err := f.Fetch(t.Context(), c, &out)
	require.NoError(t, err)
	for what, want := range map[string]string{"address space": "2147483648", "cpu time": "60", "file size": "134217728", "open files": "256", "core file size": "0"} {
		require.Regexp(t, "(?i)max "+what+` +`+want+` +`+want, out.String())
	}
	require.Regexp(t, `HOME=\S+footy-ytdlp-`, out.String())
	require.Regexp(t, `TMPDIR=\S+footy-ytdlp-`, out.String())
	require.NotContains(t, out.String(), "GOCACHE", "nothing of our environment")
}

// asks is a stand-in that asks the proxy it was given for an address.
func asks(request string) string {
	return `while [ "$1" != --proxy ]; do shift; done
exec bash -c 'exec 3<>/dev/tcp/${0%:*}/${0#*:}; printf "` + request + `\r\n\r\n" >&3; head -c 12 <&3; head -1 <&3 >&2; exit 1' "${2#http://}"`
}

func TestYtdlpReachesAllowedHostsOnly(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 1)
	private := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	t.Cleanup(private.Close)
	host := private.Listener.Addr().String()
	for _, request := range []string{"CONNECT " + host + " HTTP/1.1", "GET http://" + host + "/secret HTTP/1.1\\r\\nHost: " + host, "CONNECT 169.254.169.254:80 HTTP/1.1"} {
		var out bytes.Buffer
		f, c := elsewhere(t, asks(request))
		_, err := f.Fetch(t.Context(), c, &out)
		require.Equal(t, "HTTP/1.1 403", out.String())
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "our own list is no fact about the post")
		require.Equal(t, footy.ReasonUnknownHost, footy.ReasonOf(err), "%v", err)
		require.ErrorContains(t, err, "REDDIT_HOSTS")
		require.ErrorContains(t, err, "hosts.json")
	}
	require.Empty(t, asked)

	_, port, _ := strings.Cut(host, ":")
	f, c := elsewhere(t, asks("CONNECT localhost:"+port+" HTTP/1.1"), func(o *reddit.Options) { o.Hosts = append(o.Hosts, "localhost") })
	_, err := f.Fetch(t.Context(), c, io.Discard)
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "an allowed name that leads to this machine is the network's doing: %v", err)
	require.ErrorContains(t, err, "not public")
}

func TestAFetchThatIsGivenUpEndsYtdlp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	f, c := elsewhere(t, "echo begun; sleep 1000")
	_, err := f.Fetch(ctx, c, leaver(cancel))
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.Empty(t, footy.ReasonOf(err))
}

// leaver is a caller that gives up at the first bytes.
type leaver func()

func (l leaver) Write(b []byte) (int, error) {
	l()
	return len(b), nil
}
