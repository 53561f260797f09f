package check_test

import (
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

func TestDoctorSaysWhereFilesOfStrangersCouldCallOut(t *testing.T) {
	t.Parallel()
	if err := program.Sealed(); err != nil {
		t.Skip("nothing else is true here: ", err)
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash to call from")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	calls := devtest.Script(t, "ffmpeg", fmt.Sprintf(`exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/%d || exit 1; exec ffmpeg "$@"' ffmpeg "$@"`, l.Addr().(*net.TCPAddr).Port))
	for ffmpeg, want := range map[string]string{"ffmpeg": "ffmpeg, ffprobe", calls: calls + ", ffprobe; not kept from the network: " + calls + " does not start without it"} {
		for _, f := range app.Doctor(t.Context(), parsed(t, map[string]string{"FFMPEG": ffmpeg, "FFPROBE": "ffprobe"}), "test") {
			if f.Name == health.Programs {
				require.Equal(t, want, f.Reason)
				require.Equal(t, health.StateOK, f.State)
			}
		}
	}
}

// TestDoctorSpeaksAsTheHealthPageDoes: who reads one and looks at the other must find the same part in the same words.
func TestDoctorSpeaksAsTheHealthPageDoes(t *testing.T) {
	t.Parallel()
	c := kept(t, healthyModel(t), map[string]any{validate.ConditionKey: validate.Condition{Reason: footy.ReasonModelContext, At: time.Now()}})
	c.Warnings = []string{"WEB_ADR is not a setting: did you mean WEB_ADDR?"}
	findings := app.Doctor(t.Context(), c, "test")
	var out strings.Builder
	check.Print(&out, findings)
	printed := strings.Split(out.String(), "\n")
	a := opened(t, c)
	page := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Reader: a.Reader, Media: a.Media}).Look(t.Context())
	shared := 0
	for _, p := range page.Parts {
		for _, f := range findings {
			if f.Name != p.Name || f.State != p.State || p.State == health.StateOK || p.Name == health.Engine {
				continue // the engine is not asked before a start
			}
			shared++
			require.Equal(t, p.Reason, f.Reason, p.Name)
			require.Equal(t, p.Remedy, f.Remedy, p.Name)
		}
	}
	require.GreaterOrEqual(t, shared, 3, "the model, the feed and the search")
	line := func(title string) string {
		for i, l := range printed {
			if strings.Contains(l, "  "+title+" ") {
				return l + printed[i+1]
			}
		}
		t.Fatalf("nothing of %s in\n%s", title, out.String())
		return ""
	}
	require.Contains(t, line("Vision model"), "down ")
	require.Contains(t, line("Vision model"), "→ ")
	require.Contains(t, line("Match feed"), "not set up ")
	require.Contains(t, line("Database"), "works ")
	require.Contains(t, line("Settings"), "WEB_ADR is not a setting: did you mean WEB_ADDR?")
	require.NotContains(t, out.String(), "?.")
}
