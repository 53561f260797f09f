package inspect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/feed/apifootball"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/cycle"
	"github.com/found-footy/found-footy/internal/rule/debounce"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/rule/score"
)

// ReplayOptions choose what a replay follows and prints.
type ReplayOptions struct {
	JSON    bool  // one JSON object a line instead of text
	Trace   int64 // only this fixture, with its whole life
	Rules   debounce.Options
	Windows lifecycle.Windows
	Every   time.Duration // between polls; 0 = 30 s
}

// Row is one decision of a replay.
type Row struct {
	Poll        int             `json:"poll"`
	Fixture     int64           `json:"fixture"`
	EventID     string          `json:"event_id"`
	Decision    footy.EntryKind `json:"decision"`
	Reason      footy.Reason    `json:"reason"`
	ScoreBefore footy.Score     `json:"score_before"`
	ScoreAfter  footy.Score     `json:"score_after"`
	Text        string          `json:"text,omitempty"`
	EventUID    string          `json:"event_uid,omitempty"`
}

// Replay feeds recorded responses to the rules, in memory, and prints every decision.
func Replay(w io.Writer, paths []string, o ReplayOptions) error {
	files, err := expand(paths)
	if err != nil {
		return err
	}
	p := printer{w: w, o: o}
	r := NewReplayer(o, p.row)
	r.note = p.note
	for _, path := range files {
		if err := polls(path, func(responses []json.RawMessage) error {
			p.poll(r.n+1, path)
			if err := r.Poll(responses); err != nil {
				return err
			}
			return p.state(r)
		}); err != nil {
			return err
		}
	}
	return p.end(r)
}

// Replayer is a monitor without a world: the same rules over fixtures held in memory.
type Replayer struct {
	o        ReplayOptions
	row      func(Row) error
	note     func(fixture int64, text string) error // a remark for people: no decision
	fixtures map[int64]*held
	n        int
	now      time.Time
}

type held struct {
	f       footy.Fixture
	last    *footy.Snapshot
	kickoff time.Time // as it was when the fixture got its present stage
	listed  bool      // known from a list only: never asked by id
}

// NewReplayer makes one that hands every decision to row.
func NewReplayer(o ReplayOptions, row func(Row) error) *Replayer {
	if o.Every <= 0 {
		o.Every = 30 * time.Second
	}
	if o.Windows == (lifecycle.Windows{}) {
		o.Windows = lifecycle.Defaults()
	}
	return &Replayer{o: o, row: row, fixtures: map[int64]*held{}}
}

// Fixture returns a fixture as it is held now.
func (r *Replayer) Fixture(id int64) (footy.Fixture, bool) {
	h, ok := r.fixtures[id]
	if !ok {
		return footy.Fixture{}, false
	}
	return h.f, true
}

