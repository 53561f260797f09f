package main

import (
	"encoding/json"
	goversion "go/version"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/joho/godotenv"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/config"
)

const deploy = "../../deploy"

type compose struct {
	Services map[string]struct {
		Image       string            `yaml:"image"`
		Command     []string          `yaml:"command"`
		Environment map[string]string `yaml:"environment"`
		Ports       []string          `yaml:"ports"`
		Networks    names             `yaml:"networks"`
		SecurityOpt []string          `yaml:"security_opt"`
		Volumes     []string          `yaml:"volumes"`
		DependsOn   names             `yaml:"depends_on"`
		Profiles    []string          `yaml:"profiles"`
		CapDrop     []string          `yaml:"cap_drop"`
		CapAdd      []string          `yaml:"cap_add"`
		ReadOnly    bool              `yaml:"read_only"`
		Privileged  bool              `yaml:"privileged"`
		MemLimit    string            `yaml:"mem_limit"`
		PidsLimit   int               `yaml:"pids_limit"`
		StopGrace   string            `yaml:"stop_grace_period"`
		Healthcheck struct {
			Test []string `yaml:"test"`
		} `yaml:"healthcheck"`
		Logging struct {
			Options map[string]string `yaml:"options"`
		} `yaml:"logging"`
	} `yaml:"services"`
	Networks map[string]struct {
		Internal bool `yaml:"internal"`
	} `yaml:"networks"`
	Volumes map[string]any `yaml:"volumes"`
}

// ours reports whether an image is made of this repository.
func ours(image string) bool {
	return image == "found-footy-services" || image == "found-footy-browser"
}

// names reads what compose takes as a list or as a map.
type names []string

// UnmarshalYAML implements yaml.Unmarshaler.
func (n *names) UnmarshalYAML(from *yaml.Node) error {
	if from.Kind == yaml.SequenceNode {
		return from.Decode((*[]string)(n))
	}
	var m map[string]any
	if err := from.Decode(&m); err != nil {
		return err
	}
	*n = slices.Sorted(maps.Keys(m))
	return nil
}

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(deploy, file))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(b, into), file)
}

func settingNames() (out []string) {
	for _, s := range config.Settings(groups()...) {
		out = append(out, s.Name)
	}
	return out
}

func TestComposeNamesWhatExists(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	require.Contains(t, c.Services, "web")
	known, roles := settingNames(), 0
	for name, s := range c.Services {
		for _, v := range s.Volumes {
			from, _, _ := strings.Cut(v, ":")
			if from == socket {
				require.Equal(t, "scaler", name, "whoever has Docker's socket is as good as root")
				continue
			}
			if !strings.HasPrefix(from, ".") {
				require.Contains(t, c.Volumes, from, name)
				continue
			}
			_, err := os.Stat(filepath.Join(deploy, from))
			require.NoError(t, err, name)
		}
		for _, n := range s.Networks {
			require.Contains(t, c.Networks, n, name)
		}
		for _, p := range s.Ports {
			require.True(t, strings.HasPrefix(p, "127.0.0.1:"), "%s is published on loopback only: %s", name, p)
		}
		for _, d := range s.DependsOn {
			require.Contains(t, c.Services, d, name)
		}
		if !ours(s.Image) {
			require.Regexp(t, `:v?\d+\.\d+`, s.Image, "%s names its version", name)
			continue
		}
		roles++
		require.Contains(t, []string{"web", "worker", "browser", "scaler"}, s.Command[0], name)
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
		cfg, err := config.Parse(vars, groups()...)
		require.NoError(t, err, name)
		if name == "scaler" {
			continue
		}
		require.Equal(t, "0.0.0.0:9100", cfg.Metrics.Addr, "%s is scraped there", name)
	}
	require.Equal(t, 6, roles)
	polled := map[string]int{}
	for _, s := range c.Services {
		for _, arg := range s.Command {
			for q := range strings.SplitSeq(strings.TrimPrefix(arg, "--queues="), ",") {
				polled[q]++
			}
		}
	}
	polled[policy.QueueSearch]++ // by the browser, which has the account
	for _, q := range policy.Queues() {
		require.Equal(t, 1, polled[q], "%s is polled by one service", q)
	}
}

// socket is Docker's.
const socket = "/var/run/docker.sock"

// secretName matches what a secret is called.
var secretName = regexp.MustCompile(`PASS|PWD|SECRET|TOKEN|_KEY$`)

