package setup_test

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/extra/setup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

var extras = []port.Extra{setup.Extra()}

// firstPage is the page of a process that starts in an empty directory.
type firstPage struct {
	t     *testing.T
	setUp *app.SetUp
	app   *app.App
	url   string
	code  string
	again chan struct{}
	stop  func()
}

func startFirst(t *testing.T, set map[string]string, others ...port.Extra) *firstPage {
	t.Helper()
	return startFirstAt(t, devtest.FreeAddr(t), set, others...)
}

func startFirstAt(t *testing.T, addr string, set map[string]string, others ...port.Extra) *firstPage {
	t.Helper()
	for name, value := range set {
		t.Setenv(name, value)
	}
	var groups []config.Group
	for _, e := range others {
		groups = append(groups, *e.Settings)
	}
	c, err := config.Load(groups...)
	require.NoError(t, err)
	c.Web.Addr = addr
	a, err := app.New(t.Context(), c, slog.New(slog.DiscardHandler), "test", others...)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	p := &firstPage{t: t, app: a, again: make(chan struct{}, 1)}
	p.setUp = &app.SetUp{SetUp: setup.Extra().SetUp(), Again: func() { p.again <- struct{}{} }}
	ready, ended := make(chan app.Ready, 1), make(chan error, 1)
	go func() {
		ended <- a.Run(ctx, app.Roles{Web: true, SetUp: p.setUp, Ready: func(at app.Ready) { ready <- at }})
	}()
	p.stop = sync.OnceFunc(func() {
		stop()
		<-ended
		_ = a.Close()
	})
	t.Cleanup(p.stop)
	select {
	case at := <-ready:
		p.url, p.code = at.Page, at.Code
	case err := <-ended:
		ended <- err // for stop
		require.FailNow(t, "it ended before its page was there", "%v", err)
	}
	return p
}

// visit returns where a path leads to in the end, and what is there.
func (p *firstPage) visit(path string) (at string, status int, text string) {
	p.t.Helper()
	res, err := http.Get(p.url + path)
	return p.read(res, err)
}

func (p *firstPage) enter(step string, values ...string) string {
	p.t.Helper()
	form := url.Values{}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	res, err := http.PostForm(p.url+"/setup/"+step, form)
	_, status, text := p.read(res, err)
	require.Equal(p.t, http.StatusOK, status, text)
	return text
}

