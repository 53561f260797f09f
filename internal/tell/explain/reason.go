package explain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/found-footy/found-footy/internal/footy"
)

// words say one reason in the places where people meet it.
type words struct {
	sentence string // on its own
	end      string // as the end of "3 were ..."
	waits    string // on its own, of a post that waits for it; "": as sentence
	awaited  string // as the end of "waits for ..."
	own      bool   // its detail is written by a rule or by an operator, never by a program that failed
}

const (
	secondLook = "a second look"
	anotherTry = "another try"
)

// reasons has the words of every reason.
var reasons = map[footy.Reason]words{
	footy.ReasonTooShort:     {sentence: "Too short to show it", end: "too short", own: true},
	footy.ReasonTooLong:      {sentence: "Too long to be a clip of one moment", end: "too long", own: true},
	footy.ReasonPortrait:     {sentence: "Portrait or narrow picture", end: "portrait or square", own: true},
	footy.ReasonNotSoccer:    {sentence: "Shows no football", end: "not football", own: true},
	footy.ReasonScreen:       {sentence: "A phone filming a screen", end: "a phone filming a screen", own: true},
	footy.ReasonWrongMinute:  {sentence: "The broadcast clock shows another minute", end: "from another minute", own: true},
	footy.ReasonSiblingGoal:  {sentence: "Shows another moment of this match", end: "of another moment of this match", own: true},
	footy.ReasonOtherMatch:   {sentence: "Shows another match: its teams' codes stand beside the clock", end: "of another match", own: true},
	footy.ReasonNoClock:      {sentence: "No running clock can be read in it, and no model is asked here", end: "without a clock that can be read", own: true},
	footy.ReasonUnreadable:   {sentence: "The file cannot be decoded", end: "unreadable"},
	footy.ReasonTooLarge:     {sentence: "The file is too large", end: "too large"},
	footy.ReasonNoVideo:      {sentence: "The post has no video", end: "without a video"},
	footy.ReasonForbiddenURL: {sentence: "The video lies on a host that is not allowed", end: "on a host that is not allowed"},
	footy.ReasonDuplicate:    {sentence: "The same picture as a clip we have", end: "copies of a clip we have"},
	footy.ReasonTombstone:    {sentence: "Was taken down before", end: "taken down before", own: true},
	footy.ReasonOldFootage:   {sentence: "Old footage: it was kept of another match before this one began", end: "old footage", own: true},
	footy.ReasonNotChosen:    {sentence: "Passed over: longer ones came first", end: "passed over for longer ones"},
	footy.ReasonEventGone:    {sentence: "What it shows no longer stands", end: "of what no longer stands"},
	footy.ReasonGaveUp:       {sentence: "Given up by an operator, or too old to keep", end: "given up by an operator"},

	footy.ReasonDeleted: {sentence: "The post is gone", end: "deleted before we came",
		waits: "The post seems to be deleted; it is checked again before it is refused", awaited: secondLook},
	footy.ReasonGeoBlocked: {sentence: "The video's host refuses this address", end: "refused to this address",
		waits: "The video's host refuses this address; it is tried again before the post is refused", awaited: secondLook},
	footy.ReasonTruncated: {sentence: "The file is cut off", end: "cut off",
		waits: "The file came cut off; it is fetched again before that is believed", awaited: secondLook},
	footy.ReasonStalled: {sentence: "The file takes too long to decode", end: "too slow to decode",
		waits: "The file took too long to decode; it is tried again before that is believed", awaited: secondLook},

	footy.ReasonStorage:          {sentence: "Waits for the clip storage", end: "waiting for the clip storage", awaited: "the clip storage"},
	footy.ReasonFetchFailed:      {sentence: "Could not be fetched yet", end: "not fetched yet", awaited: anotherTry},
	footy.ReasonFetchResting:     {sentence: "Waits until posts can be fetched again", end: "waiting until posts can be fetched", awaited: "a host that answers"},
	footy.ReasonHostFailed:       {sentence: "Waits for the host of the video", end: "waiting for their host", awaited: "the host of the video"},
	footy.ReasonUnknownHost:      {sentence: "Waits for a row in hosts.json: the video lies on a host that is not known here", end: "on a host that is not known here", awaited: "a row in hosts.json"},
	footy.ReasonNoModel:          {sentence: "Waits for a model: none is set up", end: "waiting for a model", awaited: "a vision model"},
	footy.ReasonModelUnreachable: {sentence: "Waits for the model, which cannot be reached", end: "waiting for the model", awaited: visionModel},
	footy.ReasonModelDenied:      {sentence: "Waits for the model, whose server refuses the key", end: "waiting for the model", awaited: visionModel},
	footy.ReasonModelMissing:     {sentence: "Waits for the model, which its server does not have", end: "waiting for the model", awaited: visionModel},
	footy.ReasonModelLoading:     {sentence: "Waits for the model, which is loading", end: "waiting for the model", awaited: visionModel},
	footy.ReasonModelBlind:       {sentence: "Waits for a model that can see pictures", end: "waiting for a model that sees", awaited: "a model that can see pictures"},
	footy.ReasonModelContext:     {sentence: "Waits for a model with a larger context", end: "waiting for a larger model", awaited: "a model with a larger context"},
	footy.ReasonModelThinks:      {sentence: "Waits: the model thinks instead of answering", end: "waiting for the model", awaited: visionModel},
	footy.ReasonModelMemory:      {sentence: "Waits for the model, whose machine has too little memory", end: "waiting for the model", awaited: visionModel},
	footy.ReasonModelError:       {sentence: "Waits for the model, whose server answers with an error", end: "waiting for the model", awaited: visionModel},
	footy.ReasonModelJunk:        {sentence: "Waits: the model's answer could not be read", end: "waiting for the model", awaited: visionModel},
	footy.ReasonModelSlow:        {sentence: "Waits: the model gave no answer in time", end: "waiting for the model", awaited: visionModel},
	footy.ReasonMachine:          {sentence: "Waits for this machine: its disk or its programs", end: "waiting for this machine", awaited: "this machine"},

	footy.ReasonGoalRemoved: {sentence: "Waits: what it shows was removed, and may be reinstated", end: "waiting for what was removed"},
	footy.ReasonNotCertain:  {sentence: "Fetched; it is checked once it is certain what it shows", end: "fetched before it was certain"},

	footy.ReasonVAR:         {sentence: "Was taken back", end: "cancelled by VAR"},
	footy.ReasonListedTwice: {sentence: "The feed listed one goal twice", end: "a goal that the feed listed twice, and its clips are at the other"},
	footy.ReasonPlaceholder: {sentence: "Never named and gone before it was certain", end: "a placeholder that disappeared"},
	footy.ReasonScoreNeeds:  {sentence: "The score still counts it", end: "still counted by the score"},
	footy.ReasonAnomaly:     {sentence: "The feed contradicted itself", end: "in a poll we did not trust"},
	footy.ReasonWindowOver:  {sentence: "The time for searching was over", end: "too late, the search window was over"},
	footy.ReasonTriesUsed:   {sentence: "Too many searches failed", end: "given up after too many failed searches"},
	footy.ReasonNoQuery:     {sentence: "Neither scorer nor team has a word to search for", end: "not searched, because there is no word to search for"},
	footy.ReasonHidden:      {sentence: "An operator hid it", end: "hidden by an operator"},
	footy.ReasonRedditPublic: {sentence: "Reddit refuses its public list to this machine. The remedy takes a minute: copy an address from preferences > RSS feeds of any free account, " +
		"and set it as REDDIT_FEED", end: "not looked for on Reddit, which refuses its public list"},
	footy.ReasonRedditFeed: {sentence: "Reddit refuses the address that was set as REDDIT_FEED. Copy it again from preferences > RSS feeds",
		end: "not looked for on Reddit, which refuses the address of REDDIT_FEED"},
	footy.ReasonKept: {sentence: "An operator says that it stands", end: "kept by an operator"},
}

const visionModel = "the vision model"

// Reason says a reason in one sentence. One without words is shown as it is, never dropped.
func Reason(r footy.Reason) string {
	if w, ok := reasons[r]; ok {
		return w.sentence
	}
	return plain(r)
}

// Ending says a reason as the end of "3 were ...".
func Ending(r footy.Reason) string {
	if w, ok := reasons[r]; ok {
		return w.end
	}
	return plain(r)
}

// Wait says in one sentence what a post waits for.
func Wait(cause footy.Reason) string {
	if w := reasons[cause]; w.waits != "" {
		return w.waits
	}
	return Reason(cause)
}

func plain(r footy.Reason) string { return strings.ReplaceAll(string(r), "_", " ") }

// LowerFirst goes on with a sentence.
func LowerFirst(s string) string { return first(s, unicode.ToLower) }

// UpperFirst begins a sentence.
func UpperFirst(s string) string { return first(s, unicode.ToUpper) }

func first(s string, of func(rune) rune) string {
	letter, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(of(letter)) + s[size:]
}
