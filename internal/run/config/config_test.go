package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
)

func TestDefaultsNeedNothing(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{"HOME": "/home/ada"})
	require.NoError(t, err)
	require.Empty(t, c.Warnings)
	require.Equal(t, "/home/ada/.local/state/found-footy", c.State.Dir)
	require.Equal(t, "https://v3.football.api-sports.io", c.Feed.URL)
	require.Equal(t, []string{"goal"}, c.Track.Kinds)
	require.Contains(t, c.Track.Leagues, "39")
	require.Equal(t, 30*time.Second, c.Track.MonitorInterval)
	require.Equal(t, 1, c.Track.TimeScale)
	require.Equal(t, "127.0.0.1:8080", c.Web.Addr, "the default bind is loopback")
	require.False(t, c.Media.AllowPrivate)
	require.True(t, c.S3.Secure)
	require.Equal(t, []string{"xweb", "xapi", "reddit"}, c.Search.Sources, "the first evening has posts")
	require.Equal(t, "127.0.0.1:8888", c.Browser.Addr)
	require.Equal(t, "/home/ada/.local/state/found-footy/browser", c.Browser.Dir)
	require.Equal(t, 40, c.Browser.Budget)
}

func TestValuesAreRead(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{
		"STATE_DIR": "/srv/footy", "TRACK": "goal,red_card", "TRACK_TEAMS": "33,40", "TIME_SCALE": "30",
		"MONITOR_INTERVAL": "17500ms", "S3_ENDPOINT": "127.0.0.1:8333", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "b", "S3_SECURE": "false",
		"MONGODB_URI": "mongodb://u:p@127.0.0.1:27017/?replicaSet=rs0", "TEMPORAL_ADDRESS": "[::1]:7233",
	})
	require.NoError(t, err)
	require.Equal(t, "/srv/footy", c.State.Dir)
	require.Equal(t, 17500*time.Millisecond, c.Track.MonitorInterval)
	require.Equal(t, []string{"goal", "red_card"}, c.Track.Kinds)
	require.Equal(t, []string{"33", "40"}, c.Track.Teams)
	require.False(t, c.S3.Secure)
}

func TestThePublicAddressMayHaveAPath(t *testing.T) {
	t.Parallel()
	for set, is := range map[string]string{"https://goals.example/": "https://goals.example", "https://home.example/footy//": "https://home.example/footy", "http://home.example:8443/a/b-c": "http://home.example:8443/a/b-c"} {
		c, err := config.Parse(map[string]string{"PUBLIC_URL": set})
		require.NoError(t, err)
		require.Equal(t, is, c.Web.PublicURL)
	}
}

