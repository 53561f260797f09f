package app

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
	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/reels"
	"github.com/found-footy/found-footy/internal/pipeline/reels/film"
	"github.com/found-footy/found-footy/internal/recognize/names"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// ReelRequest is what a person asks a reel of: a match, or the team, the league or all goals of a day.
type ReelRequest struct {
	Match  int64
	Team   string // id or name
	League string // the same
	Day    string // "": today
	Zone   string // of the day
	Length time.Duration
}

// MakeReel makes a reel in this process and writes it to a file. report is given each step.
func MakeReel(ctx context.Context, cfg config.Config, r ReelRequest, to string, report func(reels.Progress)) (reel.Record, error) {
	if err := r.check(); err != nil {
		return reel.Record{}, err
	}
	if strings.TrimSpace(to) == "" {
		return reel.Record{}, footy.Errorf(footy.CodeInvalid, "", "-o names no file")
	}
	s, err := state.OpenExisting(ctx, cfg, "make reel")
	if err != nil {
		return reel.Record{}, err
	}
	defer s.Close() //nolint:errcheck // only read
	scope, err := r.scope(ctx, s.Store)
	if err != nil {
		return reel.Record{}, err
	}
	tool := media.New(media.Options{FFmpeg: cfg.Program.FFmpeg, FFprobe: cfg.Program.FFprobe})
	if why := check.MissingProgram(ctx, cfg.Program, tool); why != "" {
		return reel.Record{}, footy.Errorf(footy.CodeUnavailable, "make reel", "%s; %s", why, check.InstallFFmpeg)
	}
	temp, err := scratch.Open(cfg.State.Dir)
	if err != nil {
		return reel.Record{}, err
	}
	defer temp.Remove()
	m := &reels.Maker{Store: s.Store, Blob: s.Blob, Film: film.Tool{Tool: tool}, TempDir: temp.Path, Room: room(cfg), Now: time.Now}
	made, err := m.Make(ctx, scope, r.Length, report)
	if err != nil {
		return made, err
	}
	return made, copyReel(ctx, s.Blob, made.Plan.Key, to)
}

func (r ReelRequest) check() error {
	if r.Length != 0 && (r.Length < reel.Shortest || r.Length > reel.Longest) {
		return footy.Errorf(footy.CodeInvalid, "", "--length=%s: a reel is %s to %s long", r.Length, explain.Spoken(reel.Shortest), explain.Spoken(reel.Longest))
	}
	return nil
}

// PlanReel tells what a reel would be made of now. Nothing is made.
func PlanReel(ctx context.Context, st store.Store, r ReelRequest) (reel.Plan, error) {
	if err := r.check(); err != nil {
		return reel.Plan{}, err
	}
	scope, err := r.scope(ctx, st)
	if err != nil {
		return reel.Plan{}, err
	}
	list, err := reels.Fixtures(ctx, st, scope)
	if footy.IsNotFound(err) {
		return reel.Plan{}, footy.Errorf(footy.CodeNotFound, "", "--match=%d: there is no such match in this state; the number behind #f- in the day page's addresses is one's id", r.Match)
	}
	return reel.Make(scope, r.Length, list), err
}

// scope is what was asked for. A name is looked for among the day's matches.
func (r ReelRequest) scope(ctx context.Context, st store.Store) (reel.Scope, error) {
	zone, err := time.LoadLocation(r.Zone)
	if err != nil || r.Zone == "" || r.Zone == "Local" {
		return reel.Scope{}, footy.Errorf(footy.CodeInvalid, "", "--tz=%s is no time zone; write one like Europe/Berlin", r.Zone)
	}
	named := 0
	for _, is := range []bool{r.Match != 0, r.Team != "", r.League != ""} {
		if is {
			named++
		}
	}
	if named > 1 || r.Match != 0 && r.Day != "" {
		return reel.Scope{}, footy.Errorf(footy.CodeInvalid, "", "name one: --match, or --team, --league or neither with --day")
	}
	day := r.Day
	if day == "" {
		day = time.Now().In(zone).Format(time.DateOnly)
	}
	whole, err := reel.ScopeOf(reel.OfDay, 0, day, zone)
	switch {
	case r.Match != 0:
		return reel.ScopeOf(reel.OfMatch, r.Match, "", nil)
	case err != nil || named == 0:
		return whole, err
	}
	kind, word := reel.OfTeam, r.Team
	if r.League != "" {
		kind, word = reel.OfLeague, r.League
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
	return reel.ScopeOf(kind, id, day, zone)
}

// idByName finds a team or a competition of the matches by its name, or by a part of it that only one has.
func idByName(kind reel.Kind, word string, list []footy.Fixture) (int64, error) {
	called := map[int64]string{}
	for i := range list {
		if l, t := list[i].League, list[i].Teams; kind == reel.OfLeague {
			called[l.ID] = l.Country + "/" + l.Name
		} else {
			called[t.Home.ID], called[t.Away.ID] = t.Home.Name, t.Away.Name
		}
	}
	want := names.Fold(word)
	var exact, near []int64
	for id, name := range called {
		_, short, ok := strings.Cut(name, "/")
		switch folded := names.Fold(name); {
		case folded == want || ok && kind == reel.OfLeague && names.Fold(short) == want:
			exact = append(exact, id)
		case strings.Contains(folded, want):
			near = append(near, id)
		}
	}
	if len(exact) == 0 {
		exact = near
	}
	slices.Sort(exact)
	switch len(exact) {
	case 1:
		return exact[0], nil
	case 0:
		return 0, footy.Errorf(footy.CodeNotFound, "", "--%s=%s: no match of that day has a %s of that name", kind, word, kind)
	}
	several := ""
	for _, id := range exact {
		several += fmt.Sprintf("\n  %d %s", id, called[id])
	}
	return 0, footy.Errorf(footy.CodeInvalid, "", "--%s=%s: several are called so that day; name one by its id:%s", kind, word, several)
}

// copyReel writes the film beside its place first, so that what is there is never half of one.
func copyReel(ctx context.Context, b blob.Store, key, to string) (err error) {
	const op = "write reel"
	from, err := b.Open(ctx, blob.ReelKey(key, blob.ReelFilm))
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	f, err := os.CreateTemp(filepath.Dir(to), ".reel-*")
	if errors.Is(err, fs.ErrNotExist) {
		return footy.Errorf(footy.CodeInvalid, op, "-o %s: there is no directory %s", to, filepath.Dir(to))
	}
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // renamed by then, if all went well
	_, err = io.Copy(f, from)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), to)
	}
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "-o %s: %w", to, err)
	}
	return nil
}