// Fixtures lists the ids of all fixtures seen.
func (r *Replayer) Fixtures() []int64 {
	ids := make([]int64, 0, len(r.fixtures))
	for id := range r.fixtures {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Poll applies the responses of one poll.
func (r *Replayer) Poll(responses []json.RawMessage) error {
	r.n++
	a, err := r.open(responses)
	if err != nil {
		return err
	}
	r.now = tell(r.now, r.o.Every, a.snapshots)
	for i := range a.snapshots {
		a.snapshots[i].Answered = r.now
	}
	regressed, err := r.trust(a.snapshots)
	if err != nil {
		return err
	}
	for _, s := range a.snapshots {
		if err := r.decide(s, regressed.distrusted, regressed.fixtures[s.Match.ID]); err != nil {
			return err
		}
	}
	return nil
}

// answered is what the responses of a poll hold.
type answered struct{ snapshots []footy.Snapshot }

func (r *Replayer) open(responses []json.RawMessage) (answered, error) {
	var a answered
	seen := map[int64]bool{}
	for _, raw := range responses {
		env, err := apifootball.Open(body(raw), r.now)
		if err != nil {
			if err := r.failed(env.Asked(), said(err)); err != nil {
				return a, err
			}
			continue
		}
		asked := env.Asked()
		good, failures := apifootball.Read(env, r.now, len(asked) > 0).All()
		for _, s := range good {
			if env.Parameters["live"] != "" && len(s.Events) == 0 {
				s.HasEvents = false // a live list may carry empty lists of events, which mean nothing
			}
			if !seen[s.Match.ID] {
				seen[s.Match.ID] = true
				a.snapshots = append(a.snapshots, s)
			}
		}
		for _, f := range failures {
			seen[f.ID] = true
			if err := r.failed([]int64{f.ID}, f.Reason); err != nil {
				return a, err
			}
		}
		for _, id := range asked {
			if !seen[id] {
				if err := r.failed([]int64{id}, apifootball.Absent); err != nil {
					return a, err
				}
			}
		}
		if len(good)+len(failures) == 0 && len(env.Response) > 0 {
			if err := r.failed(nil, fmt.Sprintf("none of %d entries is a fixture", len(env.Response))); err != nil {
				return a, err
			}
		}
	}
	slices.SortStableFunc(a.snapshots, func(x, y footy.Snapshot) int { return cmp.Compare(x.Match.ID, y.Match.ID) })
	return a, nil
}

func (r *Replayer) failed(ids []int64, why string) error {
	if len(ids) == 0 {
		ids = []int64{0}
	}
	for _, id := range ids {
		if err := r.row(Row{Poll: r.n, Fixture: id, Decision: footy.EntryPollFailed, Reason: footy.Reason(why),
			Text: "No answer to trust: " + why + ". Nothing was decided."}); err != nil {
			return err
		}
	}
	return nil
}

type verdict struct {
	distrusted bool
	fixtures   map[int64]bool // regressed
}

// trust looks at the whole poll before anything is decided.
func (r *Replayer) trust(snapshots []footy.Snapshot) (verdict, error) {
	v := verdict{fixtures: map[int64]bool{}}
	why := map[int64][]string{}
	missing := 0
	for _, s := range snapshots {
		h, ok := r.fixtures[s.Match.ID]
		if !ok || h.over(s) {
			continue
		}
		trust := cycle.TrustOf(h.f, h.last, s)
		if len(trust.Regressed) > 0 {
			v.fixtures[s.Match.ID] = true
			why[s.Match.ID] = trust.Regressed
		}
		if len(trust.Missing) > 0 {
			missing += len(trust.Missing)
			why[s.Match.ID] = append(why[s.Match.ID], "goals vanished")
		}
	}
	trusted, text := debounce.PollTrusted(len(v.fixtures), missing)
	if v.distrusted = !trusted; trusted {
		return v, r.remark(snapshots, v.fixtures, why)
	}
	for _, s := range snapshots {
		if odd := why[s.Match.ID]; len(odd) > 0 {
			if err := r.row(Row{Poll: r.n, Fixture: s.Match.ID, Decision: footy.EntryDistrusted, Reason: footy.Reason(strings.Join(odd, ", ")),
				Text: "This poll may add, not remove: " + strings.TrimRight(text, ".") + "."}); err != nil {
				return v, err
			}
		}
	}
	return v, nil
}

// remark tells people what one fixture contradicts while the poll as a whole is believed: it decides nothing.
func (r *Replayer) remark(snapshots []footy.Snapshot, regressed map[int64]bool, why map[int64][]string) error {
	if r.note == nil {
		return nil
	}
	for _, s := range snapshots {
		if id := s.Match.ID; regressed[id] {
			if err := r.note(id, "Contradicts what was known ("+strings.Join(why[id], ", ")+"). One fixture alone is its own story: the poll is believed."); err != nil {
				return err
			}
		}
	}
	return nil
}

// over reports a completed fixture that says nothing else now: nobody asks for it any more.
func (h *held) over(s footy.Snapshot) bool {
	return h.f.Stage == footy.StageCompleted && !s.Match.Status.InPlay() && !s.Match.Kickoff.After(h.f.Match.Kickoff)
}

// decide is what the monitor does with one fixture of an answered poll.
func (r *Replayer) decide(s footy.Snapshot, distrusted, regressed bool) error {
	h, ok := r.fixtures[s.Match.ID]
	if !ok {
		h = &held{f: footy.Fixture{ID: s.Match.ID, Stage: footy.StageActive}, kickoff: s.Match.Kickoff, listed: !s.HasEvents}
		r.fixtures[s.Match.ID] = h
	}
	if h.over(s) {
		return nil
	}
	decided := r.rules().Decide(&h.f, s, debounce.Poll{ID: fmt.Sprintf("replay-%d", r.n), Now: r.now, Distrusted: distrusted}, regressed)
	h.last = &s
	for _, d := range decided.Events {
		if err := r.row(Row{Poll: r.n, Fixture: h.f.ID, EventID: d.EventID, EventUID: d.EventUID, Decision: d.Kind, Reason: reason(d),
			ScoreBefore: d.ScoreBefore, ScoreAfter: d.ScoreAfter, Text: explain.Row(footy.Entry{EventUID: d.EventUID, Kind: d.Kind, Reason: d.Reason, Data: d.Data}, nil)}); err != nil {
			return err
		}
	}
	if err := r.unlisted(h, s); err != nil {
		return err
	}
	if decided.Withheld {
		return nil
	}
	return r.move(h)
}

func (r *Replayer) rules() cycle.Rules { return cycle.Rules{Votes: r.o.Rules, Windows: r.o.Windows} }

// reason is why something was decided; where the log needs no more than the decision itself, a reader of rows does.
func reason(d debounce.Decision) footy.Reason {
	if d.Reason != "" {
		return d.Reason
	}
	return map[footy.EntryKind]footy.Reason{footy.EntryNew: "first_seen", footy.EntrySighting: "listed", footy.EntryAbsence: "not_listed",
		footy.EntryCertain: "votes_agree", footy.EntryRestored: "listed_again"}[d.Kind]
}

// unlisted reports goals that the score counts and nothing we hold explains.
func (r *Replayer) unlisted(h *held, s footy.Snapshot) error {
	n := score.WithoutEvent(h.f)
	if !s.HasEvents || n == 0 || !r.o.Windows.Unlisted {
		return nil
	}
	return r.row(Row{Poll: r.n, Fixture: h.f.ID, Decision: footy.EntryWithheld, Reason: footy.ReasonScoreNeeds,
		ScoreBefore: h.f.Score, ScoreAfter: h.f.Score, Text: fmt.Sprintf("The score counts %d more than the feed ever listed.", n)})
}

// move plans the fixture's stage. Here nobody searches for clips, so a certain event counts as complete.
func (r *Replayer) move(h *held) error {
	f := h.f
	f.Events = slices.Clone(f.Events)
	for i := range f.Events {
		f.Events[i].DownloadComplete = f.Events[i].DownloadComplete || f.Events[i].Certain()
	}
	m := lifecycle.Plan(f, r.now, r.o.Windows)
	switch {
	case m.To == "" || m.To == h.f.Stage:
		if m = lifecycle.NewDate(h.f, h.kickoff, r.o.Windows); m.Kind == "" {
			return nil
		}
	case m.Reason == lifecycle.ReasonNewDate && h.kickoff.Equal(h.f.Match.Kickoff):
		return nil // a fixture not seen before counts as active, however far its kickoff
	default:
		h.f.Stage = m.To
		lifecycle.Apply(&h.f, m, r.now)
	}
	h.kickoff = h.f.Match.Kickoff
	return r.row(Row{Poll: r.n, Fixture: h.f.ID, Decision: m.Kind, Reason: m.Reason, ScoreBefore: h.f.Score, ScoreAfter: h.f.Score,
		Text: explain.Row(footy.Entry{Kind: m.Kind, Reason: m.Reason, Data: m.Evidence}, nil)})
}

// body unwraps a recording that keeps the HTTP status beside the body.
func body(raw json.RawMessage) []byte {
	var w struct {
		HTTP int             `json:"http"`
		Body json.RawMessage `json:"body"`
	}
	if json.Unmarshal(raw, &w) == nil && w.HTTP != 0 {
		if w.HTTP != 200 {
			return []byte(fmt.Sprintf(`{"errors":{"http":"HTTP %d"},"response":[]}`, w.HTTP))
		}
		return w.Body
	}
	return raw
}

func said(err error) string {
	return strings.TrimPrefix(err.Error(), "read answer: ")
}
