// Package follow turns what settings like TRACK_LEAGUES and TRACK_TEAMS name into ids: each name is looked up once, and the answer is
// remembered for good. What cannot be looked up is an error, never an empty following.
package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

// Nothing is what TRACK_LEAGUES says where only teams are followed.
const Nothing = "none"

// State is where answers are remembered.
type State interface {
	State(ctx context.Context, key string, out any) error
	PutState(ctx context.Context, key string, value any) error
}

// stateKey of the names that were looked up.
const stateKey = "followed_names"

// Options are the settings as they were written, and whom to ask.
type Options struct {
	Prefix         string   // of the two settings: TRACK, unless it says otherwise
	Leagues, Teams []string // ids, names, or "Country/Name"; Leagues may be Nothing
	Finder         feed.Finder
	Reach, IDAt    string // of a feed that finds no team but those that play there, and where another's id stands; "": it finds every team
	Feed           string // whose ids they are: names are remembered for each feed apart; "" for the first there was
	State          State  // nil: nothing is remembered
}

func (o Options) key() string {
	if o.Feed == "" {
		return stateKey
	}
	return stateKey + "/" + o.Feed
}

// Following knows what is followed.
type Following struct {
	opt Options

	mu     sync.Mutex
	choice *Choice // once everything is known
}

// Choice is what is followed.
type Choice struct {
	Leagues []lifecycle.Followed `json:"leagues,omitempty"`
	Teams   []lifecycle.Followed `json:"teams,omitempty"`
}

// New makes a Following; nothing is asked yet.
func New(o Options) *Following {
	o.Prefix = cmp.Or(o.Prefix, "TRACK")
	return &Following{opt: o}
}

// NeedsNames reports whether anything must be looked up.
func (f *Following) NeedsNames() bool {
	for _, list := range [][]string{f.opt.Leagues, f.opt.Teams} {
		for _, asked := range list {
			if _, err := strconv.ParseInt(strings.TrimSpace(asked), 10, 64); err != nil && !nothing(asked) {
				return true
			}
		}
	}
	return false
}

func nothing(asked string) bool { return strings.EqualFold(strings.TrimSpace(asked), Nothing) }

// Follow selects fixtures by the settings. A name that nobody has, or several, is CodeInvalid and says what to write instead; a feed that
// cannot be asked about a name for the first time is an error of its own code.
func (f *Following) Follow(ctx context.Context) (lifecycle.Follow, error) {
	c, err := f.Choice(ctx)
	if err != nil {
		return lifecycle.Follow{}, err
	}
	ids := func(list []lifecycle.Followed) (out []int64) {
		for _, n := range list {
			out = append(out, n.ID)
		}
		return out
	}
	return lifecycle.Follow{Leagues: ids(c.Leagues), Teams: ids(c.Teams)}, nil
}

// Choice is what is followed, with the names that are known.
func (f *Following) Choice(ctx context.Context) (Choice, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.choice != nil {
		return *f.choice, nil
	}
	l := &lookup{opt: f.opt, known: map[string]lifecycle.Followed{}}
	if f.NeedsNames() && f.opt.State != nil {
		if err := f.opt.State.State(ctx, f.opt.key(), &l.known); err != nil && !footy.IsNotFound(err) {
			return Choice{}, err
		}
	}
	c := Choice{Leagues: l.all(ctx, f.leagues(), f.opt.Leagues), Teams: l.all(ctx, f.teams(), f.opt.Teams)}
	switch {
	case len(l.wrong) > 0:
		return Choice{}, footy.Errorf(footy.CodeInvalid, "", "%s", strings.Join(l.wrong, "; "))
	case l.failure != nil:
		return Choice{}, l.failure
	}
	f.choice = &c
	return c, nil
}

// idsAsked is how many ids Known asks the feed about.
const idsAsked = 4

