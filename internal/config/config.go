// Package config reads every setting of the program; it is the only package that may look at the environment.
package config

import (
	"slices"
	"time"
)

// Config is everything a person can set. Each leaf names its variable, its default, what it means and what a valid
// value looks like: docs/settings.md and the error messages are made from these tags.
type Config struct {
	Feed          Feed          `group:"Fixtures and events (API-Football)"`
	Track         Track         `group:"What is followed"`
	State         State         `group:"State"`
	S3            S3            `group:"Clips in object storage"`
	Backup        Backup        `group:"Backups"`
	Engine        Engine        `group:"Workflow engine (Temporal)"`
	Search        Search        `group:"Candidates (X)"`
	Browser       Browser       `group:"Search service (Chromium)"`
	Media         Media         `group:"Media"`
	Model         Model         `group:"Vision and text model"`
	Web           Web           `group:"Web"`
	Notifications Notifications `group:"Notifications"`
	Metrics       Metrics       `group:"Metrics"`
	Log           Log           `group:"Logs"`
	Program       Program       `group:"Programs"`

	// Warnings name variables that look like misspelt settings; they are for the log, not a reason to stop.
	Warnings []string
}

// Feed is where fixtures come from.
type Feed struct {
	Key string `env:"API_FOOTBALL_KEY" secret:"true" doc:"Key of your API-Football account. Without it nothing real is followed." like:"the 32 letters and digits of your dashboard at api-football.com"`
	URL string `env:"API_FOOTBALL_URL" envDefault:"https://v3.football.api-sports.io" format:"url" doc:"Base address of the API." like:"https://v3.football.api-sports.io"`
}

// Track chooses what is followed and how the product paces itself.
type Track struct {
	Kinds           []string      `env:"TRACK" envDefault:"goal" oneof:"kinds" doc:"Kinds of events to follow; penalty means scored ones, which goal includes." like:"goal,red_card"`
	Leagues         []string      `env:"TRACK_LEAGUES" envDefault:"39,140,135,78,61,2,3,848,1,4" format:"leagues" doc:"Leagues to follow, by id or by name: a match is followed if its league is listed here or one of its teams in TRACK_TEAMS; with none only the teams are, in any competition. A name that several leagues share is written with its country (England/Premier League); footy leagues search NAME finds them. The default is the five big leagues, the European cups, World Cup and Euro." like:"39,La Liga, or none"`
	Teams           []string      `env:"TRACK_TEAMS" format:"teams" doc:"Teams to follow in whatever competition they play, by id or by name; footy teams search NAME finds them." like:"Arsenal,40"`
	MonitorInterval time.Duration `env:"MONITOR_INTERVAL" envDefault:"30s" min:"10s" max:"5m" doc:"Time between two polls of live matches." like:"30s"`
	ResetOnChange   bool          `env:"DEBOUNCE_RESET_ON_CHANGE" envDefault:"false" doc:"Start the vote on a goal again whenever its minute, scorer or assist changes." like:"true or false"`
	RetentionDays   int           `env:"RETENTION_DAYS" envDefault:"14" min:"1" max:"3650" doc:"Days that fixtures, their log and their clips are kept." like:"14"`
	TimeScale       int           `env:"TIME_SCALE" envDefault:"1" min:"1" max:"30" doc:"Divides the product's own intervals and windows; for demos and tests only." like:"1"`
}

// PollEvery is the time between two polls of a live match; Temporal takes no less than a second.
func (t Track) PollEvery() time.Duration {
	return max(t.MonitorInterval/time.Duration(max(t.TimeScale, 1)), time.Second)
}

// State is where fixtures, goals and their log are kept.
type State struct {
	Dir      string `env:"STATE_DIR" default:"$XDG_STATE_HOME/found-footy, else ~/.local/state/found-footy" doc:"Directory of the SQLite file, the clips and the engine's database." like:"/var/lib/found-footy"`
	MongoURI string `env:"MONGODB_URI" secret:"url" format:"mongo" doc:"MongoDB to use instead of the SQLite file." like:"mongodb://127.0.0.1:27017"`
	MongoDB  string `env:"MONGODB_DB" envDefault:"found_footy" doc:"Name of the MongoDB database." like:"found_footy"`
}

