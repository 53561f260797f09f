// Package reels makes films of the goals of a match, of a day, of a team or of a competition when a reader asks for one. A reel lies in the
// clip store under the key of what it shows, so that an equal one is never made twice.
package reels

import (
	"embed"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/extra/reels/film"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/limit"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

//go:embed templates assets
var files embed.FS

//go:embed openapi.json
var openAPI []byte

// filmKept is the step at which a film lies in the store and its record does not.
const filmKept = "reel-film-kept"

// Extra is what reels add.
func Extra() port.Extra {
	return port.Extra{Name: "reels", Steps: []string{filmKept}, Remade: []string{Prefix}, Worker: work,
		Page: func(c port.Core, lent web.Lent) (web.Part, error) {
			var orders Orders
			if c.Temporal != nil {
				orders = Engine{Client: c.Temporal, Namespace: c.Config.Engine.Namespace}
			}
			return Page(lent, orders)
		}}
}

// work makes films where clips are decoded.
func work(c port.Core, d port.Duty) (pipeline.Part, error) {
	a := &Activities{Maker: Maker{Store: c.Store, Blob: c.Blob, Film: film.Tool{Tool: c.Media}, TempDir: d.TempDir, Room: c.Room, Now: time.Now}, Page: c.Page}
	return pipeline.Part{Workflows: []pipeline.WorkflowType{Workflow}, Activities: []policy.Registration{policy.ByQuiet(MakeReel, a.Make)}, Sweep: a.Sweep}, nil
}

// Page is the part of the page; without orders no reel can be made from it.
func Page(lent web.Lent, orders Orders) (web.Part, error) {
	pages, err := lent.Frame.Add(files)
	p := &page{finder: finder{lent.Reader, orders}, frame: lent.Frame, pages: pages, media: lent.Media, log: lent.Actions.Log}
	return web.Part{API: openAPI, Links: links(), Routes: []web.Route{
		{Pattern: "GET /reel/{kind}/{id}", Handle: p.show},
		{Pattern: "GET /reel/{kind}/{id}/{date}", Handle: p.show},
		{Pattern: "POST /reel/{kind}/{id}", Handle: p.order, Cost: limit.Dear},
		{Pattern: "POST /reel/{kind}/{id}/{date}", Handle: p.order, Cost: limit.Dear},
		{Pattern: "GET /r/{reel}/{file}", Handle: p.file, Cost: limit.Bytes},
		{Pattern: "GET /api/v1/reels/{kind}/{id}", Handle: p.describe},
		{Pattern: "GET /api/v1/reels/{kind}/{id}/{date}", Handle: p.describe},
	}}, err
}

// hasReel reports whether a goal of the match has a verified clip, of which a reel can be made.
func hasReel(v *view.Fixture) bool {
	for _, e := range v.Events {
		for _, c := range e.Clips {
			if c.Verified && e.Kind.Scores() {
				return true
			}
		}
	}
	return false
}

// links lead to the reels of a match, a day, a competition and a team.
func links() []frame.Link {
	of := func(kind string, id int64, o frame.Of) string {
		if o.Match != nil && !hasReel(o.Match) {
			return ""
		}
		return "/reel/" + kind + "/" + strconv.FormatInt(id, 10) + "/" + o.Date
	}
	return []frame.Link{
		{At: frame.Match, Label: "Reel of this match", Href: func(o frame.Of) string {
			if !hasReel(o.Match) {
				return ""
			}
			return "/reel/match/" + strconv.FormatInt(o.Match.ID, 10)
		}},
		{At: frame.Day, Label: "Reel", Title: "A film of the goals of the day", Href: func(o frame.Of) string { return "/reel/day/" + o.Date }},
		{At: frame.League, Label: "Reel", Title: "A film of the goals of this day", Href: func(o frame.Of) string { return of("league", o.League, o) }},
		{At: frame.Team, Label: "Reel", Title: "A film of the goals of this day", Href: func(o frame.Of) string { return of("team", o.Team, o) }},
	}
}
