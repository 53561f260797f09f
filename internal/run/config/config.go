// Package config reads every setting of the program; it is the only package that may look at the environment.
package config

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
)

// Config is everything a person can set. Each leaf names its variable, its default, what it means and what a valid
// value looks like: docs/settings.md and the error messages are made from these tags.
type Config struct {
	Feed    Feed    `group:"Fixtures and events"`
	Track   Track   `group:"What is followed"`
	State   State   `group:"State"`
	S3      S3      `group:"Clips in object storage"`
	Engine  Engine  `group:"Workflow engine (Temporal)"`
	Search  Search  `group:"Candidates (X)"`
	Reddit  Reddit  `group:"Candidates (Reddit)"`
	Browser Browser `group:"Search service (Chromium)"`
	Media   Media   `group:"Media"`
	Model   Model   `group:"Vision and text model"`
	Web     Web     `group:"Web"`
	Metrics Metrics `group:"Metrics"`
	Log     Log     `group:"Logs"`
	Program Program `group:"Programs"`

	// Warnings name variables that look like misspelt settings; they are for the log, not a reason to stop.
	Warnings []string

	TimeScaleSet bool // TIME_SCALE was set; a demo has its own

	groups []Group // of the extras
	own    []any   // a pointer for each: what is set of it
}

// Feed is where fixtures come from.
type Feed struct {
	Name  string `env:"FEED" oneof:"api-football espn" default:"api-football with a key, else espn" doc:"Where matches come from: API-Football, or ESPN's public scoreboard, which needs no key, is unofficial and may end any day. Their ids differ, so a state belongs to one of them." like:"espn"`
	Key   string `env:"API_FOOTBALL_KEY" secret:"true" doc:"Key of your API-Football account. Without it ESPN's scoreboard is followed." like:"the 32 letters and digits of your dashboard at api-football.com"`
	URL   string `env:"API_FOOTBALL_URL" test:"true" envDefault:"https://v3.football.api-sports.io" format:"url" doc:"Base address of the API." like:"https://v3.football.api-sports.io"`
	Agent string `env:"FEED_USER_AGENT" test:"true" format:"agent" default:"found-footy/VERSION (+https://github.com/found-footy/found-footy)" doc:"How requests to ESPN name who asks. Its edge refuses some names with 403; a program's name and version, with an address where its operator can be found, pass." like:"found-footy/1.2 (+https://example.org/contact)"`
	ESPN  string `env:"ESPN_URL" test:"true" envDefault:"https://site.api.espn.com" format:"url" doc:"Base address of ESPN's scoreboard." like:"https://site.api.espn.com"`
}

// AgentOf is how requests to ESPN name who asks.
func (f Feed) AgentOf(version string) string { return cmp.Or(f.Agent, httpx.Agent(version)) }

// Feeds by name.
const (
	APIFootball = "api-football"
	ESPN        = "espn"
)

// InCharge is the feed that is followed.
func (f Feed) InCharge() string {
	switch {
	case f.Name != "":
		return f.Name
	case f.Key != "":
		return APIFootball
	}
	return ESPN
}

// At is the address of the feed in charge.
func (f Feed) At() string {
	if f.InCharge() == ESPN {
		return f.ESPN
	}
	return f.URL
}

// Missing reports that the feed needs a key and has none.
func (f Feed) Missing() bool { return f.InCharge() == APIFootball && f.Key == "" }

// Lacks says what is missing, and what to do.
func (f Feed) Lacks() (why, remedy string) {
	return "API_FOOTBALL_KEY is not set, so no match is followed", "make a free account at api-football.com and set the key it shows you, or set FEED=espn, which needs none"
}