func TestAnObjectStoreMayBeWrittenWithItsScheme(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		endpoint, secure, host string
		tls                    bool
	}{
		{"http://minio:9000", "", "minio:9000", false},
		{"http://minio:9000/", "false", "minio:9000", false},
		{"http://minio:9000//", "false", "minio:9000", false},
		{"https://s3.example.org", "", "s3.example.org", true},
		{"HTTPS://s3.example.org", "true", "s3.example.org", true},
		{"minio:9000", "", "minio:9000", true},
		{"minio:9000", "false", "minio:9000", false},
	} {
		c, err := config.Parse(map[string]string{"S3_ENDPOINT": tc.endpoint, "S3_SECURE": tc.secure, "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "b"})
		require.NoError(t, err, tc.endpoint)
		require.Equal(t, tc.host, c.S3.Endpoint)
		require.Equal(t, tc.tls, c.S3.Secure, "%s, S3_SECURE=%s", tc.endpoint, tc.secure)
	}
	for _, tc := range []struct{ endpoint, secure, want string }{
		{"http://minio:9000", "true", `S3_ENDPOINT="http://minio:9000" contradicts S3_SECURE=true: unset S3_SECURE, or write https://minio:9000`},
		{"https://minio:9000", "false", `S3_ENDPOINT="https://minio:9000" contradicts S3_SECURE=false: unset S3_SECURE, or write http://minio:9000`},
		{"http://minio:9000/bucket", "", `S3_ENDPOINT="http://minio:9000/bucket" is not a host with an optional port and scheme: write it like 127.0.0.1:8333`},
		{"http://", "", `S3_ENDPOINT="http://" is not a host with an optional port and scheme: write it like 127.0.0.1:8333`},
		{"ftp://minio", "", `S3_ENDPOINT="ftp://minio" is not a host with an optional port and scheme: write it like 127.0.0.1:8333`},
	} {
		_, err := config.Parse(map[string]string{"S3_ENDPOINT": tc.endpoint, "S3_SECURE": tc.secure, "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "b"})
		require.Error(t, err, tc.endpoint)
		require.True(t, strings.HasPrefix(err.Error(), tc.want), err.Error())
	}
}

func TestTeamsAndLeaguesMayBeNamed(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{"TRACK_LEAGUES": "none", "TRACK_TEAMS": "Arsenal, Bodø/Glimt,40"})
	require.NoError(t, err)
	require.Equal(t, []string{"none"}, c.Track.Leagues)
	require.Len(t, c.Track.Teams, 3)
	_, err = config.Parse(map[string]string{"TRACK_LEAGUES": "39, England/Premier League"})
	require.NoError(t, err)
}

func TestABadValueGivesOneLineWithTheRemedy(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, value, want string }{
		{"TIME_SCALE", "40", `TIME_SCALE="40" is not between 1 and 30: write it like 1, or unset it for the default 1`},
		{"TIME_SCALE", "fast", `TIME_SCALE="fast" is not a whole number: write it like 1, or unset it for the default 1`},
		{"MONITOR_INTERVAL", "30", `MONITOR_INTERVAL="30" is not a duration with its unit: write it like 30s, or unset it for the default 30s`},
		{"MONITOR_INTERVAL", "1s", `MONITOR_INTERVAL="1s" is not between 10s and 5m: write it like 30s, or unset it for the default 30s`},
		{"TRACK_LEAGUES", "39,-4", `TRACK_LEAGUES="39,-4" has an id that is less than 1: write it like 39,La Liga, or none, or unset it for the default 39,140`},
		{"TRACK_LEAGUES", "39,none", `TRACK_LEAGUES="39,none" names leagues beside none: write none alone to follow only the teams of TRACK_TEAMS`},
		{"TRACK_LEAGUES", "none", `TRACK_LEAGUES="none" follows nothing without TRACK_TEAMS: set TRACK_TEAMS to the teams to follow, or unset TRACK_LEAGUES`},
		{"TRACK_TEAMS", "-1", `TRACK_TEAMS="-1" has an id that is less than 1: write it like Arsenal,40, or unset it`},
		{"TRACK_TEAMS", "Arsenal,,40", `TRACK_TEAMS="Arsenal,,40" has an entry that is neither an id nor a name: write it like Arsenal,40, or unset it`},
		{"TRACK_TEAMS", "none", `TRACK_TEAMS="none" is no team: leave none out of TRACK_TEAMS`},
		{"TRACK", "goals", `TRACK="goals" is not one of goal, red_card, yellow_card, var, missed_penalty, penalty (did you mean goal?): write it like goal,red_card`},
		{"TRACK", "goal,red_crad", `TRACK="goal,red_crad" is not one of goal, red_card, yellow_card, var, missed_penalty, penalty (did you mean red_card?): write`},
		{"TRACK", "corner", `TRACK="corner" is not one of goal, red_card, yellow_card, var, missed_penalty, penalty: write`},
		{"LLAMA_URL", "localhost:8080", `LLAMA_URL="localhost:8080" is not an http or https address: write it like http://127.0.0.1:8080/v1, or unset it`},
		{"PUBLIC_URL", "goals.example", `PUBLIC_URL="goals.example" is not an http or https address: write it like https://goals.example.org, or unset it`},
		{"PUBLIC_URL", "https://goals.example:99999", `PUBLIC_URL="https://goals.example:99999" is not an http or https address: write it like`},
		{"PUBLIC_URL", "https://:443", `PUBLIC_URL="https://:443" is not an http or https address: write it like`},
		{"LLAMA_URL", "http://127.0.0.1:0", `LLAMA_URL="http://127.0.0.1:0" is not an http or https address`},
		{"PUBLIC_URL", "https://goals.example/?a=b", `PUBLIC_URL="https://goals.example/?a=b" has more than a host and a path: write it like`},
		{"PUBLIC_URL", "https://goals.example/#top", `PUBLIC_URL="https://goals.example/#top" has more than a host and a path: write it like`},
		{"PUBLIC_URL", "https://goals.example/a//b", `PUBLIC_URL="https://goals.example/a//b" has a path that is not made of plain letters: write it like`},
		{"PUBLIC_URL", "https://goals.example/../b", `PUBLIC_URL="https://goals.example/../b" has a path that is not made of plain letters: write it like`},
		{"PUBLIC_URL", "https://goals.example/watch", `PUBLIC_URL="https://goals.example/watch" has a path of the page itself: write it like`},
		{"PUBLIC_URL", "https://goals.example/healthz/", `PUBLIC_URL="https://goals.example/healthz/" has a path of the page itself: write it like`},
		{"PUBLIC_URL", "https://goals.example/a%20b", `PUBLIC_URL="https://goals.example/a%20b" has a path that is not made of plain letters: write it like`},
		{"TEMPORAL_ADDRESS", "temporal", `TEMPORAL_ADDRESS="temporal" is not host:port: write it like 127.0.0.1:7233, or unset it`},
		{"WEB_ADDR", "127.0.0.1:99999", `WEB_ADDR="127.0.0.1:99999" is not host:port: write it like 127.0.0.1:8080`},
		{"S3_SECURE", "maybe", `S3_SECURE="maybe" is not true or false: write true or false, or unset it for the default true`},
		{"SOURCES", "xweb,bluesky", `SOURCES="xweb,bluesky" is not one of xweb, xapi, reddit: write it like xapi,xweb, or unset it for the default xweb,xapi,reddit`},
		{"SOURCES", "xapi", `SOURCES="xapi" needs X_BEARER_TOKEN: set it, or add reddit, or add xweb to search with a browser`},
		{"MODEL_FRAME_LINES", "2160", `MODEL_FRAME_LINES="2160" is not between 240 and 1080: write it like 540, or unset it for the default 1080`},
		{"SOURCES", "xweb,xweb", `SOURCES="xweb,xweb" names xweb twice: name each once`},
		{"BROWSER_ADDR", "8888", `BROWSER_ADDR="8888" is not host:port: write it like 127.0.0.1:8888`},
		{"BROWSER_ADDR", "0.0.0.0:8888", `BROWSER_ADDR="0.0.0.0:8888" can be reached from other machines and needs TWITTER_SERVICE_TOKEN: set the same token for the search service and its workers, or listen on 127.0.0.1`},
		{"BROWSER_ADDR", ":8888", `BROWSER_ADDR=":8888" can be reached from other machines and needs TWITTER_SERVICE_TOKEN`},
		{"X_BUDGET", "many", `X_BUDGET="many" is not a whole number: write it like 40`},
		{"X_DAILY_CAP", "0", `X_DAILY_CAP="0" is not between 0.05 and 10000: write it like 2.50`},
		{"LOG_FORMAT", "xml", `LOG_FORMAT="xml" is not one of json, pretty: write it like json or pretty`},
		{"MONGODB_URI", "http://u:hunter2@db", `MONGODB_URI="http://u:xxxxx@db" is not a mongodb:// address: write it like`},
		{"MONGODB_URI", "u:hunter2@db", `MONGODB_URI="(hidden: it may hold a password)" is not a mongodb:// address: write it like`},
		{"POSTGRES_URL", "http://u:hunter2@db", `POSTGRES_URL="http://u:xxxxx@db" is not a postgres:// address: write it like postgres://`},
		{"POSTGRES_URL", "http://db/footy?password=hunter2", `POSTGRES_URL="(hidden: it may hold a password)" is not a postgres:// address: write it like postgres://`},
		{"POSTGRES_URL", "host=db password=hunter2", `POSTGRES_URL="(hidden: it may hold a password)" is not a postgres:// address: write it like postgres://`},
		{"POSTGRES_URL", "postgres://u:1/hunter2@db/footy", `POSTGRES_URL="(hidden: it may hold a password)" has a / or @ in its password, which must be written %2F or %40: write it like postgres://`},
		{"POSTGRES_URL", "postgres://u:hunter2@more@db/footy", `POSTGRES_URL="postgres://u:xxxxx@db/footy" has a / or @ in its password, which must be written %2F or %40: write it like postgres://`},
		{"ADMIN_TOKEN", "short", `ADMIN_TOKEN="(5 characters, hidden)" is shorter than 16 characters: write 16 or more random letters, or unset it`},
	} {
		t.Run(tc.name+"="+tc.value, func(t *testing.T) {
			t.Parallel()
			_, err := config.Parse(map[string]string{tc.name: tc.value})
			require.Error(t, err)
			require.NotContains(t, err.Error(), "\n")
			require.True(t, strings.HasPrefix(err.Error(), tc.want), err.Error())
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}

func TestAllProblemsComeAtOnce(t *testing.T) {
	t.Parallel()
	_, err := config.Parse(map[string]string{
		"TIME_SCALE": "x", "LOG_LEVEL": "loud", "MONITOR_INTERVAL": "1s", "S3_ENDPOINT": "127.0.0.1:8333",
	})
	var problems config.Problems
	require.ErrorAs(t, err, &problems)
	var names []string
	for _, p := range problems {
		names = append(names, p.Setting)
	}
	require.ElementsMatch(t, []string{"TIME_SCALE", "LOG_LEVEL", "MONITOR_INTERVAL", "S3_ENDPOINT"}, names)
	require.Equal(t, 3, strings.Count(err.Error(), "\n"))
}

func TestMisspeltSettingsAreNamed(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{
		"MONGO_URI": "mongodb://x", "API_FOOTBAL_KEY": "k", "S3_FLAVOUR": "sweet", "TEMPORAL_ADDRESSS": "x:1", "WEB_ADR": "x", "TRACKS": "x",
		"MONGODB_FLAVOUR": "x", "TRACK_EVENTS": "goal",
		"HOME": "/root", "PATH": "/bin", "LANG": "C", "LLAMA_ARG_MODEL": "m", "TRACE": "1", "BROWSER": "lynx", "EDITOR": "ed", "NOCOLOURS": "1",
	})
	require.NoError(t, err)
	require.Equal(t, []string{
		"API_FOOTBAL_KEY is not a setting: did you mean API_FOOTBALL_KEY?",
		"MONGODB_FLAVOUR is not a setting: docs/settings.md lists all",
		"MONGO_URI is not a setting: did you mean MONGODB_URI?",
		"S3_FLAVOUR is not a setting: docs/settings.md lists all",
		"TEMPORAL_ADDRESSS is not a setting: did you mean TEMPORAL_ADDRESS?",
		"TRACKS is not a setting: did you mean TRACK?",
		"TRACK_EVENTS is not a setting: docs/settings.md lists all",
		"WEB_ADR is not a setting: did you mean WEB_ADDR?",
	}, c.Warnings)
}

func TestWhatAClusterSaysOfItsServicesIsNoSetting(t *testing.T) {
	for _, service := range []string{"FOOTY", "FOOTY_BROWSER", "TEMPORAL", "TEMPORAL_UI", "POSTGRES", "MONGODB", "S3", "BROWSER", "WEB", "METRICS", "LLAMA", "TWITTER"} {
		vars := map[string]string{"HOME": t.TempDir()}
		for _, link := range []string{
			"_SERVICE_HOST=10.0.0.1", "_SERVICE_PORT=8080", "_SERVICE_PORT_HTTP=8080", "_PORT=tcp://10.0.0.1:8080", "_PORT_8080_TCP=tcp://10.0.0.1:8080",
			"_PORT_8080_TCP_PROTO=tcp", "_PORT_8080_TCP_PORT=8080", "_PORT_8080_TCP_ADDR=10.0.0.1",
		} {
			name, value, _ := strings.Cut(service+link, "=")
			vars[name] = value
		}
		c, err := config.Parse(vars)
		require.NoError(t, err, service)
		require.Empty(t, c.Warnings, service)
		require.Equal(t, -1, c.Engine.UIPort, service)
	}
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile(config.File, []byte("TEMPORAL_UI_PORT=3200\n"), 0o600))
	t.Setenv("TEMPORAL_UI_PORT", "tcp://[fd00::1]:8080")
	c, err := config.Load()
	require.NoError(t, err)
	require.Equal(t, 3200, c.Engine.UIPort, "a service of that name does not hide what was set")
	_, err = config.Parse(map[string]string{"HOME": t.TempDir(), "TEMPORAL_UI_PORT": "https://10.0.0.1:8080"})
	require.ErrorContains(t, err, "TEMPORAL_UI_PORT", "which no cluster says")
}

func TestSecretsAreKnownToBeHidden(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{
		"API_FOOTBALL_KEY": "sesame", "MONGODB_URI": "mongodb://u:hunter2@db:27017", "LLAMA_URL": "http://x:1",
	})
	require.NoError(t, err)
	require.Equal(t, []string{"sesame", "hunter2"}, c.Secrets())
}

func TestPasswordsInAddressesAreKnownToBeHidden(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"postgres://u:hunter%402@db/footy":                       "hunter@2",
		"postgres://u:hunter2@one:5432,two:5433/footy":           "hunter2",
		"postgresql://db/footy?user=u&password=hunter2":          "hunter2",
		"postgres://u@db/footy?sslkey=k&sslpassword=hunter2":     "hunter2",
		"postgres://u:hunter2@[::1]:5432/footy?sslmode=disable":  "hunter2",
		"postgres:///footy?host=/var/run/postgresql&password=h2": "h2",
	} {
		c, err := config.Parse(map[string]string{"POSTGRES_URL": raw})
		require.NoError(t, err, raw)
		require.Equal(t, []string{want}, c.Secrets(), raw)
	}
}

