package main

import (
	"encoding/json"
	"fmt"

	"github.com/found-footy/found-footy/internal/world/script"
)

// kinds are the posts of each goal: the footage, and the copies of it that people make.
var kinds = []script.Post{{Kind: "master"}, {Kind: "reencode", Take: 1}, {Kind: "small"}}

// Shape of the matches: they are under way when the bench begins, and all goals fall in the same minute, at its third.
const (
	goalMinute = 23
	kickoff    = -20 // minutes from the start
	footage    = 6.0 // seconds
	leagueID   = 39
)

// Where the posts of the goals are, and what they say there.
const (
	onX, onReddit, onBoth = "x", "reddit", "both"

	said  = "GOAL! {player} for {team} against {other} ({minute}')"
	title = "{home} [1] - 0 {away} - {player} {minute}'"
)

// crowd is a day of a match for each goal: two goals of a match in one minute would share their posts.
func crowd(goals int, on string, model bool) ([]byte, error) {
	if on != onX && on != onReddit && on != onBoth {
		return nil, fmt.Errorf("-on %q is none of %s, %s and %s", on, onX, onReddit, onBoth)
	}
	day := script.Script{Name: "crowd", Leagues: []script.League{{ID: leagueID, Name: "Premier League", Country: "England", Season: 2026, Round: "Regular Season - 12"}}}
	if !model {
		day.Modes = []script.Mode{{Mode: script.NoModel}}
	}
	for i := range goals {
		f := script.Fixture{ID: 1400001 + i, League: leagueID, Home: 20001 + 2*i, Away: 20002 + 2*i, Kickoff: kickoff, FirstStoppage: 1, HalfTime: 15, SecondStoppage: 3}
		for side, id := range []int{f.Home, f.Away} {
			name := word(3*i + side)
			day.Teams = append(day.Teams, script.Team{ID: id, Name: name + " FC", Code: fmt.Sprintf("%03X", id%4096), Country: "England", City: name, Entity: fmt.Sprintf("Q9%d", id),
				Label: name + " F.C.", Aliases: []string{name}, Shirt: fmt.Sprintf("%06x", (id*7919)&0xffffff)})
		}
		e := script.Event{Key: "home", Kind: script.Goal, Minute: goalMinute, Side: "home", Player: script.Player{ID: f.Home + 50000, Name: "A. " + word(3*i+2)}, Seconds: footage}
		for k, p := range kinds {
			p.After, p.By, p.Text = 20+15*k, fmt.Sprintf("fan_%d_%d", f.Home, k), said
			if on != onReddit {
				e.Posts = append(e.Posts, p)
			}
			if p.Text, p.On = title, script.Reddit; on != onX {
				e.Posts = append(e.Posts, p)
			}
		}
		f.Events = []script.Event{e}
		day.Fixtures = append(day.Fixtures, f)
	}
	return json.Marshal(day)
}

// word is a name that no other number below 512 has: queries of two goals must not find each other's posts.
func word(n int) string {
	starts, ends := []string{"Ash", "Brad", "Crow", "Dun", "Elm", "Fern", "Glen", "Hart"}, []string{"borough", "field", "ham", "mouth", "port", "stead", "ton", "wick"}
	mids := []string{"", "en", "er", "in", "le", "ling", "man", "ning"}
	return starts[n%8] + mids[n/8%8] + ends[n/64%8]
}