// S3 is an object store to use instead of a directory.
type S3 struct {
	Endpoint  string `env:"S3_ENDPOINT" format:"endpoint" doc:"Object store to use instead of a directory, without a scheme." like:"127.0.0.1:8333"`
	AccessKey string `env:"S3_ACCESS_KEY" secret:"true" doc:"Its access key." like:"the access key of your store"`
	SecretKey string `env:"S3_SECRET_KEY" secret:"true" doc:"Its secret key." like:"the secret key of your store"`
	Bucket    string `env:"S3_BUCKET" envDefault:"footy-videos" doc:"Its bucket; created if missing." like:"footy-videos"`
	Region    string `env:"S3_REGION" envDefault:"us-east-1" doc:"Its region." like:"us-east-1"`
	Secure    bool   `env:"S3_SECURE" envDefault:"true" doc:"Talk TLS to it." like:"true or false"`
}

// Backup is where copies of the state are kept.
type Backup struct {
	Dir  string `env:"BACKUP_DIR" doc:"Directory for a daily backup of database and clips; best on another disk. Without it none is made (docs/backup.md)." like:"/mnt/backup/found-footy"`
	Keep int    `env:"BACKUP_KEEP" envDefault:"7" min:"1" max:"3650" doc:"Backups kept there; older ones are removed." like:"7"`
}

// Engine is the workflow engine.
type Engine struct {
	Address   string `env:"TEMPORAL_ADDRESS" format:"hostport" doc:"Temporal to use instead of the embedded footy-devstack." like:"127.0.0.1:7233"`
	Namespace string `env:"TEMPORAL_NAMESPACE" envDefault:"default" doc:"Its namespace. Retention must be 7 days or more." like:"default"`
	APIKey    string `env:"TEMPORAL_API_KEY" secret:"true" doc:"Key for Temporal Cloud; implies TLS." like:"the key of your cloud account"`
	TLS       bool   `env:"TEMPORAL_TLS" envDefault:"false" doc:"Talk TLS to Temporal." like:"true or false"`
	UIPort    int    `env:"TEMPORAL_UI_PORT" envDefault:"3200" min:"0" max:"65535" doc:"Loopback port of the embedded Temporal Web UI; 0 picks a free one." like:"3200"`
}

// Search is where candidates come from.
type Search struct {
	Sources        []string `env:"SOURCES" envDefault:"xweb,xapi" oneof:"xweb xapi" doc:"Where posts are searched, in this order: xweb is the search service with its logged-in browser, xapi the paid API. One that is not set up is passed over, one that keeps failing rests for two minutes." like:"xapi,xweb"`
	ServiceURL     string   `env:"TWITTER_SERVICE_URL" format:"url" doc:"Address of a search service that runs elsewhere. Without it the one of this machine is used as soon as somebody has logged in to X (docs/x-login.md)." like:"http://127.0.0.1:8888"`
	BearerToken    string   `env:"X_BEARER_TOKEN" secret:"true" doc:"Token for the paid X API v2." like:"the bearer token of your X developer app"`
	DailyCap       float64  `env:"X_DAILY_CAP" envDefault:"5" min:"0.05" max:"10000" doc:"US dollars the paid API may cost in a day (UTC); searches wait for the next day once they are spent." like:"2.50"`
	APIURL         string   `env:"X_API_URL" envDefault:"https://api.x.com" format:"url" doc:"Base address of the paid API." like:"https://api.x.com"`
	SyndicationURL string   `env:"X_SYNDICATION_URL" envDefault:"https://cdn.syndication.twimg.com" format:"url" doc:"Where the video files of a post are looked up." like:"https://cdn.syndication.twimg.com"`
	WikidataURL    string   `env:"WIKIDATA_URL" envDefault:"https://www.wikidata.org" format:"url" doc:"Where the words people use for a team are looked up." like:"https://www.wikidata.org"`
}

