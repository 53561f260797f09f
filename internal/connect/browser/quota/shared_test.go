package quota_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/footy"
)

func query(group, text string) source.Query {
	since := now.Add(-5*time.Minute - time.Duration(text[0])*time.Millisecond) // each goal was seen at its own time
	return source.Query{Group: group, Text: text, Since: since, Max: 20}
}

func answer(ids ...string) source.Result {
	r := source.Result{State: source.StateResults, CallsUsed: 2}
	for _, id := range ids {
		r.Candidates = append(r.Candidates, footy.Candidate{PostID: id})
	}
	return r
}

func TestGoalsOfOneMatchShareOneSearch(t *testing.T) {
	t.Parallel()
	d := quota.NewSharedAnswers(1)
	_, ok := d.Find(now, query("1", "saka arsenal"))
	require.False(t, ok)
	_, ok = d.Find(now.Add(10*time.Second), query("1", "palmer"))
	require.False(t, ok)
	_, ok = d.Find(now.Add(10*time.Second), query("2", "kane"))
	require.False(t, ok)

	at := now.Add(20 * time.Second)
	asked := query("1", "palmer")
	merged, texts := d.Merge(at, asked)
	require.Equal(t, "palmer OR (saka arsenal)", merged.Text)
	require.ElementsMatch(t, []string{"palmer", "saka arsenal"}, texts)
	require.Equal(t, 40, merged.Max)
	one, two := snowflake.At(now, 1), snowflake.At(now, 2)
	d.Keep(at, asked, merged, texts, answer(one, two))

	mine := query("1", "saka arsenal")
	mine.Exclude = []string{one}
	r, ok := d.Find(at.Add(30*time.Second), mine)
	require.True(t, ok)
	require.Equal(t, 0, r.CallsUsed)
	require.Len(t, r.Candidates, 1, "what this goal knows is left out")
	require.Equal(t, two, r.Candidates[0].PostID)

	_, ok = d.Find(at.Add(31*time.Second), mine)
	require.False(t, ok, "one answer is one search")
	_, ok = d.Find(at.Add(31*time.Second), query("2", "kane"))
	require.False(t, ok, "another match has nothing of it")
}

func TestAnAnswerServesOnlyWhatItCovers(t *testing.T) {
	t.Parallel()
	put := func() *quota.SharedAnswers {
		d := quota.NewSharedAnswers(1)
		d.Find(now, query("1", "saka"))
		merged, texts := d.Merge(now, query("1", "palmer"))
		d.Keep(now, query("1", "palmer"), merged, texts, answer())
		return d
	}
	_, ok := put().Find(now.Add(2*time.Minute), query("1", "saka"))
	require.False(t, ok, "too old")
	earlier := query("1", "saka")
	earlier.Since = earlier.Since.Add(-time.Minute)
	_, ok = put().Find(now, earlier)
	require.False(t, ok, "it did not reach back that far")
	_, ok = put().Find(now, query("1", "rice"))
	require.False(t, ok, "another text")
	_, ok = put().Find(now, query("1", "saka"))
	require.True(t, ok)

	d := quota.NewSharedAnswers(1)
	d.Find(now, query("1", "saka"))
	merged, texts := d.Merge(now, query("1", "palmer"))
	d.Keep(now, query("1", "palmer"), merged, texts, source.Result{State: source.StateTimeout})
	_, ok = d.Find(now, query("1", "saka"))
	require.False(t, ok, "what was no search is no search for the others either")
}

func TestAMergedSearchReachesAsFarAsEachGoalNeeds(t *testing.T) {
	t.Parallel()
	d := quota.NewSharedAnswers(1)
	old, fresh := query("1", "saka"), query("1", "palmer")
	old.Since, old.Exclude = now.Add(-20*time.Minute), []string{"a", "b"}
	fresh.Exclude = []string{"b", "c"}
	d.Find(now, old)
	merged, texts := d.Merge(now, fresh)
	require.Len(t, texts, 2)
	require.Equal(t, old.Since, merged.Since)
	require.Equal(t, []string{"b"}, merged.Exclude, "only what both know")
	require.Equal(t, []string{"b", "c"}, fresh.Exclude)
}

func TestNothingIsMergedAlone(t *testing.T) {
	t.Parallel()
	d := quota.NewSharedAnswers(1)
	q := query("1", "saka")
	q.Exclude = []string{"1"}
	merged, texts := d.Merge(now, q)
	require.Equal(t, q, merged)
	require.Len(t, texts, 1)
	q.Group = ""
	merged, _ = d.Merge(now, q)
	require.Equal(t, q, merged)

	d.Find(now, query("2", strings.Repeat("a", 300)))
	merged, texts = d.Merge(now, query("2", strings.Repeat("b", 300)))
	require.Len(t, texts, 1, "X cuts long queries")
	require.Len(t, merged.Text, 300)

	_, texts = d.Merge(now.Add(time.Hour), query("1", "palmer"))
	require.Len(t, texts, 1, "goals that ended are forgotten")
}

func TestAGoalIsNotServedByItsOwnSearch(t *testing.T) {
	t.Parallel()
	d := quota.NewSharedAnswers(1)
	precise, wide := query("1", "saka arsenal"), query("1", "saka OR arsenal")
	wide.Since = precise.Since
	d.Find(now, precise)
	require.False(t, d.HasPeers(now, wide))
	merged, texts := d.Merge(now, wide)
	require.Equal(t, wide, merged)
	require.Len(t, texts, 1)
	d.Find(now, query("1", "palmer"))
	require.True(t, d.HasPeers(now, wide))
	_, texts = d.Merge(now, wide)
	require.ElementsMatch(t, []string{"saka OR arsenal", "palmer"}, texts)
}