func (p *firstPage) read(res *http.Response, err error) (string, int, string) {
	p.t.Helper()
	require.NoError(p.t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(p.t, err)
	text := string(b)
	if from := strings.Index(text, "<main"); from >= 0 { // what a person reads first
		text = text[from:strings.Index(text, "</main>")]
	}
	return res.Request.URL.Path, res.StatusCode, text
}

// firstWorld is a world for somebody who starts in an empty directory, and its addresses.
func firstWorld(t *testing.T, modes ...string) (*world.World, map[string]string) {
	t.Helper()
	day := script.Default()
	day.Feed.Failures = nil
	for _, m := range modes {
		require.NoError(t, day.With(m))
	}
	w, err := world.New(world.Options{Script: day, ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	t.Chdir(t.TempDir())
	return w, map[string]string{"STATE_DIR": t.TempDir(), "API_FOOTBALL_URL": w.URL() + "/football", "ESPN_URL": w.URL() + "/espn", "X_URL": w.URL() + "/x",
		"REDDIT_URL": w.URL() + "/reddit", "REDDIT_API_URL": w.URL() + "/reddit/api", "REDDIT_ARCHIVE": "off", "MEDIA_ALLOW_PRIVATE": "true"}
}

func (p *firstPage) awaitAgain() {
	p.t.Helper()
	select {
	case <-p.again:
	case <-time.After(time.Minute):
		p.t.Fatal("it does not start anew")
	}
}

var asked = regexp.MustCompile(`<[^>]*>`)

// inSight is the text of a page.
func inSight(page string) string { return asked.ReplaceAllString(page, " ") }

func (p *firstPage) showsNoName(text string) {
	p.t.Helper()
	for _, s := range config.Settings() {
		require.NotRegexp(p.t, `\b`+s.Name+`\b`, inSight(text), "no name of a setting is in sight")
	}
}

func TestARefusedPublicListIsToldBeforeTheStart(t *testing.T) {
	w, outside := firstWorld(t, script.RedditBlocked)
	p := startFirst(t, outside)
	_, _, text := p.visit("/setup?today=1")
	require.Contains(t, text, "Reddit refuses its public list to this machine")
	require.Contains(t, text, "Paste an address of your own above.")
	require.Contains(t, text, `class="fixtures todays"`)
	p.showsNoName(text)
	p.enter("try/reddit", "REDDIT_FEED", w.URL()+"/reddit/.rss?feed="+world.RedditToken+"&user="+world.RedditUser)
	_, _, text = p.visit("/setup?today=1")
	require.NotContains(t, text, "refuses its public list")
}

// TestWhatWasTypedStaysWhereItCannotBeRead: the box was empty, and a letter was cut in two.
func TestWhatWasTypedStaysWhereItCannotBeRead(t *testing.T) {
	_, outside := firstWorld(t)
	p := startFirst(t, outside)
	typed := strings.Repeat("ä", 100)
	text := p.enter("try/model", "LLAMA_URL", typed)
	require.Contains(t, text, `value="`+typed+`"`)
	require.Contains(t, text, "“"+strings.Repeat("ä", 77)+"...”")
	require.NotContains(t, text, "\uFFFD")
	require.NotContains(t, p.enter("try/model", "leave", "1"), typed)
}

func TestWhoHasNothingStartsWithOneButton(t *testing.T) {
	_, outside := firstWorld(t)
	p := startFirst(t, outside)
	at, _, text := p.visit("/")
	require.Equal(t, "/setup", at, "the first page asks")
	require.Contains(t, text, "Start with nothing")
	require.Contains(t, text, "unofficial")
	require.Equal(t, 6, strings.Count(text, " checked>"), "the five big leagues and the Champions League")
	require.Contains(t, text, "https://www.reddit.com/prefs/feeds")

	_, _, text = p.visit("/setup?today=1")
	require.Contains(t, text, `class="fixtures todays"`, "a real match is shown before anything is written")
	require.Contains(t, text, "Liverpool")
	require.Regexp(t, `(?s)<li class="fixture live">.*\d+&#39;.*, \w[^,<]* \d</span>`, text, "its score and its minute")
	p.showsNoName(text)

	require.NoFileExists(t, config.File, "nothing is written before it is said")
	require.Contains(t, p.enter("finish"), "restarts with it")
	p.awaitAgain()
	c, err := config.Load()
	require.NoError(t, err)
	require.Equal(t, config.ESPN, c.Feed.Name)
	require.Equal(t, []string{config.ProofClock}, c.Media.Proof, "nothing is missing then")
	require.Equal(t, []string{"England/Premier League", "Spain/La Liga", "Germany/Bundesliga", "Italy/Serie A", "France/Ligue 1", "World/UEFA Champions League"}, c.Track.Leagues)
	require.Empty(t, c.Reddit.Feed)
	p.stop()

	next := startFirst(t, outside)
	at, status, _ := next.visit("/")
	require.Equal(t, "/", at, "today's page")
	require.Equal(t, http.StatusOK, status)
	at, _, _ = next.visit("/setup")
	require.Equal(t, "/admin", at, "who has the admin token can change it")
}

func TestLeaguesAreTickedAndClubsAreFoundByTyping(t *testing.T) {
	_, outside := firstWorld(t)
	p := startFirst(t, outside)
	_, _, text := p.visit("/setup?q=liverp")
	require.Contains(t, text, `value="England/Liverpool"`)
	crest := regexp.MustCompile(`/logo/team/\d+\?n=L\w*`).FindString(text)
	require.NotEmpty(t, crest)
	res, err := http.Get(p.url + crest)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, "image/png", res.Header.Get("Content-Type"), "its own crest, by the page")
	require.NoDirExists(t, filepath.Join(outside["STATE_DIR"], "clips", "logos"), "its id may be another club's of the feed that is chosen")
	_, _, text = p.visit("/setup?q=Liverpool+FC")
	require.Contains(t, text, `value="England/Liverpool"`, "by a name that the feed does not write")
	_, _, text = p.visit("/setup?q=li")
	require.Contains(t, text, "three letters")
	_, _, text = p.visit("/setup?q=nobody+is+called+so")
	require.Contains(t, text, "No club of that name")

	p.enter("choose", "leagues", "1")
	_, _, text = p.visit("/setup?q=liverp")
	require.Contains(t, text, `value="England/Liverpool"`, "with no league ticked, as the page advises to follow one club alone")

	text = p.enter("choose", "leagues", "1", "league", "Germany/Bundesliga")
	require.NotContains(t, text, "Liverpool", "of what is chosen")
	text = p.enter("choose", "add", "England/Liverpool")
	require.Contains(t, text, `name="drop" value="England/Liverpool"`)
	require.Equal(t, 1, strings.Count(text, "<bdi>Arsenal</bdi>"), "a club is followed beside the leagues")
	require.NotContains(t, p.enter("choose", "drop", "England/Liverpool"), `name="drop"`)
	require.Contains(t, p.enter("choose", "leagues", "1"), "Tick a league, or add a club")
	require.Contains(t, p.enter("finish"), "Tick a league, or add a club", "that is not written")
	require.NoFileExists(t, config.File)

	p.enter("choose", "add", "England/Liverpool")
	require.Contains(t, p.enter("finish"), "restarts with it")
	p.awaitAgain()
	c, err := config.Load()
	require.NoError(t, err)
	require.Equal(t, []string{"none"}, c.Track.Leagues)
	require.Equal(t, []string{"England/Liverpool"}, c.Track.Teams)
}

func TestWhatWasEnteredMustAnswerBeforeItIsWritten(t *testing.T) {
	w, outside := firstWorld(t)
	p := startFirst(t, outside)
	own := w.URL() + "/reddit/r/soccer/new/.rss?feed=" + world.RedditToken + "&user=" + world.RedditUser
	text := p.enter("finish", "REDDIT_FEED", "https://www.reddit.com/r/soccer/new/.rss")
	require.Contains(t, text, "feed= is missing")
	require.Contains(t, text, "does not work yet")
	p.showsNoName(text)
	require.NoFileExists(t, config.File)
	require.Contains(t, p.enter("finish"), "does not work yet", "it is not dropped unasked")
	require.Contains(t, p.enter("try/reddit", "REDDIT_FEED", own), "Reddit: works.")

	require.Contains(t, p.enter("try/model", "LLAMA_URL", "nowhere"), "Address of the server: down.")
	text = p.enter("try/model", "LLAMA_URL", "http://127.0.0.1:1/v1")
	require.Contains(t, text, "Vision model: down.")
	p.showsNoName(text)
	p.showsNoName(p.enter("try/reddit", "REDDIT_FEED", "https://www.reddit.com/r/nba/new/.rss?feed=a&user=b"))
	p.enter("try/reddit", "REDDIT_FEED", own)
	require.NotContains(t, p.enter("try/model", "leave", "1"), "Vision model: down.")
	text = p.enter("try/model", "LLAMA_URL", w.URL()+"/llm")
	require.Contains(t, text, "reads 4 of four pictures right", "it is shown a picture")
	require.Contains(t, p.enter("try/x", "cookies", "no cookies at all"), "Cookies: down.")
	require.Contains(t, p.enter("finish"), "does not work yet")
	p.enter("try/x", "leave", "1")

	text = p.enter("try/matches", "API_FOOTBALL_KEY", "a key of mine")
	require.Contains(t, text, "Match feed: works.")
	require.Contains(t, text, "calls used today", "what the plan allows")
	require.NotContains(t, text, "a key of mine", "a secret is not shown again")
	require.Contains(t, p.enter("try/matches"), "Match feed: works.", "a secret that is left empty stays")
	_, _, text = p.visit("/setup?today=1")
	require.Contains(t, text, `class="fixtures todays"`, "by the key")

	require.Contains(t, p.enter("finish"), "restarts with it")
	p.awaitAgain()
	info, err := os.Stat(config.File)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "it holds secrets")
	c, err := config.Load()
	require.NoError(t, err)
	require.Equal(t, "a key of mine", c.Feed.Key)
	require.Equal(t, config.APIFootball, c.Feed.InCharge(), "with a key")
	require.Contains(t, c.Track.Leagues, "England/Premier League")
	require.Equal(t, w.URL()+"/llm", c.Model.URL)
	require.Equal(t, own, c.Reddit.Feed)
}

func TestAClubThatCannotBeSearchedForIsToldInASentence(t *testing.T) {
	_, outside := firstWorld(t)
	outside["ESPN_URL"] = "http://127.0.0.1:1/espn"
	_, _, text := startFirst(t, outside).visit("/setup?q=liverp")
	require.Contains(t, text, "Clubs could not be searched: Nothing listens at that address. Try again in a minute")
}

// TestALookOfOneStepKnowsWhetherThisMachineIsOnline: without the feed's address Reddit was blamed for a machine without a network, and stayed so.
func TestALookOfOneStepKnowsWhetherThisMachineIsOnline(t *testing.T) {
	t.Chdir(t.TempDir())
	c, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir()})
	require.NoError(t, err)
	var asked config.Config
	set, _, err := setup.Extra().SetUp().Show(port.Trial{Config: c, Log: slog.New(slog.DiscardHandler), Doctor: func(_ context.Context, with config.Config) []health.Part {
		asked = with
		return nil
	}})
	require.NoError(t, err)
	require.NoError(t, set.Try(t.Context(), "reddit", url.Values{"REDDIT_FEED": {"https://www.reddit.com/.rss?feed=token&user=me"}}))
	require.NotEmpty(t, asked.Feed.At(), "what leads there tells")
	require.True(t, asked.Feed.Missing(), "each look at a feed costs calls")
}