// Track chooses what is followed and how the product paces itself.
type Track struct {
	Kinds           []string      `env:"TRACK" envDefault:"goal" oneof:"kinds" doc:"Kinds of events to follow; penalty means scored ones, which goal includes." like:"goal,red_card"`
	Leagues         []string      `env:"TRACK_LEAGUES" envDefault:"39,140,135,78,61,2,3,848,1,4" format:"leagues" doc:"Leagues to follow, by name, by API-Football's id, or by ESPN's word (eng.1): with none only TRACK_TEAMS are. A name that several leagues share is written with its country (England/Premier League); footy leagues search NAME finds them. The default is the five big leagues, the European cups, World Cup and Euro." like:"39,La Liga, or none"`
	Teams           []string      `env:"TRACK_TEAMS" format:"teams" doc:"Teams to follow beside TRACK_LEAGUES, in whatever competition they play, by name or by the id of the feed in charge; TRACK_LEAGUES=none follows them alone. footy teams search NAME finds them." like:"Arsenal,40"`
	MonitorInterval time.Duration `env:"MONITOR_INTERVAL" envDefault:"30s" min:"10s" max:"5m" doc:"Time between two polls of live matches." like:"30s"`
	ResetOnChange   bool          `env:"DEBOUNCE_RESET_ON_CHANGE" envDefault:"false" doc:"Start the vote on a goal again whenever its scorer, minute or detail (own goal, penalty) changes. A late assist changes nothing." like:"true or false"`
	RetentionDays   int           `env:"RETENTION_DAYS" envDefault:"14" min:"1" max:"3650" doc:"Days that fixtures, their log and their clips are kept." like:"14"`
	TimeScale       int           `env:"TIME_SCALE" test:"true" envDefault:"1" min:"1" max:"30" doc:"Divides the product's own intervals and windows; for demos and tests only. A demo takes 30 unless this is set; 1 plays it in real time." like:"1"`
}

// Chosen reports whether it was set which matches to follow.
func (t Track) Chosen() bool {
	var standard Track
	err := env.ParseWithOptions(&standard, env.Options{Environment: map[string]string{}})
	return len(t.Teams) > 0 || err != nil || !slices.Equal(t.Leagues, standard.Leagues)
}

// PollEvery is the time between two polls of a live match; Temporal takes no less than a second.
func (t Track) PollEvery() time.Duration {
	return max(t.MonitorInterval/time.Duration(max(t.TimeScale, 1)), time.Second)
}

// State is where fixtures, goals and their log are kept.
type State struct {
	Dir      string `env:"STATE_DIR" default:"$XDG_STATE_HOME/found-footy, else ~/.local/state/found-footy" doc:"Directory of the SQLite file, the clips and the engine's database." like:"/var/lib/found-footy"`
	Postgres string `env:"POSTGRES_URL" secret:"url" format:"postgres" doc:"PostgreSQL to use instead of the SQLite file; several processes and machines may share it." like:"postgres://footy:password@127.0.0.1:5432/footy"`
	Schema   string `env:"POSTGRES_SCHEMA" envDefault:"found_footy" doc:"Schema of that database that the tables are in; made if missing." like:"found_footy"`
	MongoURI string `env:"MONGODB_URI" secret:"url" format:"mongo" doc:"MongoDB to use instead of the SQLite file." like:"mongodb://127.0.0.1:27017"`
	MongoDB  string `env:"MONGODB_DB" envDefault:"found_footy" doc:"Name of the MongoDB database." like:"found_footy"`
}

// Embedded reports whether state is in the SQLite file.
func (s State) Embedded() bool { return s.Postgres == "" && s.MongoURI == "" }

// PostgresAt is the address without login and parameters, which may hold passwords.
func (s State) PostgresAt() string {
	_, at, _ := strings.Cut(s.Postgres, "://")
	at, _, _ = strings.Cut(at, "?")
	return at[strings.LastIndex(at, "@")+1:]
}

// S3 is an object store to use instead of a directory.
type S3 struct {
	Endpoint  string `env:"S3_ENDPOINT" format:"endpoint" doc:"Object store to use instead of a directory; http:// or https:// before it decides about TLS." like:"127.0.0.1:8333"`
	AccessKey string `env:"S3_ACCESS_KEY" secret:"true" doc:"Its access key." like:"the access key of your store"`
	SecretKey string `env:"S3_SECRET_KEY" secret:"true" doc:"Its secret key." like:"the secret key of your store"`
	Bucket    string `env:"S3_BUCKET" envDefault:"footy-videos" doc:"Its bucket; created if missing." like:"footy-videos"`
	Region    string `env:"S3_REGION" envDefault:"us-east-1" doc:"Its region." like:"us-east-1"`
	Secure    bool   `env:"S3_SECURE" envDefault:"true" doc:"Talk TLS to it, where S3_ENDPOINT has no scheme." like:"true or false"`
	PublicURL string `env:"S3_PUBLIC_URL" format:"url" doc:"Where viewers reach the object store, or a CDN before it: the page then sends players there for a clip. Without it the page passes all bytes on itself." like:"https://clips.example.org"`
	Signed    bool   `env:"S3_PUBLIC_SIGNED" envDefault:"true" doc:"S3_PUBLIC_URL is the store itself, and each player is given a signed address for 6 hours. false: a CDN that may read the bucket and gives its objects to anybody." like:"true or false"`
}