// TestNoContainerHasAKnownSecret: who has read this repository must not have the key to anything.
func TestNoContainerHasAKnownSecret(t *testing.T) {
	t.Parallel()
	example, err := godotenv.Read(filepath.Join(deploy, ".env.example"))
	require.NoError(t, err)
	found := 0
	for _, file := range []string{"docker-compose.yml", "docker-compose.mongo.yml"} {
		var c compose
		readYAML(t, file, &c)
		for name, s := range c.Services {
			for setting, value := range s.Environment {
				if value == "" || setting == "S3_ACCESS_KEY" { // nothing, and a name
					continue
				}
				if _, login, ok := strings.Cut(value, "://footy:"); ok {
					setting, value = "PASSWORD", login[:strings.IndexByte(login, '@')]
				}
				if secretName.MatchString(setting) {
					m := regexp.MustCompile(`^\$\{([A-Z0-9_]+):\?set it in \.env\}$`).FindStringSubmatch(value)
					require.NotNil(t, m, "%s has %s=%s", name, setting, value)
					require.Contains(t, example, m[1], "%s: people read of it there", name)
					require.Empty(t, example[m[1]], "%s is for them to make", m[1])
					found++
				}
			}
		}
	}
	require.Greater(t, found, 12)
}

// TestContainersWriteWhereTheyMustAlone: each mount that is not for reading only has a reason here.
func TestContainersWriteWhereTheyMustAlone(t *testing.T) {
	t.Parallel()
	writes := map[string][]string{
		"scaler": {socket + ":" + socket}, "browser": {"browser:/var/lib/found-footy"}, "browser2": {"browser2:/var/lib/found-footy"},
		"postgres": {"postgres:/var/lib/postgresql/data"}, "objects": {"objects:/data"}, "mongo": {"mongo:/data/db"},
		"prometheus": {"prometheus:/prometheus"}, "alertmanager": {"alertmanager:/alertmanager"}, "grafana": {"grafana:/var/lib/grafana"},
	}
	for _, file := range []string{"docker-compose.yml", "docker-compose.mongo.yml"} {
		var c compose
		readYAML(t, file, &c)
		for name, s := range c.Services {
			for _, v := range s.Volumes {
				if !strings.HasSuffix(v, ":ro") {
					require.Contains(t, writes[name], v, name)
				}
			}
		}
	}
}

// TestTheEnginesPageChangesNothing: it asks for no password, and a page in a person's browser may reach it.
func TestTheEnginesPageChangesNothing(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	require.Equal(t, "true", c.Services["temporal-ui"].Environment["TEMPORAL_DISABLE_WRITE_ACTIONS"])
	require.Equal(t, []string{"tools"}, c.Services["temporal-ui"].Profiles, "docker compose up does not bring it")
}

// TestTheScalerIsReachedByNobody: with Docker's socket it could do anything on this machine.
func TestTheScalerIsReachedByNobody(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	s := c.Services["scaler"]
	require.Contains(t, s.Volumes, socket+":"+socket)
	require.Empty(t, s.Ports)
	require.NotContains(t, s.Networks, "default", "nor does it reach anybody outside")
	require.True(t, strings.HasPrefix(s.Environment["METRICS_ADDR"], "127.0.0.1:"))
	require.Empty(t, s.Profiles, "docker compose up brings it")
}