// TestALookThatFailedIsNotRepeatedByThePage: it asks for today's matches every 30 s, and a free key has 100 calls a day.
func TestALookThatFailedIsNotRepeatedByThePage(t *testing.T) {
	_, outside := firstWorld(t)
	var calls atomic.Int32
	feed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		_, _ = io.WriteString(w, `{"errors":{"token":"Error/Missing application key."},"response":[]}`)
	}))
	t.Cleanup(feed.Close)
	outside["API_FOOTBALL_URL"] = feed.URL
	p := startFirst(t, outside)
	p.enter("try/matches", "API_FOOTBALL_KEY", "a key that is refused")
	asks := func(do func() string) int32 {
		t.Helper()
		before := calls.Load()
		require.Contains(t, do(), "Matches: down.")
		return calls.Load() - before
	}
	today := func() string {
		_, _, text := p.visit("/setup?today=1")
		return text
	}
	require.NotZero(t, asks(today))
	require.Zero(t, asks(today), "nothing changed, and nobody asked")
	require.NotZero(t, asks(func() string { return p.enter("choose", "leagues", "1", "league", "Germany/Bundesliga") }))
	require.Zero(t, asks(today))
	p.enter("try/matches")
	require.NotZero(t, asks(today), "the key was checked again")
	require.Zero(t, asks(today))
}