// Browser is the search service of this machine: a logged-in Chromium and the budget of its account.
type Browser struct {
	Addr        string        `env:"BROWSER_ADDR" envDefault:"127.0.0.1:8888" format:"hostport" doc:"Address the search service listens on. Whoever reaches it searches with your account: keep it private." like:"127.0.0.1:8888"`
	Dir         string        `env:"BROWSER_DIR" default:"browser in STATE_DIR" doc:"Directory of the browser's profile and of the canary's samples." like:"/var/lib/found-footy/browser"`
	CookieFile  string        `env:"X_COOKIE_FILE" default:"cookies.json in BROWSER_DIR" doc:"File the session's cookies are kept in; as good as a password." like:"/var/lib/found-footy/x-cookies.json"`
	Tabs        int           `env:"BROWSER_TABS" envDefault:"2" min:"1" max:"16" doc:"Searches at once." like:"2"`
	Scrolls     int           `env:"BROWSER_SCROLLS" envDefault:"3" min:"0" max:"20" doc:"Further pages of one search at most; each may cost a call." like:"3"`
	Budget      int           `env:"X_BUDGET" envDefault:"40" min:"1" max:"1000" doc:"Search calls the account may make in 15 minutes. X allows about 50; the rest is left to you." like:"40"`
	CanaryEvery time.Duration `env:"X_CANARY_EVERY" envDefault:"6h" min:"15m" max:"168h" doc:"Time between two checks that X still looks as expected; each costs a call." like:"6h"`
	CanaryQuery string        `env:"X_CANARY_QUERY" envDefault:"(goal OR gol)" doc:"A search that always has results, for that check." like:"(goal OR gol)"`
	Headful     string        `env:"X_HEADFUL" envDefault:"auto" oneof:"auto yes no" doc:"Whether the browser that searches has a window, as the one that a person logs in with has. auto: on a screen in memory (Xvfb) where that is installed, else on DISPLAY, else none; yes refuses to search without one." like:"auto"`
	UserAgent   string        `env:"X_USER_AGENT" format:"line" doc:"User agent of the browser, for searching and for logging in; by default its own. Everything else goes on telling what the browser really is." like:"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"`
	VNC         bool          `env:"X_VNC" envDefault:"false" doc:"Let a person log in through a web page (noVNC) where there is no display." like:"true or false"`
	VNCAddr     string        `env:"X_VNC_ADDR" envDefault:"127.0.0.1:3203" format:"hostport" doc:"Address of that page." like:"127.0.0.1:3203"`
	Display     string        `env:"DISPLAY" doc:"Screen that a window for logging in is opened on, and one for searching where X_HEADFUL allows; a desktop sets it by itself." like:":0"`
	URL         string        `env:"X_URL" envDefault:"https://x.com" format:"url" doc:"Base address of X." like:"https://x.com"`
}

// Media is what is fetched and which clips pass.
type Media struct {
	Hosts        []string      `env:"MEDIA_HOSTS" envDefault:"video.twimg.com" doc:"Hosts that video files may be fetched from." like:"video.twimg.com"`
	AllowPrivate bool          `env:"MEDIA_ALLOW_PRIVATE" envDefault:"false" doc:"Also fetch from private and loopback addresses; for demos and tests only." like:"true or false"`
	MinDuration  time.Duration `env:"MIN_DURATION" envDefault:"3s" min:"0s" max:"1h" doc:"Shorter clips are refused." like:"3s"`
	MaxDuration  time.Duration `env:"MAX_DURATION" envDefault:"60s" min:"1s" max:"1h" doc:"Longer clips are refused." like:"60s"`
	MinAspect    float64       `env:"MIN_ASPECT" envDefault:"1.33" min:"0" max:"4" doc:"Narrower pictures (width over height) are refused." like:"1.33"`
	Tolerance    int           `env:"CLOCK_TOLERANCE" envDefault:"3" min:"0" max:"15" doc:"Minutes that the broadcast clock may be off the reported minute." like:"3"`
	Slots        int           `env:"MEDIA_SLOTS" envDefault:"0" min:"0" max:"256" doc:"Clips decoded at once; 0 means one per core." like:"0"`
}

