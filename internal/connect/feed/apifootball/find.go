package apifootball

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/mozillazg/go-unidecode"
	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
)

var _ feed.Finder = (*Feed)(nil)

// minSearch is the fewest characters the vendor searches for.
const minSearch = 3

// Teams implements feed.Finder.
func (f *Feed) Teams(ctx context.Context, name string) ([]footy.Team, error) {
	found, err := f.find(ctx, "teams", name)
	return teamsOf(found), err
}

// Leagues implements feed.Finder.
func (f *Feed) Leagues(ctx context.Context, name string) ([]footy.League, error) {
	found, err := f.find(ctx, "leagues", name)
	return leaguesOf(found), err
}

// TeamByID implements feed.Finder.
func (f *Feed) TeamByID(ctx context.Context, id int64) (footy.Team, error) {
	found, err := f.known(ctx, "teams", id)
	for _, t := range teamsOf(found) {
		if t.ID == id {
			return t, nil
		}
	}
	return footy.Team{}, orUnknown(err, "team", id)
}

// LeagueByID implements feed.Finder.
func (f *Feed) LeagueByID(ctx context.Context, id int64) (footy.League, error) {
	found, err := f.known(ctx, "leagues", id)
	for _, l := range leaguesOf(found) {
		if l.ID == id {
			return l, nil
		}
	}
	return footy.League{}, orUnknown(err, "league", id)
}

func orUnknown(err error, what string, id int64) error {
	if err != nil {
		return err
	}
	return footy.Errorf(footy.CodeNotFound, "", "no %s %d is known to the feed", what, id)
}

func teamsOf(found []gjson.Result) (out []footy.Team) {
	for _, r := range found {
		if t := r.Get("team"); id(t.Get("id")) > 0 {
			out = append(out, footy.Team{ID: id(t.Get("id")), Name: text(t.Get("name")), Country: text(t.Get("country")), Logo: text(t.Get("logo"))})
		}
	}
	return out
}

func leaguesOf(found []gjson.Result) (out []footy.League) {
	for _, r := range found {
		if l := r.Get("league"); id(l.Get("id")) > 0 {
			out = append(out, footy.League{ID: id(l.Get("id")), Name: text(l.Get("name")), Country: text(r.Get("country.name")), Logo: text(l.Get("logo"))})
		}
	}
	return out
}

// known asks for what has an id.
func (f *Feed) known(ctx context.Context, what string, id int64) ([]gjson.Result, error) {
	return f.lookUp(ctx, fmt.Sprintf("look up %s %d", strings.TrimSuffix(what, "s"), id), what, url.Values{"id": {strconv.FormatInt(id, 10)}})
}

func (f *Feed) find(ctx context.Context, what, name string) ([]gjson.Result, error) {
	op := "find " + what + " named " + name
	search := searchable(name)
	if len(search) < minSearch {
		return nil, footy.Wrap(footy.CodeInvalid, op, feed.ErrShortName)
	}
	return f.lookUp(ctx, op, what, url.Values{"search": {search}})
}

// lookUp makes one call for teams or leagues.
func (f *Feed) lookUp(ctx context.Context, op, what string, q url.Values) ([]gjson.Result, error) {
	body, at, err := f.get(ctx, op, "/"+what+"?"+q.Encode())
	if err != nil {
		return nil, err
	}
	root := gjson.ParseBytes(body)
	if err := complaint(root.Get("errors"), at); err != nil {
		f.noteSpent(err, at)
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	response := root.Get("response")
	found, known := list(response)
	if !known && !(response.IsArray() || response.IsObject() && len(response.Map()) == 0) {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "the envelope holds no response list")
	}
	return found, nil
}

// searchable is the longest stretch of a name that the vendor takes: ASCII letters, digits and spaces. Its search minds no accents.
func searchable(name string) string {
	best := ""
	for _, part := range strings.FieldsFunc(unidecode.Unidecode(name), func(c rune) bool {
		return c != ' ' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}) {
		if part = strings.TrimSpace(part); len(part) > len(best) {
			best = part
		}
	}
	return best
}
