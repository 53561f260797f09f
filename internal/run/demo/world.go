package demo

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

// demoScale is how much faster than life a simulated day runs unless TIME_SCALE says otherwise.
const demoScale = 30

// World is the simulated outside world as a service of its own.
type World struct {
	Config  config.Config
	Script  string   // file; "" = the embedded day
	Short   bool     // play the embedded short day instead
	State   string   // directory of its clock and counters
	ClipDir string   // cache of drawn clips; "" = the user's cache directory
	Addr    string   // "" = a free loopback port
	Control string   // address of the switches for faults; "" = a free loopback port
	Modes   []string // manners of the world, as the day plays them
	Err     io.Writer
}

// Start draws the clips that are missing and serves the world until ctx ends.
func (o World) Start(ctx context.Context) (*world.World, error) {
	w := world.Options{ClipDir: o.clipDir(), StateDir: o.State, Scale: float64(scaleOf(o.Config)), Addr: o.Addr, Control: o.Control}
	if o.Script != "" {
		s, err := script.Load(o.Script)
		if err != nil {
			return nil, footy.Errorf(footy.CodeInvalid, "play another day", "%w; correct it, or start from the embedded day: footy world --print", err)
		}
		w.Script = s
	}
	if o.Short && w.Script == nil {
		w.Script = script.Short()
	}
	if len(o.Modes) > 0 {
		if w.Script == nil {
			w.Script = script.Default()
		}
		if err := w.Script.With(o.Modes...); err != nil {
			return nil, footy.Errorf(footy.CodeInvalid, "play another day", "%w", err)
		}
	}
	if err := world.CheckAddresses(ctx, w); err != nil { // before minutes are spent on clips
		return nil, notStarted(err)
	}
	if err := o.draw(ctx, w); err != nil {
		return nil, err
	}
	out, err := world.New(w)
	if err != nil {
		return nil, err
	}
	if err := out.Start(ctx); err != nil {
		return nil, notStarted(err)
	}
	return out, nil
}

func notStarted(err error) error {
	return footy.Errorf(footy.CodeUnavailable, "start the simulated world", "%s", strings.TrimPrefix(err.Error(), "world: "))
}

func (o World) clipDir() string {
	if o.ClipDir != "" {
		return o.ClipDir
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = o.Config.State.Dir
	}
	return filepath.Join(cache, "found-footy", "world-clips")
}

func (o World) draw(ctx context.Context, w world.Options) error {
	const op = "draw the clips"
	n, err := world.Undrawn(w)
	if err != nil || n == 0 {
		return err
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "no ffmpeg in PATH; %s", check.InstallFFmpeg)
	}
	fmt.Fprintf(o.Err, "Drawing %d clips (kept in %s)\n", n, w.ClipDir)
	began := time.Now()
	if err := world.Draw(ctx, w, func(done, total int) { fmt.Fprintf(o.Err, "\r  %d of %d", done, total) }); err != nil {
		fmt.Fprintln(o.Err)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return footy.Errorf(footy.CodeUnavailable, op, "%w; --clips chooses another place", err)
	}
	fmt.Fprintf(o.Err, "\r  drawn in %s\n", time.Since(began).Round(time.Second))
	return nil
}

func scaleOf(c config.Config) int {
	if c.Track.TimeScale == 1 && !c.TimeScaleSet {
		return demoScale
	}
	return c.Track.TimeScale
}