// TestChromiumHasASandboxInItsContainer: without root Chromium makes user namespaces of its own, which Docker's profile forbids.
func TestChromiumHasASandboxInItsContainer(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	for _, name := range []string{"browser", "browser2"} {
		require.Contains(t, c.Services[name].SecurityOpt, "seccomp=./chromium-seccomp.json", name)
	}
	var profile struct {
		DefaultAction string
		Syscalls      []struct {
			Names    []string
			Action   string
			Args     []any
			Includes map[string]any
		}
	}
	b, err := os.ReadFile(filepath.Join(deploy, "chromium-seccomp.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &profile))
	require.Equal(t, "SCMP_ACT_ERRNO", profile.DefaultAction)
	for _, call := range []string{"clone", "unshare", "setns", "chroot"} {
		allowed := false
		for _, rule := range profile.Syscalls {
			allowed = allowed || slices.Contains(rule.Names, call) && rule.Action == "SCMP_ACT_ALLOW" && len(rule.Args)+len(rule.Includes) == 0
		}
		require.True(t, allowed, call)
	}
}

// TestALogInIsOpenedUnderThePublishedAddress: inside of its container a browser does not know where its page is published.
func TestALogInIsOpenedUnderThePublishedAddress(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	found := 0
	for name, s := range c.Services {
		if s.Environment["X_VNC"] == "" {
			continue
		}
		found++
		_, inside, _ := strings.Cut(s.Environment["X_VNC_ADDR"], ":")
		outside, isURL := strings.CutPrefix(s.Environment["X_VNC_URL"], "http://")
		require.True(t, isURL, "%s tells a person X_VNC_URL", name)
		require.Contains(t, s.Ports, outside+":"+inside, name)
	}
	require.Equal(t, 2, found)
}

// TestTheImagesGoBuildsBothModules: the image's own Go never fetches a newer one.
func TestTheImagesGoBuildsBothModules(t *testing.T) {
	t.Parallel()
	dockerfile, err := os.ReadFile(filepath.Join(deploy, "Dockerfile"))
	require.NoError(t, err)
	image := regexp.MustCompile(`ARG GO=golang:(\d+\.\d+\.\d+)-`).FindSubmatch(dockerfile)
	require.NotNil(t, image)
	for _, module := range []string{"go.mod", "devstack/go.mod"} {
		text, err := os.ReadFile(filepath.Join(deploy, "..", module))
		require.NoError(t, err)
		wants := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(text)
		require.NotNil(t, wants, module)
		require.GreaterOrEqual(t, goversion.Compare("go"+string(image[1]), "go"+string(wants[1])), 0, "%s wants Go %s, the image has %s", module, wants[1], image[1])
	}
}

func TestTheObjectStoreIsAmongOursAlone(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	require.Equal(t, names{"objects"}, c.Services["objects"].Networks)
	require.Empty(t, c.Services["objects"].Ports, "its file port asks for no key")
	for name, s := range c.Services {
		require.True(t, ours(s.Image) || strings.HasPrefix(name, "objects") || !slices.Contains(s.Networks, "objects"), name)
	}
	require.NotContains(t, c.Services["browser"].Networks, "objects", "it needs no clips")
	for name, n := range c.Networks {
		require.Equal(t, name != "default", n.Internal, "%s leads out of this machine", name)
	}
}

func TestEveryContainerHasLimits(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	for name, s := range c.Services {
		require.Equal(t, []string{"ALL"}, s.CapDrop, name)
		require.Contains(t, s.SecurityOpt, "no-new-privileges:true", name)
		require.False(t, s.Privileged, name)
		require.NotEmpty(t, s.MemLimit, name)
		require.NotZero(t, s.PidsLimit, name)
		require.NotEmpty(t, s.Logging.Options["max-size"], name)
		if !ours(s.Image) {
			continue
		}
		require.Empty(t, s.CapAdd, name)
		require.True(t, s.ReadOnly, name)
		require.Equal(t, policy.StopGrace.String(), shortened(t, s.StopGrace), "%s may drain", name)
		require.NotContains(t, s.Healthcheck.Test[len(s.Healthcheck.Test)-1], "/healthz", "%s tells only that it lives", name)
	}
}

func shortened(t *testing.T, duration string) string {
	t.Helper()
	d, err := time.ParseDuration(duration)
	require.NoError(t, err)
	return d.String()
}

// TestComposeAloneStartsWorkers: docker compose up -d, without a profile, takes tasks of each queue; the scaler makes more of them.
func TestComposeAloneStartsWorkers(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	var started, queues []string
	for name, s := range c.Services {
		switch {
		case len(s.Profiles) > 0 || !ours(s.Image):
			continue
		case s.Command[0] == "worker":
			list, named := strings.CutPrefix(s.Command[1], "--queues=")
			require.True(t, named, name)
			queues = append(queues, strings.Split(list, ",")...)
		case s.Command[0] == "browser":
			queues = append(queues, policy.QueueSearch)
		}
		started = append(started, name)
	}
	require.ElementsMatch(t, []string{"web", "worker", "vision", "browser", "scaler"}, started)
	require.ElementsMatch(t, policy.Queues(), queues)
	require.Equal(t, "COMPOSE_PROJECT_NAME=found-footy", active(t, ".env.example", "COMPOSE_"), "nothing else decides what is started")
}

// active are the lines of a file of settings that begin so, and are no comments.
func active(t *testing.T, file, prefix string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(deploy, file))
	require.NoError(t, err)
	return strings.Join(slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return !strings.HasPrefix(line, prefix) }), "\n")
}