// Engine is the workflow engine.
type Engine struct {
	Address   string `env:"TEMPORAL_ADDRESS" format:"hostport" doc:"Temporal to use instead of the embedded footy-devstack." like:"127.0.0.1:7233"`
	Namespace string `env:"TEMPORAL_NAMESPACE" envDefault:"default" doc:"Its namespace. Retention must be 7 days or more." like:"default"`
	TokenFile string `env:"TEMPORAL_TOKEN_FILE" doc:"File with the token of the embedded engine of another footy on this machine, whose address TEMPORAL_ADDRESS is: the file token in its engine directory." like:"/var/lib/found-footy/engine/token"`
	APIKey    string `env:"TEMPORAL_API_KEY" secret:"true" doc:"Key for Temporal Cloud; implies TLS." like:"the key of your cloud account"`
	TLS       bool   `env:"TEMPORAL_TLS" envDefault:"false" doc:"Talk TLS to Temporal." like:"true or false"`
	UIPort    int    `env:"TEMPORAL_UI_PORT" envDefault:"-1" min:"-1" max:"65535" doc:"Loopback port of the embedded Temporal Web UI, which shows every workflow and changes nothing; 0 picks a free one, -1 has none. While it is there, every user of this machine can read it." like:"3200"`
}

// Search is where candidates come from.
type Search struct {
	Sources        []string `env:"SOURCES" envDefault:"xweb,xapi,reddit" oneof:"xweb xapi reddit" doc:"Where posts are searched. X in this order: xweb is the search service with its logged-in browser, xapi the paid API; one that is not set up is passed over. reddit is asked beside them, or alone (docs/reddit.md)." like:"xapi,xweb"`
	ServiceURL     string   `env:"TWITTER_SERVICE_URL" format:"url" doc:"Address of a search service that workers ask over HTTP. Not needed where footy browser has TEMPORAL_ADDRESS, nor for footy up (docs/x-login.md)." like:"http://127.0.0.1:8888"`
	ServiceToken   string   `env:"TWITTER_SERVICE_TOKEN" secret:"true" minlen:"16" doc:"Token that the search service asks of everybody, and that its clients send: the same on both sides. A search service off loopback needs one." like:"16 or more random letters"`
	BearerToken    string   `env:"X_BEARER_TOKEN" secret:"true" doc:"Token for the paid X API v2." like:"the bearer token of your X developer app"`
	DailyCap       float64  `env:"X_DAILY_CAP" envDefault:"5" min:"0.05" max:"10000" doc:"US dollars that searches by the paid API may cost in a day (UTC), for all processes that share a database. A search costs $0.25 at most, so with less none is made." like:"2.50"`
	APIURL         string   `env:"X_API_URL" test:"true" envDefault:"https://api.x.com" format:"url" doc:"Base address of the paid API." like:"https://api.x.com"`
	SyndicationURL string   `env:"X_SYNDICATION_URL" test:"true" envDefault:"https://cdn.syndication.twimg.com" format:"url" doc:"Where the video files of a post are looked up." like:"https://cdn.syndication.twimg.com"`
	WikidataURL    string   `env:"WIKIDATA_URL" test:"true" envDefault:"https://www.wikidata.org" format:"url" doc:"Where the words people use for a team are looked up." like:"https://www.wikidata.org"`
}

// Reddit is a second source of clips: goal posts of its subreddits, through an app of one's own or by RSS.
type Reddit struct {
	Feed       string   `env:"REDDIT_FEED" secret:"true" format:"line" doc:"Your own RSS address of Reddit (docs/reddit.md): any free account shows it under preferences > RSS feeds. Without it and without an app the public list is asked, which many are refused." like:"https://www.reddit.com/r/soccer/new/.rss?feed=TOKEN&user=NAME"`
	ClientID   string   `env:"REDDIT_CLIENT_ID" format:"line" doc:"Id of your app on Reddit (docs/reddit.md), if you have one: Reddit gives no new ones. It is used in place of REDDIT_FEED." like:"the id under the name of your app"`
	Secret     string   `env:"REDDIT_CLIENT_SECRET" secret:"true" doc:"Secret of that app." like:"the secret of your app"`
	Archive    string   `env:"REDDIT_ARCHIVE" envDefault:"https://arctic-shift.photon-reddit.com" doc:"Where the public list is asked for while Reddit refuses it: an archive that volunteers run, not Reddit, with no promise that it is up (docs/reddit.md). off asks none." like:"off, or https://arctic-shift.photon-reddit.com"`
	Subreddits []string `env:"REDDIT_SUBREDDITS" envDefault:"soccer" doc:"Subreddits whose new posts are looked through, all with one call for each list." like:"soccer,MLS"`
	HostsURL   string   `env:"HOSTS_URL" test:"true" format:"url" doc:"Base address that is asked in place of every host of the table, whose name goes before the path; for demos and tests only." like:"http://127.0.0.1:8100/hosts"`
	URL        string   `env:"REDDIT_URL" test:"true" envDefault:"https://www.reddit.com" format:"url" doc:"Where Reddit gives tokens, and RSS: the address of REDDIT_FEED is asked there." like:"https://www.reddit.com"`
	APIURL     string   `env:"REDDIT_API_URL" test:"true" envDefault:"https://oauth.reddit.com" format:"url" doc:"Base address of Reddit's API." like:"https://oauth.reddit.com"`
	VideoURL   string   `env:"REDDIT_VIDEO_URL" test:"true" envDefault:"https://v.redd.it" format:"url" doc:"Where Reddit's own videos lie." like:"https://v.redd.it"`
}