// Unknown is an id in the settings that the feed knows nothing of.
type Unknown struct {
	Setting string `json:"setting"`
	ID      int64  `json:"id"`
	Why     string `json:"why"`
}

func (u Unknown) String() string { return fmt.Sprintf("%s=%d: %s", u.Setting, u.ID, u.Why) }

// Known is Choice with the names of ids, as far as a few calls tell them, and which ids the feed does not know. A name is remembered for
// good, an id that the feed does not know is asked about each time. An id that cannot be asked about is not doubted.
func (f *Following) Known(ctx context.Context) (c Choice, unknown []Unknown, err error) {
	if c, err = f.Choice(ctx); err != nil {
		return c, nil, err
	}
	remembered := map[string]lifecycle.Followed{}
	if f.opt.State != nil {
		if err := f.opt.State.State(ctx, f.opt.key(), &remembered); err != nil && !footy.IsNotFound(err) {
			return c, nil, err
		}
	}
	c = Choice{Leagues: slices.Clone(c.Leagues), Teams: slices.Clone(c.Teams)}
	left, learned := idsAsked, false
	for _, l := range []struct {
		kind
		list []lifecycle.Followed
	}{{f.leagues(), c.Leagues}, {f.teams(), c.Teams}} {
		for i, n := range l.list {
			key := fmt.Sprintf("%s/#%d", many(l.What), n.ID) // no name has this form
			if was, ok := remembered[key]; ok && n.Name == "" {
				l.list[i] = was
				continue
			}
			if n.Name != "" || left == 0 {
				continue
			}
			left--
			known, err := f.opt.Finder.ByID(ctx, l.What, n.ID)
			switch {
			case footy.IsNotFound(err):
				unknown = append(unknown, Unknown{l.setting, n.ID, footy.UserMessage(err)})
			case err == nil:
				l.list[i], learned = followed(known), true
				remembered[key] = l.list[i]
			}
		}
	}
	if learned && f.opt.State != nil {
		err = f.opt.State.PutState(ctx, f.opt.key(), remembered)
	}
	return c, unknown, err
}

// kind is one of the two settings.
type kind struct {
	feed.What
	setting string
}

func (f *Following) leagues() kind { return kind{feed.League, f.opt.Prefix + "_LEAGUES"} }
func (f *Following) teams() kind   { return kind{feed.Team, f.opt.Prefix + "_TEAMS"} }

func many(what feed.What) string { return string(what) + "s" }

// command searches for more of them.
func command(what feed.What) string { return "footy " + many(what) + " search" }

func followed(f feed.Found) lifecycle.Followed {
	return lifecycle.Followed{ID: f.ID, Name: f.Name, Country: f.Country}
}

func find(ctx context.Context, f feed.Finder, what feed.What, name string) (out []lifecycle.Followed, err error) {
	found, err := f.Find(ctx, what, name)
	for _, one := range found {
		out = append(out, followed(one))
	}
	return out, err
}

// lookup goes through both settings.
type lookup struct {
	opt     Options
	known   map[string]lifecycle.Followed // by kind and name
	wrong   []string                      // what a person must correct
	failure error                         // of the feed or the store
}

func (l *lookup) all(ctx context.Context, k kind, asked []string) []lifecycle.Followed {
	var out []lifecycle.Followed
	for _, name := range asked {
		name = strings.TrimSpace(name)
		if name == "" || nothing(name) {
			continue
		}
		if id, err := strconv.ParseInt(name, 10, 64); err == nil {
			is := lifecycle.Followed{ID: id}
			if k.What == feed.League {
				is = lifecycle.LeagueOf(id)
			}
			out = append(out, is)
			continue
		}
		if n, ok := l.one(ctx, k, name); ok {
			out = append(out, n)
		}
	}
	return out
}