func TestMongoDBTakesThePlaceOfPostgreSQL(t *testing.T) {
	t.Parallel()
	var c, over compose
	readYAML(t, "docker-compose.yml", &c)
	readYAML(t, "docker-compose.mongo.yml", &over)
	for name, s := range c.Services {
		if s.Environment["POSTGRES_URL"] == "" || !ours(s.Image) {
			continue
		}
		cfg, err := config.Parse(over.Services[name].Environment, groups()...)
		require.NoError(t, err, name)
		require.NotEmpty(t, cfg.State.MongoURI, name)
		require.Empty(t, cfg.State.Postgres, name)
	}
	was, is := c.Services["database-ui"], over.Services["database-ui"]
	require.Equal(t, []string{"127.0.0.1:3201:8081"}, was.Ports, "the default port of both programs")
	require.Equal(t, c.Services["web"].Environment["POSTGRES_URL"], was.Environment["PGWEB_DATABASE_URL"])
	require.Equal(t, over.Services["web"].Environment["MONGODB_URI"], is.Environment["ME_CONFIG_MONGODB_URL"], "a look into the database that is set")
	for setting := range was.Environment {
		require.Contains(t, is.Environment, setting, "Mongo Express is not told how to reach PostgreSQL")
	}
}

// TestDockerComposeReadsTheFile asks docker-compose 1.29 and docker compose, whichever is there; neither needs an engine for it.
func TestDockerComposeReadsTheFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "deploy")
	require.NoError(t, os.CopyFS(dir, os.DirFS(deploy)))
	settings, err := os.ReadFile(filepath.Join(dir, "footy.env.example"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "footy.env"), settings, 0o600))
	example, err := os.ReadFile(filepath.Join(dir, ".env.example"))
	require.NoError(t, err)
	filled := regexp.MustCompile(`(?m)=$`).ReplaceAll(example, []byte("=0123456789abcdef"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".env"), filled, 0o600))
	var asked [][]string
	for _, cmd := range [][]string{{"docker-compose"}, {"docker", "compose"}} {
		if exec.CommandContext(t.Context(), cmd[0], append(cmd[1:], "version")...).Run() == nil { //nolint:gosec // one of two
			asked = append(asked, cmd)
		}
	}
	if len(asked) == 0 {
		t.Skip("neither docker-compose nor docker compose is installed")
	}
	for _, cmd := range asked {
		for _, files := range [][]string{{"-f", "docker-compose.yml"}, {"-f", "docker-compose.yml", "-f", "docker-compose.mongo.yml"}} {
			args := append(append(slices.Clone(cmd[1:]), files...), "--profile", "tools", "--profile", "metrics", "--profile", "second-account", "config", "--quiet")
			run := exec.CommandContext(t.Context(), cmd[0], args...) //nolint:gosec // idem
			run.Dir = dir
			out, err := run.CombinedOutput()
			require.NoError(t, err, "%s %v: %s", cmd[0], args, out)
		}
	}
}

func TestTheExampleSettingsAreSettings(t *testing.T) {
	t.Parallel()
	vars, err := godotenv.Read(filepath.Join(deploy, "footy.env.example"))
	require.NoError(t, err)
	require.NotEmpty(t, vars)
	for name := range vars {
		require.Contains(t, settingNames(), name)
	}
	_, err = config.Parse(vars, groups()...)
	require.NoError(t, err, "as it is, before anything is filled in")
}

// TestTheEngineOfTheCompositionHasTheMatcherThatPrioritiesNeed: Temporal's own image starts without it, and young goals wait behind old ones.
func TestTheEngineOfTheCompositionHasTheMatcherThatPrioritiesNeed(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	s := c.Services["temporal"]
	require.Contains(t, s.Volumes, "./temporal:/etc/temporal/footy:ro")
	require.Equal(t, "/etc/temporal/footy/dynamic.yml", s.Environment["DYNAMIC_CONFIG_FILE_PATH"])
	var set map[string][]struct{ Value any }
	readYAML(t, "temporal/dynamic.yml", &set)
	for key, want := range map[string]any{"matching.useNewMatcher": true, "matching.enableFairness": true, "matching.numTaskqueueReadPartitions": 1, "matching.numTaskqueueWritePartitions": 1} {
		require.Len(t, set[key], 1, key)
		require.Equal(t, want, set[key][0].Value, key)
	}
}

// TestTheCommandsOfTheReadmeNameServicesThatExist: a command for another service of the file would fail.
func TestTheCommandsOfTheReadmeNameServicesThatExist(t *testing.T) {
	t.Parallel()
	var c compose
	readYAML(t, "docker-compose.yml", &c)
	readme, err := os.ReadFile(filepath.Join(deploy, "README.md"))
	require.NoError(t, err)
	commands := regexp.MustCompile(`docker compose (?:exec|run)(?: -\S+)* ([a-z0-9]+) ([^\x60\n#]*)`).FindAllStringSubmatch(string(readme), -1)
	require.Greater(t, len(commands), 4)
	for _, m := range commands {
		require.Contains(t, c.Services, m[1], "%s", m[0])
	}
}
