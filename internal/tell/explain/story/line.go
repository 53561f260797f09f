package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

var words = map[footy.EntryKind]struct {
	word string
	tone Tone
}{
	footy.EntryNew: {"First seen", ToneGood}, footy.EntrySighting: {"Seen", ToneNeutral}, footy.EntryAbsence: {"Missing", ToneWarn},
	footy.EntryWithheld: {"Absence not counted", ToneWarn}, footy.EntryChanged: {"Changed", ToneNeutral}, footy.EntryRenamed: {"Scorer", ToneNeutral},
	footy.EntryCertain: {"Certain", ToneGood}, footy.EntryRemoved: {"Removed", ToneBad}, footy.EntryRestored: {"Restored", ToneGood},
	footy.EntryAhead: {"Searched ahead", ToneNeutral}, footy.EntrySearching: {"Search begins", ToneNeutral}, footy.EntryQuery: {"Search", ToneNeutral},
	footy.EntryCandidate: {"Post", ToneNeutral}, footy.EntryRejected: {"Refused", ToneBad}, footy.EntryVerdict: {"Checked", ToneGood}, footy.EntryWaiting: {"Waits", ToneWarn},
	footy.EntryClip: {"Clip", ToneGood}, footy.EntryFirstClip: {"First clip", ToneGood}, footy.EntryMerged: {"Merged", ToneNeutral}, footy.EntryReplaced: {"Better copy", ToneGood},
	footy.EntryCompleted: {"Complete", ToneGood}, footy.EntryDistrusted: {"Poll not trusted", ToneWarn},
	footy.EntryPollFailed: {"Poll failed", ToneWarn}, footy.EntryTrusted: {"Feed believed again", ToneGood}, footy.EntryOperator: {"Operator", ToneWarn}, footy.EntryActivated: {"Match followed", ToneNeutral},
	footy.EntryRescheduled: {"Kickoff moved", ToneNeutral}, footy.EntryOver: {"Over", ToneNeutral}, footy.EntryExtra: {"Beside it", ToneNeutral},
}

// line says one row. A copy of a clip we have was merged, not refused.
func (b *builder) line(r footy.Entry) Line {
	w, ok := words[r.Kind]
	if !ok {
		w.word, w.tone = strings.ReplaceAll(string(r.Kind), "_", " "), ToneNeutral
	}
	switch {
	case r.Kind == footy.EntryCompleted && r.EventUID != "" && r.Data.Clips == 0:
		w.tone = ToneWarn
	case r.Reason.AwaitsGoal():
		w.tone = ToneNeutral
	case r.Kind == footy.EntryRejected && r.Reason == footy.ReasonDuplicate && r.ClipID != "":
		w.word, w.tone = "Merged", ToneNeutral
	case r.Kind == footy.EntryCandidate && r.Reason != "":
		w.word = "Passed over"
	}
	l := Line{Key: r.Key, At: r.At, Kind: r.Kind, Word: w.word, Tone: w.tone, Text: explain.Row(r, b.names), Reason: r.Reason, Times: 1, Facts: b.facts(r)}
	if name := b.name(r.ClipID); name != "" && r.PostID == "" && !strings.Contains(l.Text, name) {
		l.Text += " (" + name + ")"
	}
	return l
}

// footageOf names the clip in which the model read what a row rests on. One that was replaced has the name of the clip that stands for it
// now, which may be the row's own.
func (b *builder) footageOf(r footy.Entry) string {
	name := b.name(r.Data.SameAs)
	if name != "" && name == b.name(r.ClipID) {
		return ""
	}
	return cmp.Or(name, r.Data.SameAs)
}

// facts lists what the line or its post does not say already, under names people understand.
func (b *builder) facts(r footy.Entry) []Fact {
	d := explain.Public(r).Data
	facts := []Fact{
		{"address before", d.OldID}, {"belongs to", d.Sibling}, {"calls to X", count(d.Calls)}, {"cause", d.Why}, {"clips", count(d.Clips)},
		{"detail", d.Detail}, {"frames", frames(d.Readings, d.Proof)}, {"minute expected on the clock", count(d.Expected)}, {"model", d.Model},
		{"new posts", count(d.New)}, {"reason", d.Reason}, {"same footage as", b.footageOf(r)}, {"searched for", d.Query}, {"searches", count(d.Searches)},
		{"stands for it now", b.name(d.Into)}, {"wait, seconds", count(int(d.RetryAfter))}, {"words for the team", strings.Join(d.Aliases, ", ")},
		{"workflow", cmp.Or(d.Workflow, d.Download)},
	}
	if d.Match != nil {
		facts = append(facts, Fact{"comparison", explain.Comparison(*d.Match)})
	}
	if c := d.Running; c != nil && len(c.Readings) > 0 {
		last := c.Readings[len(c.Readings)-1]
		facts = append(facts, Fact{"running clock", fmt.Sprintf("%s at %.1f s to %s at %.1f s, read in %s; speed %.2f, confidence %.2f",
			c.Readings[0].Clock, c.Readings[0].At, last.Clock, last.At, c.ReadIn(), c.Speed, c.Confidence)})
	}
	if d.Minute != nil {
		facts = append(facts, Fact{"minute read", fmt.Sprint(*d.Minute)})
	}
	if d.From != nil && d.To != nil {
		facts = append(facts, Fact{"is", d.To.Name}, Fact{"was", d.From.Name})
	}
	if !d.Since.IsZero() {
		facts = append(facts, Fact{"not before", d.Since.UTC().Format(time.RFC3339)})
	}
	if d.WaitedFor != "" {
		facts = append(facts, Fact{"gave up", explain.Wait(d.WaitedFor)})
	}
	facts = slices.DeleteFunc(facts, func(f Fact) bool { return f.Value == "" })
	slices.SortFunc(facts, func(x, y Fact) int { return strings.Compare(x.Name, y.Name) })
	return facts
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// frames says what was read where: "1.8 s 30:29 · 3.5 s no clock". Where the running clock is known, the clock was not read in frames.
func frames(rs []footy.Reading, by footy.Proof) string {
	parts := make([]string, 0, len(rs))
	for _, r := range rs {
		s := fmt.Sprintf("%.1f s: ", r.At)
		switch {
		case !r.Soccer:
			s += "no football"
		case by == footy.ProofClock:
			s += "football"
		case r.Clock == "" && r.StoppageClock == "":
			s += "no clock"
		default:
			s += strings.Join(strings.Fields(r.Clock+" "+r.Added+" "+r.StoppageClock+" "+r.Period), " ")
		}
		if r.Screen {
			s += ", filmed from a screen"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " · ")
}
