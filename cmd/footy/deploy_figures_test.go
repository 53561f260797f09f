package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
)

// metric is a figure of a process.
var metric = regexp.MustCompile(`\b(?:footy|temporal|process|go)_[a-z0-9_]+`)

// fromOthers are metrics of libraries that the figures use; they appear once there is something to count.
var fromOthers = []string{"process_resident_memory_bytes"}

// recorded are figures that a rule makes of others; withoutFigures are alerts that need none of ours.
var (
	recorded       = regexp.MustCompile(`\bfooty:[a-z0-9_]+`)
	withoutFigures = []string{"DeadMansSwitch", "ProcessGone"}
)

type rule struct {
	Record, Alert, Expr string
	Labels, Annotations map[string]string
}

func readRules(t *testing.T) (out []rule) {
	t.Helper()
	var file struct{ Groups []struct{ Rules []rule } }
	readYAML(t, "prometheus/rules.yml", &file)
	for _, g := range file.Groups {
		out = append(out, g.Rules...)
	}
	require.Greater(t, len(out), 10)
	return out
}

// TestAlertsReachSomebody: what the issue asks for is there, each alert has words and a severity, and Alertmanager's file names only
// alerts and receivers that exist.
func TestAlertsReachSomebody(t *testing.T) {
	t.Parallel()
	var alerts []string
	for _, r := range readRules(t) {
		if r.Alert == "" {
			continue
		}
		alerts = append(alerts, r.Alert)
		require.Contains(t, []string{"page", "ticket", "none"}, r.Labels["severity"], r.Alert)
		require.NotEmpty(t, r.Annotations["summary"], r.Alert)
	}
	require.Subset(t, alerts, []string{"CoverageBurnsFast", "CoverageBurnsSlowly", "FeedDown", "NoListForToday", "SearchDown", "Backlog", "DeadMansSwitch"})
	var manager struct {
		Route struct {
			Receiver string
			Routes   []struct {
				Receiver string
				Matchers []string
			}
		}
		Receivers []struct {
			Name     string
			Webhooks []struct {
				URLFile string `yaml:"url_file"`
			} `yaml:"webhook_configs"`
		}
		Inhibit []struct {
			Source []string `yaml:"source_matchers"`
			Target []string `yaml:"target_matchers"`
		} `yaml:"inhibit_rules"`
	}
	readYAML(t, "alertmanager/alertmanager.yml", &manager)
	var receivers []string
	for _, r := range manager.Receivers {
		receivers = append(receivers, r.Name)
		require.Len(t, r.Webhooks, 1)
		require.Equal(t, "/etc/alertmanager/urls/"+r.Name, r.Webhooks[0].URLFile)
	}
	require.Contains(t, receivers, manager.Route.Receiver)
	var named []string
	for _, r := range manager.Route.Routes {
		require.Contains(t, receivers, r.Receiver)
		named = append(named, r.Matchers...)
	}
	for _, i := range manager.Inhibit {
		named = append(append(named, i.Source...), i.Target...)
	}
	require.Contains(t, named, "alertname = DeadMansSwitch")
	for _, m := range named {
		_, values, ok := strings.Cut(m, "alertname =")
		require.True(t, ok, m)
		for value := range strings.SplitSeq(strings.Trim(values, `~ "`), "|") {
			known := regexp.MustCompile("^" + value + "$")
			require.True(t, slices.ContainsFunc(alerts, known.MatchString), "%s is no alert", value)
		}
	}
}

// TestSearchDownMutesOnlyWhatFollowsFromIt: a feed that is silent has nothing to do with X. FeedSilent was muted.
func TestSearchDownMutesOnlyWhatFollowsFromIt(t *testing.T) {
	t.Parallel()
	var manager struct {
		Inhibit []struct {
			Source []string `yaml:"source_matchers"`
			Target []string `yaml:"target_matchers"`
		} `yaml:"inhibit_rules"`
	}
	readYAML(t, "alertmanager/alertmanager.yml", &manager)
	mutes := func(source, target string) bool {
		for _, i := range manager.Inhibit {
			if matches(i.Source, source) && matches(i.Target, target) {
				return true
			}
		}
		return false
	}
	require.False(t, mutes("SearchDown", "FeedSilent"))
	require.True(t, mutes("SearchDown", "NoClips"))
	for _, cause := range []string{"FeedDown", "MonitorStands", "NothingRuns"} {
		require.True(t, mutes(cause, "FeedSilent"), cause)
	}
	for _, page := range []string{"FeedDown", "SearchDown", "MonitorStands", "ProcessGone", "NothingRuns", "PartDown"} {
		for _, other := range []string{"FeedDown", "SearchDown", "MonitorStands", "ProcessGone", "NothingRuns", "PartDown"} {
			require.False(t, mutes(page, other), "%s is a cause", other)
		}
	}
}

// matches reports whether matchers of the form alertname =~ "a|b" take an alert.
func matches(matchers []string, alert string) bool {
	return !slices.ContainsFunc(matchers, func(m string) bool {
		_, values, _ := strings.Cut(m, "alertname =")
		return !regexp.MustCompile("^(?:" + strings.Trim(values, `~ "`) + ")$").MatchString(alert)
	})
}