// pointAt makes c take w for the outside world, and have no model on a day without one.
func pointAt(c config.Config, w *world.World) config.Config {
	base := w.URL()
	c.Feed = config.Feed{Name: config.APIFootball, Key: "demo", URL: base + "/football", ESPN: base + "/espn"}
	c.Search = config.Search{Sources: []string{"xweb"}, ServiceURL: base + "/x-search", APIURL: base + "/x-api", SyndicationURL: base + "/syndication", WikidataURL: base + "/wikidata"}
	c.Reddit = config.Reddit{ClientID: world.RedditApp, Secret: world.RedditSecret, Subreddits: []string{"soccer"}, URL: base + "/reddit", APIURL: base + "/reddit/api", HostsURL: base + "/hosts", VideoURL: base + "/reddit/v", YTDLP: c.Reddit.YTDLP}
	if w.Script().WithoutApp() {
		c.Search.Sources, c.Reddit.ClientID, c.Reddit.Secret = append(c.Search.Sources, "reddit"), "", ""
	}
	if w.Script().WithNothing() {
		c.Search.Sources, c.Search.ServiceURL = []string{"reddit"}, ""
		if !w.Script().OnFreePlan() { // which is a key, and nothing else
			c.Feed.Name = config.ESPN
		}
	}
	c.Browser.URL = base + "/x"
	c.Model.URL, c.Model.Name, c.Model.APIKey, c.Model.Slots = base+"/llm", "simulated", "", w.Script().ModelSlots()
	if w.Script().WithoutModel() {
		c.Model.URL, c.Media.Proof = "", []string{config.ProofClock}
	}
	if u, err := url.Parse(base); err == nil {
		c.Media.Hosts = []string{u.Host}
	}
	c.Media.AllowPrivate = true
	c.Track.TimeScale = scaleOf(c)
	if len(c.Track.Kinds) == 1 && c.Track.Kinds[0] == "goal" { // nobody chose: the simulated day has a sending-off to show
		c.Track.Kinds = []string{"goal", "red_card"}
	}
	return c
}

// Settings are the variables that make any footy process take base for the outside world, as lines of NAME=value.
func (o World) Settings(w *world.World) []string {
	c := pointAt(o.Config, w)
	lines := []string{
		"FEED=" + c.Feed.Name,
		"API_FOOTBALL_KEY=" + c.Feed.Key,
		"API_FOOTBALL_URL=" + c.Feed.URL,
		"ESPN_URL=" + c.Feed.ESPN,
		"TWITTER_SERVICE_URL=" + c.Search.ServiceURL,
		"X_URL=" + c.Browser.URL,
		"X_API_URL=" + c.Search.APIURL,
		"X_SYNDICATION_URL=" + c.Search.SyndicationURL,
		"REDDIT_URL=" + c.Reddit.URL,
		"REDDIT_API_URL=" + c.Reddit.APIURL,
		"HOSTS_URL=" + c.Reddit.HostsURL,
		"REDDIT_VIDEO_URL=" + c.Reddit.VideoURL,
		"WIKIDATA_URL=" + c.Search.WikidataURL,
		"MEDIA_HOSTS=" + c.Media.Hosts[0],
		"MEDIA_ALLOW_PRIVATE=true",
		"TRACK=" + strings.Join(c.Track.Kinds, ","),
		"TIME_SCALE=" + strconv.Itoa(c.Track.TimeScale),
	}
	if w.Script().WithNothing() {
		lines = append(lines, "SOURCES="+strings.Join(c.Search.Sources, ","))
	}
	if !w.Script().WithoutApp() {
		lines = append(lines, "REDDIT_CLIENT_ID="+c.Reddit.ClientID, "REDDIT_CLIENT_SECRET="+c.Reddit.Secret)
	}
	if w.Script().WithoutModel() {
		return append(lines, "PROOF="+strings.Join(c.Media.Proof, ","))
	}
	return append(lines, "LLAMA_URL="+c.Model.URL, "LLAMA_MODEL="+c.Model.Name, "LLAMA_SLOTS="+strconv.Itoa(c.Model.Slots))
}

// Watch says which manners the world has and when one ends, until ctx does.
func (o World) Watch(ctx context.Context, w *world.World) {
	open := slices.Clone(w.Script().Modes)
	for _, m := range open {
		fmt.Fprintln(o.Err, "Mode", m)
	}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		minute := w.Status().ProductMinutes
		open = slices.DeleteFunc(open, func(m script.Mode) bool {
			over := m.Minutes > 0 && minute >= m.From+m.Minutes
			if over {
				fmt.Fprintf(o.Err, "%s  %s is over, at minute %.0f of the day\n", time.Now().Format(time.TimeOnly), m.Mode, minute)
			}
			return over
		})
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
