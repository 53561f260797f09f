package demo

import (
	"context"
	"fmt"
	"io"
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

// pointAt is the person's settings, with the world in place of what is outside.
func (o World) pointAt(w *world.World) (config.Config, error) {
	vars := map[string]string{}
	for _, line := range o.Settings(w) {
		name, value, _ := strings.Cut(line, "=")
		vars[name] = value
	}
	day, err := config.Parse(vars)
	c := o.Config
	day.Browser.Tabs = c.Browser.Tabs
	c.Feed, c.Search, c.Reddit, c.Model, c.Track = day.Feed, day.Search, day.Reddit, day.Model, day.Track
	c.Browser.URL, c.Media.Hosts, c.Media.AllowPrivate = day.Browser.URL, day.Media.Hosts, day.Media.AllowPrivate
	if w.Script().WithoutModel() {
		c.Media.Proof = day.Media.Proof
	}
	return c, err
}

// Settings are the variables that make any footy process take w for the outside world, as lines of NAME=value.
func (o World) Settings(w *world.World) []string {
	base, day, kinds := w.URL(), w.Script(), o.Config.Track.Kinds
	if slices.Equal(kinds, []string{"goal"}) { // the default: the simulated day has a sending-off to show
		kinds = []string{"goal", "red_card"}
	}
	if day.WithEveryKind() {
		kinds = nil
		for _, k := range append(footy.SeenKinds(), footy.KindGoal.Info()) {
			kinds = append(kinds, k.Name)
		}
	}
	feed := config.APIFootball
	if day.WithNothing() && !day.OnFreePlan() { // which is a key, and nothing else
		feed = config.ESPN
	}
	lines := []string{
		"FEED=" + feed,
		"API_FOOTBALL_KEY=demo",
		"API_FOOTBALL_URL=" + base + "/football",
		"ESPN_URL=" + base + "/espn",
		"X_URL=" + base + "/x",
		"X_API_URL=" + base + "/x-api",
		"X_SYNDICATION_URL=" + base + "/syndication",
		"REDDIT_URL=" + base + "/reddit",
		"REDDIT_API_URL=" + base + "/reddit/api",
		"REDDIT_VIDEO_URL=" + base + "/reddit/v",
		"REDDIT_ARCHIVE=" + base + "/reddit/archive",
		"HOSTS_URL=" + base + "/hosts",
		"WIKIDATA_URL=" + base + "/wikidata",
		"MEDIA_HOSTS=" + strings.TrimPrefix(base, "http://"),
		"MEDIA_ALLOW_PRIVATE=true",
		"TRACK=" + strings.Join(kinds, ","),
		"TIME_SCALE=" + strconv.Itoa(scaleOf(o.Config)),
	}
	if day.WithNothing() {
		lines = append(lines, "SOURCES=reddit")
	} else {
		lines = append(lines, "TWITTER_SERVICE_URL="+base+"/x-search")
	}
	if !day.WithoutApp() {
		lines = append(lines, "REDDIT_CLIENT_ID="+world.RedditApp, "REDDIT_CLIENT_SECRET="+world.RedditSecret)
	}
	if day.WithoutModel() {
		return append(lines, "PROOF="+config.ProofClock)
	}
	return append(lines, "LLAMA_URL="+base+"/llm", "LLAMA_SLOTS="+strconv.Itoa(day.ModelSlots()))
}
