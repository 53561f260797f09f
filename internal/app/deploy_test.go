package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/joho/godotenv"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

const deploy = "../../deploy"

type compose struct {
	Services map[string]struct {
		Image       string            `yaml:"image"`
		Command     []string          `yaml:"command"`
		Environment map[string]string `yaml:"environment"`
		Ports       []string          `yaml:"ports"`
		Volumes     []string          `yaml:"volumes"`
		DependsOn   yaml.Node         `yaml:"depends_on"`
		Configs     []struct {
			Source string `yaml:"source"`
		} `yaml:"configs"`
	} `yaml:"services"`
	Volumes map[string]any `yaml:"volumes"`
	Configs map[string]any `yaml:"configs"`
}

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(deploy, file))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(b, into), file)
}

func settingNames() (out []string) {
	for _, s := range config.Settings() {
		out = append(out, s.Name)
	}
	return out
}

func TestComposeNamesWhatExists(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	require.Contains(t, c.Services, "web")
	known, ours := settingNames(), 0
	for name, s := range c.Services {
		for _, v := range s.Volumes {
			from, _, _ := strings.Cut(v, ":")
			if !strings.HasPrefix(from, ".") {
				require.Contains(t, c.Volumes, from, name)
				continue
			}
			_, err := os.Stat(filepath.Join(deploy, from))
			require.NoError(t, err, name)
		}
		for _, f := range s.Configs {
			require.Contains(t, c.Configs, f.Source, name)
		}
		for _, p := range s.Ports {
			require.True(t, strings.HasPrefix(p, "127.0.0.1:"), "%s is published on loopback only: %s", name, p)
		}
		for _, d := range dependencies(t, s.DependsOn) {
			require.Contains(t, c.Services, d, name)
		}
		if s.Image != "found-footy" {
			require.Contains(t, s.Image, ":", "%s names its version", name)
			continue
		}
		ours++
		require.Contains(t, []string{"web", "worker", "browser"}, s.Command[0], name)
		for _, arg := range s.Command[1:] {
			for q := range strings.SplitSeq(strings.TrimPrefix(arg, "--queues="), ",") {
				require.Contains(t, policy.Queues(), q, name)
			}
		}
		vars := map[string]string{}
		for key, value := range s.Environment {
			require.Contains(t, known, key, name)
			vars[key] = regexp.MustCompile(`\$\{[^}]*\}`).ReplaceAllString(value, "sixteen-letters-or-more")
		}
		cfg, err := config.Parse(vars)
		require.NoError(t, err, name)
		require.Equal(t, "0.0.0.0:9100", cfg.Metrics.Addr, "%s is scraped there", name)
	}
	require.Equal(t, 4, ours)
	polled := map[string]int{}
	for _, s := range c.Services {
		for _, arg := range s.Command {
			for q := range strings.SplitSeq(strings.TrimPrefix(arg, "--queues="), ",") {
				polled[q]++
			}
		}
	}
	for _, q := range policy.Queues() {
		require.Equal(t, 1, polled[q], "%s is polled by one service", q)
	}
}

func dependencies(t *testing.T, n yaml.Node) (out []string) {
	t.Helper()
	switch n.Kind {
	case yaml.SequenceNode:
		require.NoError(t, n.Decode(&out))
	case yaml.MappingNode:
		var m map[string]any
		require.NoError(t, n.Decode(&m))
		for k := range m {
			out = append(out, k)
		}
	}
	return out
}

func TestTheExampleSettingsAreSettings(t *testing.T) {
	t.Parallel()
	vars, err := godotenv.Read(filepath.Join(deploy, "footy.env.example"))
	require.NoError(t, err)
	require.NotEmpty(t, vars)
	for name := range vars {
		require.Contains(t, settingNames(), name)
	}
	_, err = config.Parse(vars)
	require.NoError(t, err, "as it is, before anything is filled in")
}

var metric = regexp.MustCompile(`\b(?:footy|temporal|process|go)_[a-z0-9_]+`)

// fromOthers are metrics of libraries that the figures use; they appear once there is something to count.
var fromOthers = []string{"temporal_activity_execution_failed_total", "process_resident_memory_bytes"}

func TestDashboardAndAlertsNameMetricsThatExist(t *testing.T) {
	t.Parallel()
	a, _, _ := serve(t, map[string]string{"STATE_DIR": t.TempDir(), "WEB_ADDR": "127.0.0.1:0", "LLAMA_URL": "http://127.0.0.1:9/v1"})
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
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	readYAML(t, "prometheus/rules.yml", &rules)
	used := map[string]bool{}
	check := func(where, expr string) {
		found := metric.FindAllString(expr, -1)
		require.NotEmpty(t, found, where)
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
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			check("alert "+r.Alert, r.Expr)
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
		} `yaml:"scrape_configs"`
	}
	readYAML(t, "prometheus/prometheus.yml", &prom)
	for _, f := range prom.RuleFiles {
		_, err := os.Stat(filepath.Join(deploy, "prometheus", f))
		require.NoError(t, err)
	}
	var scraped []string
	for _, s := range prom.ScrapeConfigs {
		for _, d := range s.DNS {
			require.Equal(t, 9100, d.Port)
			scraped = append(scraped, d.Names...)
		}
	}
	var ours []string
	for name, s := range c.Services {
		if s.Image == "found-footy" {
			ours = append(ours, name)
		}
	}
	require.ElementsMatch(t, ours, scraped)
}