func (l *lookup) one(ctx context.Context, k kind, name string) (lifecycle.Followed, bool) {
	key := many(k.What) + "/" + strings.ToLower(name)
	if n, ok := l.known[key]; ok {
		return n, true
	}
	set := fmt.Sprintf("%s=%q", k.setting, name)
	found, err := find(ctx, l.opt.Finder, k.What, lifecycle.SearchName(name))
	if errors.Is(err, feed.ErrShortName) {
		l.wrong = append(l.wrong, set+" has no three letters in a row: write the "+string(k.What)+"'s whole name or its id ("+command(k.What)+" NAME lists both)")
		return lifecycle.Followed{}, false
	}
	if err != nil {
		l.failure = footy.Wrap(footy.CodeOf(err), set+" cannot be looked up", err)
		return lifecycle.Followed{}, false
	}
	fit := lifecycle.WithName(name, found)
	if len(found) == 0 {
		found = near(ctx, l.opt.Finder, k.What, name)
	}
	switch {
	case len(fit) == 1:
		l.known[key] = fit[0]
		if l.opt.State == nil {
			return fit[0], true
		}
		if err := l.opt.State.PutState(ctx, l.opt.key(), l.known); err != nil {
			l.failure = err
		}
		return fit[0], true
	case len(fit) > 1:
		l.wrong = append(l.wrong, fmt.Sprintf("%s is the name of %d %s, %s: write one of these with its country, or its id", set, len(fit), many(k.What), list(fit)))
	case len(found) > 0:
		l.wrong = append(l.wrong, fmt.Sprintf("%s is the name of no %s; near it are %s: write one of these names, or its id (%s NAME lists more)", set, k.What, list(lifecycle.Near(name, found)), command(k.What)))
	case l.opt.Reach != "" && k.What == feed.Team:
		l.wrong = append(l.wrong, fmt.Sprintf("%s is the name of no team that plays %s: is it spelt right? If it is, write its id, %s", set, l.opt.Reach, l.opt.IDAt))
	default:
		l.wrong = append(l.wrong, set+" is the name of no "+string(k.What)+": look it up with "+command(k.What)+" NAME, or write its id")
	}
	return lifecycle.Followed{}, false
}

// near finds those whose names begin like what was asked for and nobody has. That costs a call more; where it fails, nobody is near.
func near(ctx context.Context, f feed.Finder, what feed.What, asked string) []lifecycle.Followed {
	begin := lifecycle.Cut(asked)
	if begin == "" {
		return nil
	}
	found, err := find(ctx, f, what, begin)
	if err != nil {
		return nil
	}
	return lifecycle.Beginning(begin, lifecycle.Near(asked, found))
}

// Found are the teams or leagues that the feed finds by what a person wrote; near: nothing has that name, and these have one near to it.
type Found struct {
	List []lifecycle.Followed
	Near bool
}

// Search searches for teams or leagues as settings name them: a name or a part of it, with its country or without.
func Search(ctx context.Context, f feed.Finder, what feed.What, asked string) (Found, error) {
	list, err := find(ctx, f, what, lifecycle.SearchName(asked))
	switch {
	case errors.Is(err, feed.ErrShortName):
		return Found{}, footy.Errorf(footy.CodeInvalid, "", "the feed searches for three letters or digits in a row at least, and %q has not so many; write more of the name: %s %s", asked, command(what), Example[what])
	case err != nil:
		return Found{}, err
	case len(list) == 0:
		return Found{near(ctx, f, what, asked), true}, nil
	}
	return Found{List: lifecycle.Matching(asked, list)}, nil
}

// Example is a name to search for.
var Example = map[feed.What]string{feed.Team: "arsenal", feed.League: "premier league"}

// listed is how many candidates an error names.
const listed = 8

func list(found []lifecycle.Followed) string {
	var out []string
	for _, n := range found[:min(len(found), listed)] {
		out = append(out, fmt.Sprintf("%s (%d)", strings.TrimPrefix(n.Country+"/"+n.Name, "/"), n.ID))
	}
	if more := len(found) - listed; more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, ", ")
}
