package football

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/world/script"
)

// Scoreboard is the simulated ESPN: the same matches as its public scoreboard shows them, a league and a day at once. What the vendor of the
// Server says in words of its own, as why a goal was cancelled, is not on it: such a goal is simply gone.
type Scoreboard struct{ *Server }

// words are ESPN's for the leagues that the days have, with its numbers for them; of the others it has no board.
var words = map[string]struct{ league, number int }{
	"eng.1": {39, 700}, "esp.1": {140, 740}, "ger.1": {78, 720}, "ita.1": {135, 730}, "fra.1": {61, 710},
	"uefa.champions": {2, 775}, "uefa.europa": {3, 776}, "fifa.world": {1, 606},
}

// passes is a user agent that its edge lets pass: a program with its version and an address.
var passes = regexp.MustCompile(`^[\w.-]+/\S+ \(\+https?://`)

// newYork is where a board's day is that of the clock, from November to March.
const newYork = -5 * time.Hour

// ServeHTTP answers GET .../{league}/scoreboard?dates=20261123, or 202611.
func (b Scoreboard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	day := r.URL.Query().Get("dates")
	if _, err := strconv.Atoi(day); len(path) < 2 || path[len(path)-1] != "scoreboard" || err != nil {
		complain(w)
		return
	}
	league, known := words[path[len(path)-2]]
	if !known {
		complain(w)
		return
	}
	if !passes.MatchString(r.UserAgent()) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	if b.playFailure(w, nil) {
		return
	}
	now := b.day.Minutes()
	events := []any{}
	for _, f := range b.script.Fixtures {
		sh := b.reportWithoutCounting(f, now)
		if f.League != league.league || !strings.HasPrefix(b.kickoff(sh).Add(newYork).Format("20060102"), day) {
			continue
		}
		if len(day) == len("20060102") {
			poll := b.day.Poll(f.ID)
			sh = b.applyOutage(report(f, now, func(key string) int { return b.day.ListingPoll(f.ID, key, poll) }), now)
		}
		events = append(events, b.match(sh, league.number))
	}
	if err := b.day.Save(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	body, err := json.Marshal(map[string]any{"leagues": []any{map[string]any{"id": strconv.Itoa(league.number), "name": b.script.League(league.league).Name,
		"slug": path[len(path)-2]}}, "events": events})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	tag := fmt.Sprintf("%q", fmt.Sprintf("%x", sha256.Sum256(body))[:16])
	w.Header().Set("ETag", tag)
	w.Header().Set("Content-Type", "application/json;charset=UTF-8")
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(body) // the client went away: nobody to tell
}

// complain is how ESPN refuses what it has not, ranges of dates among it.
func complain(w http.ResponseWriter) {
	w.WriteHeader(http.StatusBadRequest)
	write(w, map[string]any{"code": 400, "message": "Failed to get events endpoint."})
}

// match is a match as the scoreboard shows it. Minutes are text, scores too, and details have no id.
func (b Scoreboard) match(sh fixtureReport, league int) any {
	f := sh.f
	h, a := sh.score()
	kicksHome, kicksAway := sh.kicks()
	side := func(where string, id, goals, kicks int) any {
		t := b.script.Team(id)
		out := map[string]any{"homeAway": where, "score": strconv.Itoa(goals), "team": map[string]any{"id": strconv.Itoa(id), "displayName": t.Name,
			"abbreviation": t.Code, "logo": b.crest(id)}}
		if sh.status.Short == "PEN" {
			out["shootoutScore"] = kicks
		}
		return out
	}
	details := []any{}
	for _, e := range sh.entries {
		if d, shown := b.detail(sh, e); shown && e.listed {
			details = append(details, d)
		}
	}
	format := "2006-01-02T15:04Z"
	if b.day.Scale() > 1 { // a minute is long on such a day
		format = "2006-01-02T15:04:05Z"
	}
	id := strconv.Itoa(f.ID)
	competition := map[string]any{"id": id, "timeValid": sh.status.Short != "TBD", "status": boardStatus(sh.status), "details": details,
		"altGameNote": b.script.League(f.League).Name + ", " + b.script.League(f.League).Round, "venue": map[string]any{"fullName": b.script.Team(f.Home).City + " Stadium"},
		"competitors": []any{side("home", f.Home, h, kicksHome), side("away", f.Away, a, kicksAway)}}
	return map[string]any{"id": id, "uid": fmt.Sprintf("s:600~l:%d~e:%s", league, id), "date": b.kickoff(sh).Format(format),
		"season": map[string]any{"year": b.script.League(f.League).Season}, "competitions": []any{competition}}
}

// detail is a goal, a card or a scored kick of the shoot-out; nothing else is shown. Who scored is missing until it is known.
func (b Scoreboard) detail(sh fixtureReport, e reportedEvent) (map[string]any, bool) {
	minute := fmt.Sprintf("%d'", max(e.Minute, 1))
	if e.Extra > 0 {
		minute += fmt.Sprintf("+%d'", e.Extra)
	}
	team := sh.f.Home
	if e.Side == "away" {
		team = sh.f.Away
	}
	out := map[string]any{"clock": map[string]any{"displayValue": minute}, "team": map[string]any{"id": strconv.Itoa(team)}, "scoringPlay": script.Scores(e.Kind)}
	text := func(s string) { out["type"] = map[string]any{"text": s} }
	switch e.Kind {
	case script.Goal:
		text("Goal")
	case script.OwnGoal:
		text("Own Goal")
		out["ownGoal"] = true
	case script.Penalty:
		text("Penalty - Scored")
		out["penaltyKick"] = true
	case script.ShootoutScored:
		text("Penalty - Scored")
		out["scoringPlay"], out["penaltyKick"], out["shootout"], out["clock"] = true, true, true, map[string]any{"displayValue": "120'"}
	case script.YellowCard:
		text("Yellow Card")
		out["yellowCard"] = true
	case script.RedCard:
		text("Red Card")
		out["redCard"] = true
	default:
		return nil, false
	}
	if e.player.Name != "" {
		who := map[string]any{"displayName": e.player.Name}
		if e.player.ID != 0 {
			who["id"] = strconv.Itoa(e.player.ID)
		}
		out["athletesInvolved"] = []any{who}
	}
	return out, true
}

// boardStatus is a phase of play in ESPN's words: one for either half, and a state of "post" for a match that was put off.
func boardStatus(s script.Status) any {
	name, state, period := map[string]string{"NS": "SCHEDULED", "TBD": "SCHEDULED", "1H": "IN_PROGRESS", "HT": "HALFTIME", "2H": "IN_PROGRESS", "BT": "END_OF_REGULATION",
		"ET": "OVERTIME", "P": "SHOOTOUT", "FT": "FULL_TIME", "AET": "FINAL_AET", "PEN": "FINAL_PENALTIES", "PST": "POSTPONED", "CANC": "CANCELED", "ABD": "ABANDONED",
		"SUSP": "SUSPENDED", "INT": "DELAYED", "AWD": "AWARDED", "WO": "FORFEIT", "LIVE": "IN_PROGRESS"}[s.Short], "in", 2
	switch s.Short {
	case "NS", "TBD":
		state, period = "pre", 0
	case "1H", "HT":
		period = 1
	case "ET", "BT", "AET":
		period = 3
	case "P", "PEN":
		period = 5
	}
	switch s.Short {
	case "FT", "AET", "PEN", "PST", "CANC", "ABD", "AWD", "WO":
		state = "post"
	}
	clock := fmt.Sprintf("%d'", max(s.Elapsed, 0))
	if s.Extra > 0 {
		clock += fmt.Sprintf("+%d'", s.Extra)
	}
	return map[string]any{"displayClock": clock, "period": period, "type": map[string]any{"name": "STATUS_" + name, "state": state,
		"completed": slices.Contains([]string{"FT", "AET", "PEN", "AWD", "WO"}, s.Short), "description": strings.ReplaceAll(name, "_", " ")}}
}
