package ledger

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// rule is one row of the table: what a move does to a post in a state, who may make it and which log row it has.
type rule struct {
	move MoveKind
	from states
	to   states // depending on what the post has; none: it stays what it was
	who  string
	held bool // only the Download that has the post
	row  footy.EntryKind
	do   func(*footy.Post, Move, time.Time, Delays)
	what string
}

type states []footy.PostState

var same states

const (
	offered   = footy.PostOffered
	fetching  = footy.PostFetching
	fetched   = footy.PostFetched
	judged    = footy.PostJudged
	waiting   = footy.PostWaiting
	published = footy.PostPublished
	merged    = footy.PostMerged
	passed    = footy.PostPassed
	refused   = footy.PostRefused
)

const (
	search   = "search"
	download = "its Download"
	anyone   = "its Download; another when its lease is over"
	monitor  = "Monitor"
	upload   = "Upload"
	operator = "operator"
)

// table is every move that a post can make. What is not here is illegal.
var table = []rule{
	{Chosen, states{passed}, states{offered}, search + ", or a sibling goal's Download", false, footy.EntryCandidate, choose, "a later search has it among its longest, or a sibling goal offers it"},

	{Claimed, states{offered}, states{fetching}, anyone, false, "", claim, "gets a lease; what nobody has is free"},
	{Claimed, states{fetching, fetched, judged}, same, anyone, false, "", claim, "gets a lease: the first try died"},
	{Claimed, states{waiting}, states{fetching, fetched, judged}, "a Download", false, "", claim, "only when its next try has come, or nearly so, or it waited for its goal; the state says what is missing"},
	{Held, states{offered, fetching, fetched, judged}, same, monitor, true, "", hold, "its Download, or the event's Upload, runs: the lease is extended"},

	{Fetched, states{fetching}, states{fetched}, download, true, "", fetch, "keeps media; trouble is over"},
	{SameBytes, states{fetching}, states{judged}, download, true, "", recognise, "keeps the clip; trouble is over"},
	{Refused, states{fetching}, states{refused}, download, true, footy.EntryRejected, refuse, "keeps the reason"},
	{Doubted, states{fetching}, states{waiting, refused}, download, true, footy.EntryWaiting, doubt, "refused when said twice, ten minutes apart, while others can be fetched"},
	{Troubled, states{fetching, fetched}, states{waiting}, download, true, footy.EntryWaiting, wait, "pauses of 30 s to 15 min, after hours of trouble an eighth of these, up to an hour"},
	{Unfit, states{fetching, fetched}, states{waiting, refused}, download, true, footy.EntryWaiting, unfit, "pauses as before; refused after a day and ten tries in which others passed"},

	{Accepted, states{fetched}, states{judged}, download, true, footy.EntryVerdict, accept, "keeps the verdict; trouble is over"},
	{Rejected, states{fetched}, states{refused}, download, true, footy.EntryRejected, refuse, "keeps verdict and reason"},
	{Unstaged, states{fetched}, states{waiting}, download, true, footy.EntryWaiting, unstage, "drops media: it is fetched anew"},
	{Spoiled, states{fetched}, states{waiting, refused}, download, true, footy.EntryWaiting, spoil, "drops media: it is fetched anew, once"},

	{Unstaged, states{judged}, states{waiting}, upload, false, footy.EntryWaiting, unstage, "drops media and verdict: it is fetched anew"},
	{Spoiled, states{judged}, states{waiting, refused}, upload, false, footy.EntryWaiting, spoil, "drops media and verdict: it is fetched anew, once"},
	{TakenDown, states{judged}, states{refused}, upload, false, footy.EntryRejected, refuse, "keeps the reason"},
	{Published, states{judged, published, merged}, states{published}, upload, false, "", publish, "its file is a clip; the clip has the row"},
	{Merged, states{judged, published, merged}, states{merged}, upload, false, "", merge, "another clip stands for it; the clip has the row"},

	{StillWaits, states{waiting}, same, monitor, false, footy.EntryWaiting, wait, "due, and the model still does not answer, or fetching rests; looked at again within 15 min"},
	{Retried, states{waiting}, same, operator, false, "", retry, "due at once, pauses begin anew"},
	{Righted, states{offered, fetching, fetched, judged, waiting}, same, monitor, false, "", right, "due at once: a clock that was ahead set its next try"},
	{GivenUp, states{waiting}, states{refused}, operator, false, footy.EntryRejected, refuse, "keeps what it waited for"},
	{Suspended, states{offered, fetching, fetched, judged, waiting}, states{waiting}, download + ", " + upload + ", " + monitor, false, footy.EntryWaiting, suspend, "its goal is not certain yet, or was removed: keeps what it has, and goes on when the goal is certain, or reinstated"},
	{EventGone, states{offered, fetching, fetched, judged, waiting}, states{refused}, monitor, false, "", refuse, "nobody can open its page"},
}