// RedditOn reports whether Reddit is asked. Which way is the source's choice.
func (c Config) RedditOn() bool {
	return slices.Contains(c.Search.Sources, "reddit") || c.Reddit.ClientID != "" || c.Reddit.Feed != ""
}

// Own are the user and the token of Feed; "" without one.
func (r Reddit) Own() (user, token string) {
	u, err := url.Parse(r.Feed)
	if err != nil {
		return "", ""
	}
	return u.Query().Get("user"), u.Query().Get("feed")
}

// Browser is the search service of this machine: a logged-in Chromium and the budget of its account.
type Browser struct {
	Addr    string `env:"BROWSER_ADDR" envDefault:"127.0.0.1:8888" format:"hostport" doc:"Address the search service listens on. Anybody who can reach it searches with your account, so off loopback it needs TWITTER_SERVICE_TOKEN." like:"127.0.0.1:8888"`
	Dir     string `env:"BROWSER_DIR" default:"browser in STATE_DIR" doc:"Directory of the browser's profile and of the canary's samples." like:"/var/lib/found-footy/browser"`
	Tabs    int    `env:"BROWSER_TABS" envDefault:"2" min:"1" max:"16" doc:"Searches at once, and how many footy browser takes from the queue at once." like:"2"`
	Budget  int    `env:"X_BUDGET" envDefault:"40" min:"1" max:"1000" doc:"Search calls the account may make in 15 minutes. X allows about 50; the rest is left to you." like:"40"`
	VNC     bool   `env:"X_VNC" envDefault:"false" doc:"Let a person log in through a web page (noVNC) where there is no display." like:"true or false"`
	VNCAddr string `env:"X_VNC_ADDR" envDefault:"127.0.0.1:3203" format:"hostport" doc:"Address of that page." like:"127.0.0.1:3203"`
	VNCURL  string `env:"X_VNC_URL" format:"url" doc:"Address that you open that page by, where it is not X_VNC_ADDR: the published port of a container, or a proxy." like:"http://127.0.0.1:3203"`
	Display string // DISPLAY: the screen of this machine, which a desktop sets by itself
	URL     string `env:"X_URL" test:"true" envDefault:"https://x.com" format:"url" doc:"Base address of X." like:"https://x.com"`
}

// Media is what is fetched and which clips pass.
type Media struct {
	Hosts        []string `env:"MEDIA_HOSTS" test:"true" envDefault:"video.twimg.com,v.redd.it" doc:"Hosts that video files may be fetched from." like:"video.twimg.com"`
	AllowPrivate bool     `env:"MEDIA_ALLOW_PRIVATE" test:"true" envDefault:"false" doc:"Also fetch from private and loopback addresses; for demos and tests only." like:"true or false"`
	Proof        []string `env:"PROOF" envDefault:"clock,model" oneof:"clock model" doc:"What proves that a clip shows its goal, in the order it is asked: clock reads the running clock of the broadcast without a model, model shows frames to the model of LLAMA_URL. The second decides what the first leaves open." like:"clock"`
	MinFree      int      `env:"MIN_FREE_MB" envDefault:"256" min:"0" max:"1048576" doc:"No clip is fetched and no reel begun while the disk of STATE_DIR has fewer megabytes left; posts wait. No backup is written that would leave fewer on the disk of BACKUP_DIR." like:"256"`
}

// The proofs of PROOF.
const (
	ProofClock = "clock"
	ProofModel = "model"
)

