package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed/espn"
)

// espnPace is how often a league of ESPN's may be asked for.
const espnPace = 15 * time.Second

// notOfESPN are settings of API-Football that ESPN's feed cannot follow. Where ESPN's was not chosen they may have been written for the other,
// and are warned of (formerlyUseful).
func notOfESPN(c *Config, set map[string]string) (out Problems) {
	if c.Track.MonitorInterval < espnPace && c.Track.MonitorInterval >= 10*time.Second { // less is refused anyway
		out = append(out, Problem{Setting: "MONITOR_INTERVAL", Value: c.Track.MonitorInterval.String(), Why: "is less than 15s, and ESPN's scoreboard is asked no more often",
			Remedy: "set 15s or more, or follow API-Football (API_FOOTBALL_KEY)"})
	}
	for _, l := range Settings(c.groups...) {
		list, _ := l.in(c).Interface().([]string)
		if l.tag.Get("format") != "leagues" || set[l.Name] == "" {
			continue
		}
		for _, name := range espn.Named(list) {
			if id, err := strconv.ParseInt(name, 10, 64); err == nil && id > 0 && !slices.ContainsFunc(espn.Leagues(), func(k espn.League) bool { return k.ID() == id }) {
				out = append(out, Problem{Setting: l.Name, Value: strings.Join(list, ","), Why: "has " + name + ", which is no league that ESPN's feed knows by number",
					Remedy: "write the league's name (England/Premier League) or ESPN's word for it (eng.1)"})
			}
		}
	}
	return out
}

// leastSearch is what a search by X's paid API costs at most.
const leastSearch = 0.25

// formerlyUseful warns of settings that an earlier release took and did something with. They are no reason to stop.
func formerlyUseful(c *Config, set map[string]string) (out []string) {
	if c.Search.BearerToken != "" && c.Search.DailyCap < leastSearch {
		out = append(out, fmt.Sprintf("X_DAILY_CAP=%s pays for no search, which costs $%.2f at most: X's paid API is not asked until it is that much or more", set["X_DAILY_CAP"], leastSearch))
	}
	if c.Feed.InCharge() != ESPN || c.Feed.Name != "" {
		return out
	}
	for _, p := range notOfESPN(c, set) {
		out = append(out, p.String())
	}
	c.Track.MonitorInterval = max(c.Track.MonitorInterval, espnPace)
	return out
}