// TestNamesAreRememberedForEachFeed: each costs a key a call, and ESPN's ids are other leagues there.
func TestNamesAreRememberedForEachFeed(t *testing.T) {
	w, outside := firstWorld(t)
	at, err := url.Parse(w.URL())
	require.NoError(t, err)
	var names atomic.Int32
	through := httputil.NewSingleHostReverseProxy(at)
	feed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/leagues") {
			names.Add(1)
		}
		through.ServeHTTP(w, r)
	}))
	t.Cleanup(feed.Close)
	outside["API_FOOTBALL_URL"] = feed.URL + "/football"
	p := startFirst(t, outside)
	asked := func(do string, values ...string) int32 {
		t.Helper()
		before := names.Load()
		require.Contains(t, p.enter(do, values...), `class="fixtures todays"`)
		return names.Load() - before
	}
	premier := []string{"choose", "leagues", "1", "league", "England/Premier League"}
	require.Zero(t, asked(premier[0], premier[1:]...), "of ESPN")
	p.enter("try/matches", "API_FOOTBALL_KEY", "a key of mine")
	require.EqualValues(t, 1, asked(premier[0], premier[1:]...), "of API-Football")
	require.Zero(t, asked(premier[0], premier[1:]...), "it is known")
	p.enter("try/matches", "leave", "1")
	require.Zero(t, asked(premier[0], premier[1:]...), "of ESPN again")
	p.enter("try/matches", "API_FOOTBALL_KEY", "another key of mine")
	require.Zero(t, asked(premier[0], premier[1:]...), "a name is the same for each key")
}

func TestAKeyIsRefusedWhereClipsOfESPNsMatchesAreKept(t *testing.T) {
	_, outside := firstWorld(t)
	p := startFirst(t, outside)
	require.NoError(t, p.app.Store.Add(t.Context(), footy.Fixture{ID: 501, Stage: footy.StageActive, Events: []footy.Event{{UID: "501-1"}}}))
	p.enter("try/matches", "API_FOOTBALL_KEY", "a key of mine")
	keep := func(clips ...footy.Clip) {
		t.Helper()
		_, err := p.app.Store.Update(t.Context(), 501, func(f *footy.Fixture) ([]footy.Entry, error) {
			f.Events[0].Clips = clips
			return nil, nil
		})
		require.NoError(t, err)
	}
	keep(footy.Clip{ID: "a clip"})
	text := p.enter("finish")
	require.Contains(t, text, "clips of ESPN&#39;s matches are kept here")
	p.showsNoName(text)
	require.NoFileExists(t, config.File)
	keep()
	require.Contains(t, p.enter("finish"), "restarts with it", "matches alone are given up")
}