// ByClock and ByModel tell what may prove a clip, ModelFirst what is asked first.
func (m Media) ByClock() bool { return slices.Contains(m.Proof, ProofClock) }

// ByModel reports whether a model may be asked.
func (m Media) ByModel() bool { return !slices.Equal(m.Proof, []string{ProofClock}) }

// ModelFirst reports that a model reads each clip, and the clock only what it leaves open.
func (m Media) ModelFirst() bool { return m.ByClock() && m.ByModel() && m.Proof[0] == ProofModel }

// Model is the vision and text model.
type Model struct {
	URL    string `env:"LLAMA_URL" format:"url" doc:"OpenAI-compatible server, with its /v1 if it has one. Without a model only clips are shown whose running clock can be read (PROOF)." like:"http://127.0.0.1:8080/v1"`
	Name   string `env:"LLAMA_MODEL" envDefault:"default" doc:"Name of the model in requests." like:"qwen2.5-vl-7b"`
	APIKey string `env:"LLAMA_API_KEY" secret:"true" doc:"Key of that server, if it wants one." like:"the key of your server"`
	Slots  int    `env:"LLAMA_SLOTS" envDefault:"1" min:"1" max:"64" doc:"Requests the model works on at once, for all workers together that share TEMPORAL_ADDRESS and a database." like:"2"`
	// What a question costs in bytes and tokens is in docs/bench.md.
	Lines int `env:"MODEL_FRAME_LINES" envDefault:"1080" min:"240" max:"1080" doc:"Height in lines of the frames it is shown, at most. Fewer cost a small or slow model less (docs/bench.md)." like:"540"`
}

// Web is the page and what others may ask of it.
type Web struct {
	Addr       string   `env:"WEB_ADDR" envDefault:"127.0.0.1:8080" format:"hostport" doc:"Address the page is served on." like:"127.0.0.1:8080"`
	PublicURL  string   `env:"PUBLIC_URL" format:"site" doc:"Address that people reach the page by; used in share links. It may have a path, which a proxy strips or not. Its name is one that the page answers to." like:"https://goals.example.org"`
	Hosts      []string `env:"WEB_HOSTS" doc:"Further names that the page answers to. Only these, the one of PUBLIC_URL, those of this machine and bare addresses are answered, so that no foreign site points its name here." like:"footy.lan"`
	Proxies    []string `env:"WEB_PROXIES" format:"networks" doc:"Addresses and networks of reverse proxies before the page. Only these are trusted to say in X-Forwarded-For who asks; without them all readers behind a proxy share the limits of one address." like:"127.0.0.1,10.0.0.0/8"`
	AdminToken string   `env:"ADMIN_TOKEN" secret:"true" minlen:"16" doc:"The operator's: for the server's settings, search again, hide, restore and takedown. The set-up page makes one; without it only this machine's browser is the operator." like:"16 or more random letters"`
}

// Metrics is where Prometheus reads.
type Metrics struct {
	Addr string `env:"METRICS_ADDR" format:"hostport" doc:"Address of its own for /metrics, /healthz and /readyz: a process without a page needs one, a public page may want one. Without it the page serves /metrics." like:"127.0.0.1:9100"`
}

// Log is how the program talks.
type Log struct {
	Format  string `env:"LOG_FORMAT" default:"pretty in a terminal, else json" oneof:"json pretty" doc:"json for machines, pretty for people." like:"json or pretty"`
	Level   string `env:"LOG_LEVEL" envDefault:"info" oneof:"debug info warn error" doc:"The least important lines to print." like:"info"`
	NoColor string // NO_COLOR, which programs share
}

// Program names the programs we start; a bare name is looked up in PATH.
type Program struct {
	FFmpeg   string `env:"FFMPEG" envDefault:"ffmpeg" doc:"Decodes clips." like:"/usr/bin/ffmpeg"`
	FFprobe  string `env:"FFPROBE" envDefault:"ffprobe" doc:"Measures clips." like:"/usr/bin/ffprobe"`
	Chromium string `env:"CHROMIUM" envDefault:"chromium" doc:"Searches X." like:"/usr/bin/chromium"`
	CrashAt  string `env:"FOOTY_CRASH_AT" test:"true" doc:"For tests only: the steps at which this process kills itself, as name or name:n for the n-th passing, with commas." like:"saved:2"`
	Devstack string `env:"FOOTY_DEVSTACK" default:"footy-devstack beside footy, else in PATH" doc:"The embedded workflow engine." like:"bin/footy-devstack"`
}