// TestEachAlertIsPlayed in a case in which it fires and in one in which it does not; DeadMansSwitch fires always.
func TestEachAlertIsPlayed(t *testing.T) {
	t.Parallel()
	var file struct {
		Tests []struct {
			Alerts []struct {
				Name string `yaml:"alertname"`
				Want []any  `yaml:"exp_alerts"`
			} `yaml:"alert_rule_test"`
		}
	}
	readYAML(t, "prometheus/rules.test.yml", &file)
	fires, rests := map[string]bool{}, map[string]bool{"DeadMansSwitch": true}
	for _, c := range file.Tests {
		for _, a := range c.Alerts {
			if len(a.Want) > 0 {
				fires[a.Name] = true
			} else {
				rests[a.Name] = true
			}
		}
	}
	for _, r := range readRules(t) {
		if r.Alert != "" {
			require.True(t, fires[r.Alert], "no test in which %s fires", r.Alert)
			require.True(t, rests[r.Alert], "no test in which %s does not fire", r.Alert)
		}
	}
}

// TestTheRulesSayWhatTheyShould runs promtool's tests of the rules.
func TestTheRulesSayWhatTheyShould(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("promtool"); err != nil {
		t.Skip("promtool is not installed (Debian: prometheus)")
	}
	for _, args := range [][]string{{"check", "config", "prometheus.yml"}, {"test", "rules", "rules.test.yml"}} {
		run := exec.CommandContext(t.Context(), "promtool", args...) //nolint:gosec // one of two
		run.Dir = filepath.Join(deploy, "prometheus")
		out, err := run.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

func TestDashboardAndAlertsNameMetricsThatExist(t *testing.T) {
	t.Parallel()
	cfg, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "WEB_ADDR": "127.0.0.1:0", "LLAMA_URL": "http://127.0.0.1:9/v1", "SOURCES": "xweb,xapi", "FEED": "api-football"}, groups()...)
	require.NoError(t, err)
	a, err := app.New(t.Context(), cfg, slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- a.Run(ctx, app.Roles{Web: true, Ready: func(app.Ready) { close(ready) }}) }()
	t.Cleanup(func() {
		stop()
		<-ended
		require.NoError(t, a.Close())
	})
	<-ready
	names := a.Metrics.Names()
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	b, err := os.ReadFile(filepath.Join(deploy, "grafana/dashboards/found-footy.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &dashboard))
	rules, made := readRules(t), []string{}
	for _, r := range rules {
		if r.Record != "" {
			made = append(made, r.Record)
		}
	}
	used := map[string]bool{}
	check := func(where, expr string) {
		found, own := metric.FindAllString(expr, -1), recorded.FindAllString(expr, -1)
		require.NotEmpty(t, append(slices.Clone(found), own...), where)
		require.Subset(t, made, own, "%s asks for what no rule records", where)
		for _, m := range found {
			family := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(m, "_bucket"), "_count"), "_sum")
			require.True(t, slices.Contains(names, m) || slices.Contains(names, family) || slices.Contains(fromOthers, m), "%s asks for %s", where, m)
			used[family] = true
		}
	}
	for _, p := range dashboard.Panels {
		for _, q := range p.Targets {
			check("panel "+p.Title, q.Expr)
		}
	}
	for _, r := range rules {
		if !slices.Contains(withoutFigures, r.Alert) {
			check("rule "+r.Alert+r.Record, r.Expr)
		}
	}
	require.Greater(t, len(used), 25, "the dashboard shows most of what is counted")
}

func TestPrometheusScrapesEveryProcess(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	var prom struct {
		RuleFiles     []string `yaml:"rule_files"`
		ScrapeConfigs []struct {
			DNS []struct {
				Names []string `yaml:"names"`
				Port  int      `yaml:"port"`
			} `yaml:"dns_sd_configs"`
			Relabel []struct{ Regex string } `yaml:"relabel_configs"`
		} `yaml:"scrape_configs"`
	}
	readYAML(t, "prometheus/prometheus.yml", &prom)
	for _, f := range prom.RuleFiles {
		_, err := os.Stat(filepath.Join(deploy, "prometheus", f))
		require.NoError(t, err)
	}
	var scraped []string
	for _, s := range prom.ScrapeConfigs {
		require.Len(t, s.Relabel, 1)
		role := regexp.MustCompile("^(?:" + s.Relabel[0].Regex + ")$")
		for _, d := range s.DNS {
			for _, name := range d.Names { // the scaler may end browser2, and the role goes on
				require.Equal(t, strings.TrimRight(name, "0123456789"), role.ReplaceAllString(name, "$1"))
			}
			require.Equal(t, 9100, d.Port)
			scraped = append(scraped, d.Names...)
		}
	}
	var served []string
	for name, s := range c.Services {
		if ours(s.Image) && name != "scaler" { // it has no listener
			served = append(served, name)
		}
	}
	require.ElementsMatch(t, served, scraped)
}
