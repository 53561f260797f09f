package reels

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/extra/reels/film"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/recognize/names"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Cmd is footy reel: of a match, or of the team, the league or all goals of a day.
type Cmd struct {
	Match  int64         `help:"Id of a match: the number behind #f- in the day page's addresses." placeholder:"ID"`
	Team   string        `help:"The goals that a team scored on a day: its id, or its name." placeholder:"TEAM"`
	League string        `help:"The goals of a competition on a day: its id, its name, or Country/Name." placeholder:"LEAGUE"`
	Day    string        `help:"The day, like 2026-11-14 (default: today). Alone: all goals of the day." placeholder:"DATE"`
	TZ     string        `help:"The time zone that the day is in." default:"UTC" name:"tz"`
	Length time.Duration `help:"How long it may be, like 90s: 10s to 20m (default: up to 20 s of each goal)."`
	Out    string        `help:"Where to write the MP4 file; one that is there is replaced." short:"o" name:"out" type:"path" required:"" placeholder:"FILE"`
}

// Help says what it needs.
func (Cmd) Help() string {
	return "Makes one film of the best verified clip of each goal that stands: one size and frame rate, loudness levelled (EBU R 128, -16 LUFS), a title, the scorer and the " +
		"score written under each goal, chapters. It needs the state (STATE_DIR) and ffmpeg, no engine; what was made is kept there as the page's reels are. " +
		"Ends with 1 where there is no goal to show."
}

// Run makes it in this process.
func (c Cmd) Run(ctx context.Context, cfg config.Config) error {
	made, err := c.make(ctx, cfg)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %s, %s, %s, %s\n", c.Out, made.Plan.Title[0], explain.Plural(len(made.Plan.Pieces), "goal", "goals"), explain.Spoken(rule.Length(made.Plan.Frames()).Round(time.Second)), explain.Size(made.Size))
	for _, l := range made.Plan.LeftOut {
		fmt.Printf("left out: %s (%s)\n", l.Goal, words(l.Why))
	}
	return nil
}

func (c Cmd) make(ctx context.Context, cfg config.Config) (rule.Record, error) {
	if c.Length != 0 && (c.Length < rule.Shortest || c.Length > rule.Longest) {
		return rule.Record{}, footy.Errorf(footy.CodeInvalid, "", "--length=%s: a reel is %s to %s long", c.Length, explain.Spoken(rule.Shortest), explain.Spoken(rule.Longest))
	}
	if strings.TrimSpace(c.Out) == "" {
		return rule.Record{}, footy.Errorf(footy.CodeInvalid, "", "-o names no file")
	}
	beside, err := besideOut(c.Out)
	if err != nil {
		return rule.Record{}, err
	}
	defer os.Remove(beside.Name()) // renamed by then, if all went well
	defer beside.Close()
	s, err := state.OpenExisting(ctx, cfg, "make reel")
	if err != nil {
		return rule.Record{}, err
	}
	defer s.Close() //nolint:errcheck // only read
	scope, err := c.scope(ctx, s.Store)
	if err != nil {
		return rule.Record{}, err
	}
	tool := media.New(media.Options{FFmpeg: cfg.Program.FFmpeg, FFprobe: cfg.Program.FFprobe})
	if why := check.MissingProgram(ctx, cfg.Program, tool); why != "" {
		return rule.Record{}, footy.Errorf(footy.CodeUnavailable, "make reel", "%s; %s", why, check.InstallFFmpeg)
	}
	temp, err := scratch.Open(cfg.State.Dir)
	if err != nil {
		return rule.Record{}, err
	}
	defer temp.Remove()
	m := &Maker{Store: s.Store, Blob: s.Blob, Film: film.Tool{Tool: tool}, TempDir: temp.Path, Room: state.Room(cfg), Now: time.Now}
	made, err := m.Make(ctx, scope, c.Length, func(p Progress) { fmt.Fprintf(os.Stderr, "%d of %d clips\n", p.Done, p.Of) })
	if err != nil {
		return made, err
	}
	return made, copyFilm(ctx, s.Blob, made.Plan.Key, beside, c.Out)
}

