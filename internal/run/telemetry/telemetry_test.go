package telemetry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	temporallog "go.temporal.io/sdk/log"

	"github.com/found-footy/found-footy/internal/run/telemetry"
)

func TestJSONLinesAreWhatLokiReads(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	log := telemetry.Module(telemetry.NewLogger(&buf, telemetry.Options{}), "monitor")
	log.Debug("not at this level")
	log.Info("goal seen", "action", "goal_seen", "event_id", "1_2_3_Goal_1", "votes", 2)
	var line map[string]any
	require.NoError(t, json.Unmarshal(buf.Bytes(), &line), "one line only: %s", buf.String())
	require.NotEmpty(t, line["ts"])
	delete(line, "ts")
	require.Equal(t, map[string]any{
		"level": "INFO", "module": "monitor", "action": "goal_seen", "msg": "goal seen", "event_id": "1_2_3_Goal_1", "votes": 2.0,
	}, line)
}

func TestPrettyLinesAreForPeople(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		say  func(*slog.Logger)
		want string
	}{
		{"the action picks the sign", func(l *slog.Logger) { l.Info("Goal: Saka", "action", "seen", "minute", 23) }, "✨ [monitor] Goal: Saka minute=23\n"},
		{"as the founding documents mark the vote", func(l *slog.Logger) { l.Info("2 of 3", "action", "sighting") }, "📊 [monitor] 2 of 3\n"},
		{"a vote that is won", func(l *slog.Logger) { l.Info("Saka", "action", "certain") }, "✅ [monitor] Saka\n"},
		{"a change", func(l *slog.Logger) { l.Info("Saka", "action", "changed") }, "⚠️ [monitor] Saka\n"},
		{"a goal that no longer stands", func(l *slog.Logger) { l.Info("Saka", "action", "removed") }, "🚫 [monitor] Saka\n"},
		{"a match that is done", func(l *slog.Logger) { l.Info("FT", "action", "completed") }, "🏁 [monitor] FT\n"},
		{"a warning has its own", func(l *slog.Logger) { l.Warn("feed slow", "action", "poll") }, "⚠️ [monitor] feed slow\n"},
		{"an error too", func(l *slog.Logger) { l.Error("broken", "err", errors.New("no route")) }, "❌ [monitor] broken err=\"no route\"\n"},
		{"an unknown action has a dot", func(l *slog.Logger) { l.Info("hm", "action", "zzz") }, "· [monitor] hm\n"},
		{"groups become dotted keys", func(l *slog.Logger) {
			l.WithGroup("feed").With("calls", 1).Info("m", slog.Group("day", "left", 2), "empty", "")
		}, "· [monitor] m feed.calls=1 feed.day.left=2 feed.empty=\"\"\n"},
		{"a message stays one line", func(l *slog.Logger) { l.Info("a\nb", "k", "c\nd") }, "· [monitor] a b k=\"c\\nd\"\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var buf bytes.Buffer
			tc.say(telemetry.Module(telemetry.NewLogger(&buf, telemetry.Options{Format: "pretty"}), "monitor"))
			_, rest, _ := strings.Cut(buf.String(), " ")
			require.Equal(t, tc.want, rest)
		})
	}
}

func TestColoursAreForTerminals(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	log := telemetry.Module(telemetry.NewLogger(&buf, telemetry.Options{Format: "pretty", Color: true}), "monitor")
	log.Info("fine", "action", "seen", "minute", 23)
	log.Error("broken", "err", errors.New("no route"))
	lines := strings.Split(buf.String(), "\n")
	require.Contains(t, lines[0], "✨ [monitor] fine \x1b[2mminute=\x1b[0m23")
	require.Contains(t, lines[1], "\x1b[2;91merr=\x1b[22m")
	buf.Reset()
	telemetry.NewLogger(&buf, telemetry.Options{Color: true}).Error("for machines")
	require.NotContains(t, buf.String(), "\x1b", "never in JSON")
}

type cookieJar struct{ Text string }

func TestSecretsNeverReachTheLog(t *testing.T) {
	t.Parallel()
	secrets := []string{"sesame", "sesame-open", "ab"}
	for _, format := range []string{"json", "pretty"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			var buf bytes.Buffer
			log := telemetry.NewLogger(&buf, telemetry.Options{Format: format, Secrets: secrets}).With("url", "http://x/?k=sesame")
			log.Info("using sesame-open", "err", errors.New("bad key sesame"), "list", []string{"sesame"}, "jar", cookieJar{"sesame"},
				"auth_token", "unknown-to-settings", "Authorization", "Bearer zzz", slog.Group("g", "v", "sesame", "cookie", "zzz"), "tab", "about")
			require.NotContains(t, buf.String(), "sesame")
			require.NotContains(t, buf.String(), "-open")
			require.NotContains(t, buf.String(), "unknown-to-settings")
			require.NotContains(t, buf.String(), "zzz")
			require.Contains(t, buf.String(), "about", "a two-letter secret must not blot out words")
		})
	}
}

func TestLevelIsObeyed(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"json", "pretty"} {
		var buf bytes.Buffer
		log := telemetry.NewLogger(&buf, telemetry.Options{Format: format, Level: "error"})
		log.Warn("no")
		require.Empty(t, buf.String())
		log.Error("yes")
		require.Contains(t, buf.String(), "yes")
	}
}

func TestConcurrentPrettyLinesStayWhole(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	log := telemetry.NewLogger(&buf, telemetry.Options{Format: "pretty"})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { log.Info("whole", "k", "v") })
	}
	wg.Wait()
	require.Equal(t, 20, strings.Count(buf.String(), "· whole k=v\n"))
}

func TestTemporalSpeaksThroughTheLog(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	telemetry.Temporal(telemetry.NewLogger(&buf, telemetry.Options{})).Info("worker started", "TaskQueue", "found-footy")
	require.Contains(t, buf.String(), `"module":"temporal"`)
	require.Contains(t, buf.String(), `"TaskQueue":"found-footy"`)
}

func TestATryThatIsRepeatedIsNoNews(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]string{"info": "", "debug": `"level":"DEBUG"`} {
		var buf bytes.Buffer
		log := telemetry.Temporal(telemetry.NewLogger(&buf, telemetry.Options{Level: level}))
		log.(temporallog.WithLogger).With("WorkflowType", "X").Error("Activity error.", "Attempt", 1)
		require.Contains(t, buf.String(), want)
		require.Equal(t, want == "", buf.Len() == 0)
	}
	var buf bytes.Buffer
	telemetry.Temporal(telemetry.NewLogger(&buf, telemetry.Options{})).Error("Workflow panic")
	require.Contains(t, buf.String(), `"level":"ERROR"`)
}

func TestMetricsAreServed(t *testing.T) {
	t.Parallel()
	m := telemetry.NewMetrics("v1")
	m.Counter("polls_total", "Polls.", "result").WithLabelValues("ok").Inc()
	m.Counter("polls_total", "Polls.", "result").WithLabelValues("ok").Inc()
	m.Seconds("decode_seconds", "Decoding.").WithLabelValues().Observe(0.3)
	rec := httptest.NewRecorder()
	m.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, rec.Code)
	require.Contains(t, rec.Body.String(), `footy_polls_total{result="ok"} 2`)
	require.Contains(t, rec.Body.String(), `footy_build_info{version="v1"} 1`)
	require.Contains(t, rec.Body.String(), "footy_decode_seconds_count 1")
	require.Panics(t, func() { m.Gauge("polls_total", "Something else.") }, "one name, one meaning")
}