func TestStateIsInOneDatabase(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(nil)
	require.NoError(t, err)
	require.True(t, c.State.Embedded())
	for name, value := range map[string]string{"POSTGRES_URL": "postgres://u:hunter2@db/footy", "MONGODB_URI": "mongodb://u:hunter2@db"} {
		c, err := config.Parse(map[string]string{name: value})
		require.NoError(t, err)
		require.False(t, c.State.Embedded(), name)
	}
	_, err = config.Parse(map[string]string{"POSTGRES_URL": "postgres://u:hunter2@db/footy", "MONGODB_URI": "mongodb://u:hunter2@db"})
	require.EqualError(t, err, "POSTGRES_URL and MONGODB_URI are both set, and state is kept in one database: unset one of them")
}

func TestMissingTellsHowToGetIt(t *testing.T) {
	t.Parallel()
	c := config.Config{Feed: config.Feed{Name: config.APIFootball}}
	require.Len(t, c.Missing(false), 3)
	require.Len(t, c.Missing(true), 2, "an account of X is enough to search")
	require.Contains(t, c.Missing(false).Error(), "API_FOOTBALL_KEY is not set, so no match is followed: make a free account")
	c.Feed.Name = ""
	require.Len(t, c.Missing(false), 2, "ESPN's scoreboard needs no key")
	c.Search.Sources = []string{"xweb", "xapi", "reddit"}
	require.Contains(t, c.Missing(false).Error(), "so posts come from Reddit alone")
	require.Contains(t, c.Missing(false).Error(), "REDDIT_FEED is not set, so Reddit's public list is asked, which many are refused: set it to an address that any free account shows under preferences > RSS feeds")
	c.Reddit.Feed = "https://www.reddit.com/r/soccer/new/.rss?feed=hunter2&user=ada"
	require.NotContains(t, c.Missing(false).Error(), "REDDIT_FEED")
	c.Feed, c.Search.BearerToken, c.Model.URL = config.Feed{Key: "k"}, "t", "http://x"
	require.Empty(t, c.Missing(false))
}

