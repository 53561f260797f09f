package footy

import (
	"cmp"
	"slices"
	"strings"
)

// Kind is what happened on the pitch. Only KindGoal is followed by default.
type Kind string

// The kinds. Shoot-out kicks and missed penalties are no goals of the match.
const (
	KindGoal          Kind = "Goal"
	KindRedCard       Kind = "RedCard"
	KindYellowCard    Kind = "YellowCard"
	KindVAR           Kind = "Var"
	KindMissedPenalty Kind = "MissedPenalty"
	KindPenalty       Kind = "Penalty" // only to follow: a scored penalty is a KindGoal
	KindShootout      Kind = "Shootout"
	KindOther         Kind = ""
)

// KindInfo is what there is to know about a kind of event.
type KindInfo struct {
	Kind     Kind
	Name     string   // in TRACK and in scripts of simulated days
	Followed bool     // may be named in TRACK: such events are voted on, searched for and shown
	Scores   bool     // counts in the score; others are removed by absences alone
	One      string   // for people: "red card"
	Sign     string   // before the detail in lists; "" for none
	Card     string   // the colour of the card that is shown; "" where none is
	Seen     string   // what a picture of it shows; "" for goals, which the clock and the score prove
	Words    []string // that a post about it has, and one about a goal has not
	wire     []wireWords
}

// wireWords are the words by which the feed tells a kind: a type, and if not empty a part of the detail or of the comments.
type wireWords struct{ typ, detail, comments string }

// kinds in the order they are counted for people.
var kinds = []KindInfo{
	{Kind: KindGoal, Name: "goal", Followed: true, Scores: true, One: "goal", wire: []wireWords{{typ: "goal"}}},
	{Kind: KindRedCard, Name: "red_card", Followed: true, One: "red card", Card: "red",
		Seen: "the referee holds up a red card", Words: []string{`"red card"`, `"sent off"`, `"second yellow"`},
		wire: []wireWords{{typ: "card", detail: "red"}, {typ: "card", detail: "second yellow"}}},
	{Kind: KindYellowCard, Name: "yellow_card", Followed: true, One: "yellow card", Card: "yellow",
		Seen: "the referee holds up a yellow card", Words: []string{`"yellow card"`, "booked", "booking"},
		wire: []wireWords{{typ: "card", detail: "yellow"}}},
	{Kind: KindVAR, Name: "var", Followed: true, One: "VAR decision", Sign: "VAR:",
		Seen:  "the referee watches the monitor beside the pitch or draws a screen in the air, or a graphic tells of a video check",
		Words: []string{"VAR", "disallowed", "overturned", "offside"},
		wire:  []wireWords{{typ: "var"}, {typ: "goal", detail: "cancelled"}, {typ: "goal", detail: "disallowed"}}},
	{Kind: KindMissedPenalty, Name: "missed_penalty", Followed: true, One: "missed penalty",
		Seen: "a penalty kick is being taken, or was just saved or missed", Words: []string{"penalty", "pen", "spot"},
		wire: []wireWords{{typ: "goal", detail: "missed"}}},
	{Kind: KindPenalty, Name: "penalty", Followed: true, One: "penalty"},
	{Kind: KindShootout, Name: "shootout", One: "shoot-out kick",
		wire: []wireWords{{typ: "goal", comments: "shootout"}, {typ: "goal", comments: "shoot-out"}}},
}

// Kinds lists all kinds.
func Kinds() []KindInfo { return slices.Clone(kinds) }

// Info is the row of a kind; an unknown kind has only its own word.
func (k Kind) Info() KindInfo {
	for i := range kinds {
		if kinds[i].Kind == k {
			return kinds[i]
		}
	}
	return KindInfo{Kind: k, One: cmp.Or(string(k), "event")}
}

// SeenKinds are the kinds of which a picture can tell.
func SeenKinds() []KindInfo {
	return slices.DeleteFunc(Kinds(), func(in KindInfo) bool { return in.Seen == "" })
}

// Scores reports whether events of the kind count in the score.
func (k Kind) Scores() bool { return k.Info().Scores }

// KindNamed finds the kind of a word in TRACK.
func KindNamed(name string) (Kind, bool) {
	for _, in := range kinds {
		if in.Followed && strings.EqualFold(strings.TrimSpace(name), in.Name) {
			return in.Kind, true
		}
	}
	return KindOther, false
}

// KindOf tells what the feed's words mean. Documentation and wire differ in case, so case means nothing. Comments say more than the
// detail, the detail more than the type: type "Goal" covers missed penalties and kicks of a shoot-out.
func KindOf(typ, detail, comments string) Kind {
	lower := func(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
	typ, detail, comments = lower(typ), lower(detail), lower(comments)
	kind, best := KindOther, -1
	for _, in := range kinds {
		for _, w := range in.wire {
			if w.typ == typ && strings.Contains(detail, w.detail) && strings.Contains(comments, w.comments) && w.precision() > best {
				kind, best = in.Kind, w.precision()
			}
		}
	}
	return kind
}

func (w wireWords) precision() int {
	switch {
	case w.comments != "":
		return 2
	case w.detail != "":
		return 1
	}
	return 0
}