// TestAStartThatFailsComesBackToTheSetUpPage: the process ended, and the browser showed a page that nobody answered.
func TestAStartThatFailsComesBackToTheSetUpPage(t *testing.T) {
	for name, fails := range map[string]struct {
		says string
		now  func(t *testing.T, c *config.Config)
	}{
		"the engine does not start": {"no such file or directory; build it with: make devstack", func(_ *testing.T, c *config.Config) {
			c.Program.Devstack = "/nowhere/footy-devstack"
		}},
		"the state cannot be opened": {"is not a SQLite database", func(t *testing.T, c *config.Config) {
			t.Helper()
			c.State.Dir = t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(c.State.Dir, "footy.db"), []byte(strings.Repeat("no database", 100)), 0o600))
		}},
		"the feed refuses": {"is the name of no team", func(_ *testing.T, c *config.Config) {
			c.Track.Teams = []string{"nobody is called so"}
		}},
		"the settings cannot be read": {"write debug", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, outside := firstWorld(t)
			for name, value := range outside {
				t.Setenv(name, value)
			}
			p := &firstPage{t: t, url: "http://" + devtest.FreeAddr(t)}
			ctx, stop := context.WithCancel(t.Context())
			ended, runs := make(chan error, 1), 0
			go func() {
				ended <- app.Up(ctx, extras, func(ctx context.Context, r app.Roles, dir string) error {
					runs++
					c, err := config.Load()
					if err != nil {
						return err
					}
					c.Web.Addr, c.State.Dir = strings.TrimPrefix(p.url, "http://"), cmp.Or(dir, c.State.Dir)
					if runs == 2 {
						if fails.now == nil {
							return footy.Errorf(footy.CodeInvalid, "read settings", "LOG_LEVEL=loud: write debug")
						}
						fails.now(t, &c)
					} else {
						r.Worker = false // which needs an engine
					}
					a, err := app.New(ctx, c, slog.New(slog.DiscardHandler), "test")
					if err != nil {
						return err
					}
					defer a.Close()
					return a.Run(ctx, r)
				})
			}()
			defer func() {
				stop()
				<-ended
			}()
			shows := func(at, what string) {
				t.Helper()
				require.Eventually(t, func() bool {
					res, err := http.Get(p.url)
					if err != nil {
						return len(ended) > 0
					}
					defer res.Body.Close()
					text, err := io.ReadAll(res.Body) // a process that ends breaks an answer off
					return err == nil && res.Request.URL.Path == at && strings.Contains(string(text), what)
				}, time.Minute, 20*time.Millisecond)
				require.Empty(t, ended, "the process ended")
			}
			shows("/setup", "Start with nothing")
			p.enter("choose", "leagues", "1", "league", "England/Premier League")
			p.enter("try/matches", "API_FOOTBALL_KEY", "a key of mine")
			require.Contains(t, p.enter("finish"), "restarts with it")

			shows("/setup", "Not started yet. The start:")
			_, _, text := p.visit("/setup")
			require.Contains(t, text, fails.says)
			require.Contains(t, text, "Start with your key", "what was entered is kept")
			require.Equal(t, 1, strings.Count(text, " checked>"))
			require.NotContains(t, text, "Look around first", "there is nothing to look at")
			c, err := config.Load()
			require.NoError(t, err)
			require.Empty(t, c.Feed.Key, "nothing is written")

			require.Contains(t, p.enter("finish"), "restarts with it")
			require.Eventually(t, func() bool {
				res, err := http.Get(p.url + "/setup")
				if err != nil {
					return len(ended) > 0
				}
				defer res.Body.Close()
				return res.Request.URL.Path == "/admin"
			}, time.Minute, 20*time.Millisecond, "it runs with what was entered")
			require.Empty(t, ended, "the process runs")
			c, err = config.Load()
			require.NoError(t, err)
			require.Equal(t, "a key of mine", c.Feed.Key)
			require.Equal(t, []string{"England/Premier League"}, c.Track.Leagues)
		})
	}
}