//nolint:paralleltest // Load reads the process's environment and working directory, which tests share.
func TestLoadReadsTheFileAndTheEnvironmentWins(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, s := range config.Settings() {
		t.Setenv(s.Name, "")
	}
	t.Setenv("LOG_LEVEL", "debug")
	write(t, filepath.Join(dir, config.File), "# mine\nLOG_LEVEL=error\nTRACK_TEAMS=33\nAPI_FOOTBALL_KEY='a b'\n")
	c, err := config.Load()
	require.NoError(t, err)
	require.Equal(t, "debug", c.Log.Level)
	require.Equal(t, []string{"33"}, c.Track.Teams)
	require.Equal(t, "a b", c.Feed.Key)

	write(t, filepath.Join(dir, config.File), "my secret is hunter2\n")
	_, err = config.Load()
	require.EqualError(t, err, "footy.env has a line that is not NAME=value: line 1: write one NAME=value per line, comments after #")
}

func TestALineThatIsNoSettingIsFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"":                                     0,
		"A=1\n\n# my secret\nexport B='x y'\n": 0,
		"A=\"one\ntwo\"\nB=2":                  0,
		"A=1\nmy secret is hunter2\nB=2\n":     2, // the parser takes it for the beginning of B's name
		"A=1\nhunter2\n":                       2,
		"A=\"one\ntwo\"\n# x\nmy-secret=1\nB=2\n": 4,
		"A=1\nB=\"never ends\nC=3\n":              2,
	} {
		vars, bad := config.ParseFile(text)
		require.Equal(t, want, bad, text)
		require.Equal(t, bad > 0, vars == nil, text)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestListsMayHaveSpaces(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{"PROOF": "clock, model", "SOURCES": " xapi ,xweb"})
	require.NoError(t, err)
	require.Equal(t, []string{"clock", "model"}, c.Media.Proof)
	require.Equal(t, []string{"xapi", "xweb"}, c.Search.Sources)
}