// scope is what was asked for. A name is looked for among the day's matches.
func (c Cmd) scope(ctx context.Context, st store.Store) (rule.Scope, error) {
	zone, err := time.LoadLocation(c.TZ)
	if err != nil || c.TZ == "" || c.TZ == "Local" {
		return rule.Scope{}, footy.Errorf(footy.CodeInvalid, "", "--tz=%s is no time zone; write one like Europe/Berlin", c.TZ)
	}
	named := 0
	for _, is := range []bool{c.Match != 0, c.Team != "", c.League != ""} {
		if is {
			named++
		}
	}
	if named > 1 || c.Match != 0 && c.Day != "" {
		return rule.Scope{}, footy.Errorf(footy.CodeInvalid, "", "name one: --match, or --team, --league or neither with --day")
	}
	day := c.Day
	if day == "" {
		day = time.Now().In(zone).Format(time.DateOnly)
	}
	whole, err := rule.ScopeOf(rule.OfDay, 0, day, zone)
	switch {
	case c.Match != 0:
		return rule.ScopeOf(rule.OfMatch, c.Match, "", nil)
	case err != nil || named == 0:
		return whole, err
	}
	kind, word := rule.OfTeam, c.Team
	if c.League != "" {
		kind, word = rule.OfLeague, c.League
	}
	id, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		list, err := st.List(ctx, store.FixtureQuery{From: whole.From, To: whole.To})
		if err != nil {
			return whole, err
		}
		if id, err = idByName(kind, word, list); err != nil {
			return whole, err
		}
	}
	return rule.ScopeOf(kind, id, day, zone)
}

// idByName finds a team or a competition of the matches by its name, or by a part of it that only one has.
func idByName(kind rule.Kind, word string, list []footy.Fixture) (int64, error) {
	var all []lifecycle.Followed
	for i := range list {
		if l, t := list[i].League, list[i].Teams; kind == rule.OfLeague {
			all = append(all, lifecycle.Followed{ID: l.ID, Name: l.Name, Country: l.Country})
		} else {
			all = append(all, lifecycle.Followed{ID: t.Home.ID, Name: t.Home.Name}, lifecycle.Followed{ID: t.Away.ID, Name: t.Away.Name})
		}
	}
	fit := lifecycle.WithName(word, all)
	if len(fit) == 0 {
		fit = slices.DeleteFunc(lifecycle.Near(word, all), func(n lifecycle.Followed) bool { return !strings.Contains(names.Fold(n.Name), names.Fold(word)) })
	}
	switch len(fit) {
	case 1:
		return fit[0].ID, nil
	case 0:
		return 0, footy.Errorf(footy.CodeNotFound, "", "--%s=%s: no match of that day has a %s of that name", kind, word, kind)
	}
	several := ""
	for _, n := range fit {
		several += fmt.Sprintf("\n  %d %s", n.ID, strings.TrimPrefix(n.Country+"/"+n.Name, "/"))
	}
	return 0, footy.Errorf(footy.CodeInvalid, "", "--%s=%s: several are called so that day; name one by its id:%s", kind, word, several)
}

// besideOut makes the file that takes the place of out: what cannot be written is known before a film is made.
func besideOut(out string) (*os.File, error) {
	if info, err := os.Stat(out); err == nil && info.IsDir() {
		return nil, footy.Errorf(footy.CodeInvalid, "write reel", "-o %s is a directory; name a file in it", out)
	}
	f, err := os.CreateTemp(filepath.Dir(out), ".reel-*")
	if errors.Is(err, fs.ErrNotExist) {
		err = footy.Errorf(footy.CodeInvalid, "write reel", "-o %s: there is no directory %s", out, filepath.Dir(out))
	}
	return f, footy.Wrap(footy.CodeUnavailable, "write reel", err)
}

// copyFilm writes a film that was made into a file beside its place, and moves it there.
func copyFilm(ctx context.Context, b blob.Store, key string, f *os.File, to string) error {
	from, err := b.Open(ctx, Key(key, FilmFile))
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.Copy(f, from)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), to)
	}
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "write reel", "-o %s: %w", to, err)
	}
	return nil
}