func TestAFeedThatDoesNotAnswerIsToldBeforeTheStart(t *testing.T) {
	_, outside := firstWorld(t)
	outside["ESPN_URL"] = "http://" + devtest.FreeAddr(t)
	p := startFirst(t, outside)
	text := p.enter("finish")
	require.Contains(t, text, "Correct ESPN&#39;s address if it is set")
	require.NotContains(t, inSight(text), "ESPN_URL")
	require.NoFileExists(t, config.File)
}

func TestAFormOfAMegabyteIsReadAndCookiesMayBeLarger(t *testing.T) {
	_, outside := firstWorld(t)
	p := startFirst(t, outside)
	require.Contains(t, p.enter("try/x", "cookies", strings.Repeat("x", 3<<20)), "Cookies: down.")
	for size, status := range map[int]int{1 << 20: http.StatusOK, 5 << 20: http.StatusRequestEntityTooLarge} {
		res, err := http.PostForm(p.url+"/setup/choose", url.Values{"none": {strings.Repeat("x", size)}})
		_, got, text := p.read(res, err)
		require.Equal(t, status, got, text)
	}
}

func TestTheFirstStartIsAskedForOnlyWhereNothingIsSet(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, set := range map[string]map[string]string{
		"a club":         {"TRACK_TEAMS": "Arsenal"},
		"leagues":        {"TRACK_LEAGUES": "39"},
		"a model is set": {"LLAMA_URL": "http://127.0.0.1:1/v1"},
	} {
		t.Run(name, func(t *testing.T) {
			set["STATE_DIR"] = filepath.Join(t.TempDir(), "state")
			_, _, text := startFirst(t, set).visit("/setup")
			require.Contains(t, text, ">Server settings</h1>")
			require.NotContains(t, text, "Start with nothing")
		})
	}
	t.Run("who looks around first is not asked again", func(t *testing.T) {
		p := startFirst(t, map[string]string{"STATE_DIR": filepath.Join(t.TempDir(), "state")})
		require.Contains(t, p.enter("later"), "<main")
		at, _, _ := p.visit("/")
		require.Equal(t, "/", at)
		_, status, _ := p.visit("/setup")
		require.Equal(t, http.StatusOK, status)
	})
}

// TestTwoStartsAtOnceWriteOnce: both wrote, and a start that failed took out only the second.
func TestTwoStartsAtOnceWriteOnce(t *testing.T) {
	_, outside := firstWorld(t)
	p := startFirst(t, outside)
	said := make(chan string, 2)
	for range 2 {
		go func() {
			res, err := http.PostForm(p.url+"/setup/finish", nil)
			if err != nil {
				said <- err.Error()
				return
			}
			defer res.Body.Close()
			b, _ := io.ReadAll(res.Body)
			said <- string(b)
		}()
	}
	require.Contains(t, <-said, "restarts with it")
	require.Contains(t, <-said, "restarts with it")
	b, err := os.ReadFile(config.File)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(b), "FEED="), string(b))
}

// TestSettingsOfAFailedStartAreTakenBackWithoutRoomForThePage: with a full disk they stayed.
func TestSettingsOfAFailedStartAreTakenBackWithoutRoomForThePage(t *testing.T) {
	_, outside := firstWorld(t)
	for name, value := range outside {
		t.Setenv(name, value)
	}
	t.Setenv("TMPDIR", "/nowhere")
	p := &firstPage{t: t}
	ended, ready, runs := make(chan error, 1), make(chan app.Ready, 1), 0
	go func() {
		ended <- app.Up(t.Context(), extras, func(ctx context.Context, r app.Roles, _ string) error {
			if runs++; runs == 2 {
				return footy.Errorf(footy.CodeUnavailable, "start", "the disk is full")
			}
			c, err := config.Load()
			if err != nil {
				return err
			}
			c.Web.Addr = devtest.FreeAddr(t)
			a, err := app.New(ctx, c, slog.New(slog.DiscardHandler), "test")
			if err != nil {
				return err
			}
			defer a.Close()
			r.Worker, r.Ready = false, func(at app.Ready) { ready <- at }
			return a.Run(ctx, r)
		})
	}()
	select {
	case at := <-ready:
		p.url = at.Page
	case err := <-ended:
		t.Fatal(err)
	}
	require.Contains(t, p.enter("finish"), "restarts with it")
	err := <-ended
	require.ErrorContains(t, err, "the disk is full")
	require.ErrorContains(t, err, "/nowhere")
	c, err := config.Load()
	require.NoError(t, err)
	require.Empty(t, c.Feed.Name, "nothing is written")
}