// Model is the vision and text model.
type Model struct {
	URL    string `env:"LLAMA_URL" format:"url" doc:"OpenAI-compatible server, with its /v1 if it has one. Without a model no clip is ever shown." like:"http://127.0.0.1:8080/v1"`
	Name   string `env:"LLAMA_MODEL" envDefault:"default" doc:"Name of the model in requests." like:"qwen2.5-vl-7b"`
	APIKey string `env:"LLAMA_API_KEY" secret:"true" doc:"Key of that server, if it wants one." like:"the key of your server"`
	Slots  int    `env:"LLAMA_SLOTS" envDefault:"1" min:"1" max:"64" doc:"Requests the model works on at once." like:"2"`
	// What a question costs in bytes and tokens is in docs/bench.md.
	Lines   int      `env:"MODEL_FRAME_LINES" envDefault:"1080" min:"240" max:"1080" doc:"Height in lines of the frames it is shown, at most: the clock of a 1080-line broadcast is some 25 of them high. Fewer cost a small or slow model less; one that cannot take them gets fewer by itself (docs/bench.md)." like:"540"`
	Corners []string `env:"MODEL_CORNERS" envDefault:"top-left,top-right" oneof:"top-left top-right bottom-left bottom-right none" doc:"Corners where score graphics are, shown once more, enlarged, in one extra picture a question; none leaves it out." like:"top-left"`
}

// CornersShown are the corners without the word for none.
func (m Model) CornersShown() []string {
	if slices.Equal(m.Corners, []string{noCorner}) {
		return nil
	}
	return m.Corners
}

const noCorner = "none"

// Web is the page and what others may ask of it.
type Web struct {
	Addr        string `env:"WEB_ADDR" envDefault:"127.0.0.1:8080" format:"hostport" doc:"Address the page is served on." like:"127.0.0.1:8080"`
	PublicURL   string `env:"PUBLIC_URL" format:"url" doc:"Address that people reach the page by; used in share links. On a loopback WEB_ADDR without it only names of this machine are served." like:"https://goals.example.org"`
	AdminToken  string `env:"ADMIN_TOKEN" secret:"true" minlen:"16" doc:"Token for search again, hide, restore and takedown; without it they are off." like:"16 or more random letters"`
	NotifyURL   string `env:"NOTIFY_URL" format:"url" doc:"Page that a separate worker tells of changes." like:"http://127.0.0.1:8080"`
	NotifyToken string `env:"NOTIFY_TOKEN" secret:"true" minlen:"16" doc:"Token the page asks of such workers; the same on both sides." like:"16 or more random letters"`
}

// Log is how the program talks.
type Log struct {
	Format  string `env:"LOG_FORMAT" default:"pretty in a terminal, else json" oneof:"json pretty" doc:"json for machines, pretty for people." like:"json or pretty"`
	Level   string `env:"LOG_LEVEL" envDefault:"info" oneof:"debug info warn error" doc:"The least important lines to print." like:"info"`
	NoColor string `env:"NO_COLOR" doc:"Set to anything: no colours in a terminal." like:"1"`
}

// Program names the programs we start; a bare name is looked up in PATH.
type Program struct {
	FFmpeg   string `env:"FFMPEG" envDefault:"ffmpeg" doc:"Decodes clips." like:"/usr/bin/ffmpeg"`
	FFprobe  string `env:"FFPROBE" envDefault:"ffprobe" doc:"Measures clips." like:"/usr/bin/ffprobe"`
	Chromium string `env:"CHROMIUM" envDefault:"chromium" doc:"Searches X." like:"/usr/bin/chromium"`
	CrashAt  string `env:"FOOTY_CRASH_AT" doc:"For tests only: the steps at which this process kills itself, as name or name:n for the n-th passing, with commas." like:"saved:2"`
	Devstack string `env:"FOOTY_DEVSTACK" default:"footy-devstack beside footy, else in PATH" doc:"The embedded workflow engine." like:"bin/footy-devstack"`
}