func TestTheFeedInChargeIsTheOneThatWasChosen(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		set     map[string]string
		want    string
		problem string
	}{
		{map[string]string{}, config.ESPN, ""},
		{map[string]string{"API_FOOTBALL_KEY": "k"}, config.APIFootball, ""},
		{map[string]string{"API_FOOTBALL_KEY": "k", "FEED": "espn"}, config.ESPN, ""},
		{map[string]string{"FEED": "sky"}, "", "FEED=\"sky\" is not one of api-football, espn"},
		{map[string]string{"TRACK_LEAGUES": "39,eng.2,Serie A"}, config.ESPN, ""},
		{map[string]string{"FEED": "espn", "TRACK_LEAGUES": "39,9999"}, "", "TRACK_LEAGUES=\"39,9999\" has 9999, which is no league that ESPN's feed knows by number: write the league's name (England/Premier League) or ESPN's word for it (eng.1)"},
		{map[string]string{"API_FOOTBALL_KEY": "k", "TRACK_LEAGUES": "39,9999"}, config.APIFootball, ""},
		{map[string]string{"FEED": "espn", "MONITOR_INTERVAL": "10s"}, "", "MONITOR_INTERVAL=\"10s\" is less than 15s, and ESPN's scoreboard is asked no more often"},
	} {
		c, err := config.Parse(tc.set)
		if tc.problem != "" {
			require.ErrorContains(t, err, tc.problem)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, tc.want, c.Feed.InCharge(), tc.set)
	}
}

func TestAUserAgentIsHonest(t *testing.T) {
	t.Parallel()
	for name, good := range map[string]bool{
		"found-footy/1.2 (+https://example.org)": true, "my-scores/0.1": true, "footy.example/2026-11 contact@example.org": true,
		"Mozilla/5.0 (X11; Linux x86_64)": false, "footy": false, "footy/1 Chrome/130.0": false, "x/1 Safari/605": false, "footy /1": false, "f/1 \u00e9": false, "f/1\nHost: x": false,
	} {
		_, err := config.Parse(map[string]string{"FEED_USER_AGENT": name})
		if good {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, "FEED_USER_AGENT", name)
	}
	require.Equal(t, "found-footy/1.2.0-3-gabc (+https://github.com/found-footy/found-footy)", config.Feed{}.AgentOf("1.2.0-3-gabc"))
	require.Equal(t, "a/1", config.Feed{Agent: "a/1"}.AgentOf("1.2"))
}
