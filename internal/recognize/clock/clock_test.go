package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
)

// play is a frame of football showing a clock; more texts: added minutes, second timer, period label.
func play(at float64, text string, more ...string) footy.Reading {
	r := footy.Reading{At: at, Soccer: true, Clock: text}
	for i, s := range more {
		*[]*string{&r.Added, &r.StoppageClock, &r.Period}[i] = s
	}
	return r
}

func goal(elapsed, extra int, siblings ...footy.Minute) clock.Question {
	q := clock.Question{Minute: footy.Minute{Elapsed: elapsed, Extra: extra}, Tolerance: clock.Tolerance}
	for i, m := range siblings {
		q.Siblings = append(q.Siblings, clock.Sibling{UID: string(rune('a' + i)), Minute: m})
	}
	return q
}

func at(elapsed, extra int) footy.Minute { return footy.Minute{Elapsed: elapsed, Extra: extra} }

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]clock.Time{
		"67:42":          {Seconds: 67*60 + 42, Exact: true, Period: clock.Second},
		"12:05":          {Seconds: 12*60 + 5, Exact: true, Period: clock.First},
		"67'":            {Seconds: 67 * 60, Period: clock.Second},
		"90":             {Seconds: 90 * 60, Period: clock.Second},
		"45+2":           {Seconds: 47 * 60, Period: clock.First, Pinned: true, Stoppage: true},
		"90'+3'":         {Seconds: 93 * 60, Period: clock.Second, Pinned: true, Stoppage: true},
		"45:00+2:10":     {Seconds: 47*60 + 10, Exact: true, Period: clock.First, Pinned: true, Stoppage: true},
		"2H 15:00":       {Seconds: 60 * 60, Exact: true, Period: clock.Second, Pinned: true},
		"05:25 2ND":      {Seconds: 50*60 + 25, Exact: true, Period: clock.Second, Pinned: true},
		"2nd half 50:25": {Seconds: 50*60 + 25, Exact: true, Period: clock.Second, Pinned: true},
		"1H 30:00":       {Seconds: 30 * 60, Exact: true, Period: clock.First, Pinned: true},
		"1H 47:10":       {Seconds: 47*60 + 10, Exact: true, Period: clock.First, Pinned: true},
		"2H 45:00":       {Seconds: 90 * 60, Exact: true, Period: clock.Second, Pinned: true},
		"ET 03:12":       {Seconds: 93*60 + 12, Exact: true, Period: clock.Extra1, Pinned: true},
		"ET2 05:00":      {Seconds: 110 * 60, Exact: true, Period: clock.Extra2, Pinned: true},
		"ET2 20:00":      {Seconds: 110 * 60, Exact: true, Period: clock.Extra2, Pinned: true},
		"9 0:00":         {Seconds: 90 * 60, Exact: true, Period: clock.Second},
		"6 7 : 4 2":      {Seconds: 67*60 + 42, Exact: true, Period: clock.Second},
		"2-1 67:42":      {Seconds: 67*60 + 42, Exact: true, Period: clock.Second},
		"LIVE 67.42":     {Seconds: 67*60 + 42, Exact: true, Period: clock.Second},
		"67’42":          {Seconds: 67*60 + 42, Exact: true, Period: clock.Second},
		"６７：４２":          {Seconds: 67*60 + 42, Exact: true, Period: clock.Second},
	} {
		got, ok := clock.Parse(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "HT", "FT", "not-a-clock", "8888", "88:88", "-66:12", "−5:00", "1:02:03", "67:99", "200:10", "ET1 50:00", "2-1", "NONE"} {
		_, ok := clock.Parse(text)
		require.False(t, ok, text)
	}
}

// TestLabelsOfManyLanguages: alone, beside the clock, and glued to it.
func TestLabelsOfManyLanguages(t *testing.T) {
	t.Parallel()
	for period, labels := range map[clock.Period][]string{
		clock.First: {"1T", "1 T", "1º", "1°", "1ª", "1º T", "1ºT", "1° TEMPO", "1º Tiempo", "1ª parte", "1ER TIEMPO", "Primer tiempo", "primo tempo", "1. HZ", "1. Halbzeit",
			"1. Yarı", "1e helft", "1ère MT", "前半", "전반", "上半场", "1st half", "1ST", "1H", "PT", "1st"},
		clock.Second: {"2T", "2 T", "2º", "2°", "2ª", "2º T", "2ªT", "2° TEMPO", "2º Tiempo", "2ª parte", "2DO TIEMPO", "Segundo tempo", "secondo tempo", "2. HZ", "2. Halbzeit",
			"2. Yarı", "2e helft", "2ème MT", "後半", "후반", "下半場", "2nd half", "2ND", "2H", "ST", "2nd"},
		clock.Extra1: {"ET1", "1ET", "1T PRORROGAÇÃO", "1º tiempo prórroga", "延長前半", "1° TS", "1st extra time"},
		clock.Extra2: {"ET2", "2ET", "2T PRORROGAÇÃO", "2º tiempo prórroga", "延長後半", "2° TS", "2nd extra time"},
		clock.Extra:  {"ET", "AET", "PRORROGAÇÃO", "prórroga", "延長"},
	} {
		for _, l := range labels {
			require.Equal(t, period, clock.ParsePeriod(l), l)
			if l == "PT" || l == "ST" {
				continue // beside a clock it may be a team
			}
			shown := map[clock.Period]string{clock.First: "36:12", clock.Second: "36:12"}[period]
			if shown == "" {
				shown = "07:12"
			}
			for _, text := range []string{shown + " " + l, l + " " + shown} {
				got, ok := clock.Parse(text)
				require.True(t, ok, text)
				require.True(t, got.Pinned, text)
				require.Equal(t, map[clock.Period]int{clock.First: 36, clock.Second: 81, clock.Extra1: 97, clock.Extra2: 112, clock.Extra: 97}[period], got.Minute(), text)
			}
		}
	}
	for _, text := range []string{"2T36:12", "2º36:12", "36:12 2T", "SAN 2-1 FLA 2T 36:12"} {
		got, ok := clock.Parse(text)
		require.True(t, ok, text)
		require.Equal(t, clock.Time{Seconds: 81*60 + 12, Exact: true, Period: clock.Second, Pinned: true}, got, text)
	}
	for _, none := range []string{"67º", "41º", "22ª", "TOT 1-2 TEN", "LAST", "EST 2-0 PTO", "1-2", "LIVE", "2-1 TOR"} {
		require.Equal(t, clock.Unknown, clock.ParsePeriod(none), none)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"67:42", "45+2", "2H 15:00", "9 0:00", "ET2 20:00", "1:02:03", "90+", "+"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := clock.Parse(s)
		if ok {
			require.GreaterOrEqual(t, got.Seconds, 0)
			require.LessOrEqual(t, got.Minute(), 150)
			require.NotEqual(t, clock.Unknown, got.Period)
		}
	})
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		frames  []footy.Reading
		q       clock.Question
		outcome footy.Outcome
		reason  footy.Reason
		minute  int // -1: none
	}{
		"a running clock":                            {[]footy.Reading{play(2, "67:42"), play(5, "67:45")}, goal(68, 0), footy.OutcomeVerified, "", 67},
		"no clock at all":                            {[]footy.Reading{play(2, ""), play(5, "")}, goal(68, 0), footy.OutcomeUnverified, "", -1},
		"no minute from the feed":                    {[]footy.Reading{play(2, "67:42"), play(5, "67:45")}, goal(0, 0), footy.OutcomeUnverified, "", 67},
		"another minute":                             {[]footy.Reading{play(2, "30:00"), play(5, "30:03")}, goal(90, 0), footy.OutcomeRejected, footy.ReasonWrongMinute, 30},
		"the first minute":                           {[]footy.Reading{play(2, "00:30")}, goal(1, 0), footy.OutcomeVerified, "", 0},
		"frozen, with a second timer":                {[]footy.Reading{play(2, "90:00", "+6", "03:27")}, goal(90, 4), footy.OutcomeVerified, "", 93},
		"frozen, with a board only":                  {[]footy.Reading{play(2, "90:00", "+5")}, goal(90, 5), footy.OutcomeVerified, "", 90},
		"frozen in every frame, nothing else":        {[]footy.Reading{play(2, "90:00"), play(8, "90:00")}, goal(90, 6), footy.OutcomeVerified, "", 90},
		"frozen, two goals in that stoppage time":    {[]footy.Reading{play(2, "90:00", "+6")}, goal(90, 5, at(90, 2)), footy.OutcomeUnverified, "", 90},
		"a lost leading nine":                        {[]footy.Reading{play(2, "02:36")}, goal(90, 3), footy.OutcomeVerified, "", 92},
		"a lost nine beside whole ones":              {[]footy.Reading{play(2, "92:34"), play(4, "02:36"), play(6, "92:38")}, goal(90, 3), footy.OutcomeVerified, "", 92},
		"a third-minute clip for a late goal":        {[]footy.Reading{play(2, "02:36")}, goal(90, 3, at(3, 0)), footy.OutcomeRejected, footy.ReasonSiblingGoal, 2},
		"a restarted clock with its label":           {[]footy.Reading{play(2, "05:25", "", "", "2ND")}, goal(51, 0), footy.OutcomeVerified, "", 50},
		"a restarted clock, label in one frame only": {[]footy.Reading{play(2, "05:25", "", "", "2ND"), play(5, "05:28")}, goal(51, 0), footy.OutcomeVerified, "", 50},
		"a restarted clock frozen at its end":        {[]footy.Reading{play(2, "45:00", "+4", "02:10", "2H")}, goal(90, 3), footy.OutcomeVerified, "", 92},
		"45:10 labelled second half, for its start":  {[]footy.Reading{play(2, "45:10", "", "", "2H")}, goal(46, 0), footy.OutcomeUnverified, "", 45},
		"45:10 labelled second half, for its end":    {[]footy.Reading{play(2, "2H 45:10")}, goal(90, 1), footy.OutcomeVerified, "", 90},
		"90:10 labelled second half is no 46th":      {[]footy.Reading{play(2, "90:10", "", "", "2H")}, goal(46, 0), footy.OutcomeRejected, footy.ReasonWrongMinute, 90},
		"first-half stoppage for a 48' goal":         {[]footy.Reading{play(2, "45:00", "+3", "02:10")}, goal(48, 0), footy.OutcomeRejected, footy.ReasonWrongMinute, 47},
		"47 unlabelled for 48'":                      {[]footy.Reading{play(2, "47:10"), play(5, "47:13")}, goal(48, 0), footy.OutcomeVerified, "", 47},
		"47 unlabelled for 45+3":                     {[]footy.Reading{play(2, "47:10"), play(5, "47:13")}, goal(45, 3), footy.OutcomeUnverified, "", 47},
		"47 with a board for 45+3":                   {[]footy.Reading{play(2, "47:10", "+4")}, goal(45, 3), footy.OutcomeVerified, "", 47},
		"47 unlabelled for 48', sibling 45+3":        {[]footy.Reading{play(2, "47:10")}, goal(48, 0, at(45, 3)), footy.OutcomeUnverified, "", 47},
		"92 unlabelled for 90+3":                     {[]footy.Reading{play(2, "92:10")}, goal(90, 3), footy.OutcomeVerified, "", 92},
		"92 unlabelled for 90+3, sibling 93'":        {[]footy.Reading{play(2, "92:10")}, goal(90, 3, at(93, 0)), footy.OutcomeUnverified, "", 92},
		"a clock below zero":                         {[]footy.Reading{play(2, "-66:12"), play(5, "−66:15")}, goal(67, 0), footy.OutcomeUnverified, "", -1},
		"47 unlabelled for 45+3, sibling 48'":        {[]footy.Reading{play(2, "47:10")}, goal(45, 3, at(48, 0)), footy.OutcomeRejected, footy.ReasonSiblingGoal, 47},
		"92 unlabelled for extra time":               {[]footy.Reading{play(2, "92:10")}, goal(93, 0), footy.OutcomeUnverified, "", 92},
		"extra time with its label":                  {[]footy.Reading{play(2, "02:10", "", "", "ET1")}, goal(93, 0), footy.OutcomeVerified, "", 92},
		"the neighbouring goal two minutes away":     {[]footy.Reading{play(2, "27:36"), play(5, "27:42")}, goal(30, 0, at(28, 0)), footy.OutcomeRejected, footy.ReasonSiblingGoal, 27},
		"the right one of two":                       {[]footy.Reading{play(2, "29:36"), play(5, "29:42")}, goal(30, 0, at(28, 0)), footy.OutcomeVerified, "", 29},
		"two goals in one minute":                    {[]footy.Reading{play(2, "29:36")}, goal(30, 0, at(30, 0)), footy.OutcomeUnverified, "", 29},
		"a label against the clock":                  {[]footy.Reading{play(2, "50:00", "", "", "ET1")}, goal(51, 0), footy.OutcomeUnverified, "", 50},
		"20 minutes into a quarter of an hour":       {[]footy.Reading{play(2, "20:00", "", "", "ET1")}, goal(21, 0), footy.OutcomeUnverified, "", 20},
		"80 minutes into the first half":             {[]footy.Reading{play(2, "80:00", "", "", "1H")}, goal(81, 0), footy.OutcomeUnverified, "", 80},
		"a frozen clock against its label":           {[]footy.Reading{play(2, "45:00", "", "", "ET1"), play(8, "45:00", "", "", "ET1")}, goal(45, 4), footy.OutcomeUnverified, "", 45},
		"stoppage time of the other half":            {[]footy.Reading{play(2, "90+3", "", "", "1H")}, goal(90, 4), footy.OutcomeUnverified, "", 93},
		"a label of this goal, a clock of none":      {[]footy.Reading{play(2, "50:00", "", "", "ET1")}, goal(95, 0), footy.OutcomeUnverified, "", -1},
		"neither label nor clock of this goal":       {[]footy.Reading{play(2, "50:00", "", "", "ET1")}, goal(20, 0), footy.OutcomeRejected, footy.ReasonWrongMinute, 50},
		"one label misread of three":                 {[]footy.Reading{play(2, "50:00"), play(5, "50:03", "", "", "ET1"), play(8, "50:06")}, goal(51, 0), footy.OutcomeVerified, "", 50},
		"a lost leading seven":                       {[]footy.Reading{play(2, "7:36")}, goal(78, 0), footy.OutcomeUnverified, "", 77},
		"a lost digit that would not explain it":     {[]footy.Reading{play(2, "7:36")}, goal(73, 0), footy.OutcomeRejected, footy.ReasonWrongMinute, 7},
		"a leading nought is no lost digit":          {[]footy.Reading{play(2, "07:36")}, goal(78, 0), footy.OutcomeRejected, footy.ReasonWrongMinute, 7},
		"an early clip, with the early goal known":   {[]footy.Reading{play(2, "7:36")}, goal(78, 0, at(8, 0)), footy.OutcomeRejected, footy.ReasonSiblingGoal, 7},
		"a restarted clock without its label":        {[]footy.Reading{play(2, "05:25"), play(5, "05:28")}, goal(51, 0), footy.OutcomeUnverified, "", 50},
		"a restarted clock in its stoppage time":     {[]footy.Reading{play(2, "47:10"), play(5, "47:13")}, goal(90, 3), footy.OutcomeUnverified, "", 92},
		"a restarted clock, frozen, with its timer":  {[]footy.Reading{play(2, "45:00", "", "02:10")}, goal(90, 3), footy.OutcomeUnverified, "", 92},
		"a restarted clock, frozen, with a board":    {[]footy.Reading{play(2, "45:00", "+4")}, goal(90, 3), footy.OutcomeUnverified, "", 90},
		"a restarted clock of extra time":            {[]footy.Reading{play(2, "07:10"), play(5, "07:13")}, goal(98, 0), footy.OutcomeUnverified, "", 97},
		"a restarted clock of its second half":       {[]footy.Reading{play(2, "07:10"), play(5, "07:13")}, goal(113, 0), footy.OutcomeUnverified, "", 112},
		"a restarted clock of both its halves":       {[]footy.Reading{play(2, "22:10"), play(5, "22:13")}, goal(113, 0), footy.OutcomeUnverified, "", 112},
		"a restarted clock that was half a goal's":   {[]footy.Reading{play(2, "21:10")}, goal(67, 0, at(22, 0)), footy.OutcomeUnverified, "", 66},
		"a running clock that could have restarted":  {[]footy.Reading{play(2, "21:10")}, goal(22, 0, at(67, 0)), footy.OutcomeUnverified, "", 21},
		"a restart that would be minutes off":        {[]footy.Reading{play(2, "21:10")}, goal(22, 0, at(70, 0)), footy.OutcomeVerified, "", 21},
		"a plain goal nearer than a restarted one":   {[]footy.Reading{play(2, "21:10")}, goal(70, 0, at(22, 0)), footy.OutcomeRejected, footy.ReasonSiblingGoal, 21},
		"a label of the second half for its goal":    {[]footy.Reading{play(2, "36:12", "", "", "2º")}, goal(82, 0, at(37, 0)), footy.OutcomeVerified, "", 81},
		"a label of the second half for the first":   {[]footy.Reading{play(2, "後半 36:12")}, goal(37, 0, at(82, 0)), footy.OutcomeRejected, footy.ReasonSiblingGoal, 81},
		"extra time whose hundred was not read":      {[]footy.Reading{play(2, "17:20")}, goal(118, 0, at(18, 0)), footy.OutcomeRejected, footy.ReasonSiblingGoal, 17},
		"a label says that it did not restart":       {[]footy.Reading{play(2, "05:25", "", "", "1H")}, goal(51, 0), footy.OutcomeRejected, footy.ReasonWrongMinute, 5},
		"a timer read as the clock, 45+":             {[]footy.Reading{play(2, "02:36"), play(5, "02:39")}, goal(45, 3), footy.OutcomeVerified, "", 47},
		"a timer read as the clock, 45+ and board":   {[]footy.Reading{play(2, "02:36", "+4")}, goal(45, 3), footy.OutcomeVerified, "", 47},
		"a timer read as the clock, 45+ and label":   {[]footy.Reading{play(2, "02:36", "", "", "1H")}, goal(45, 3), footy.OutcomeVerified, "", 47},
		"a timer of the other half by its label":     {[]footy.Reading{play(2, "02:36", "+4", "", "2H")}, goal(45, 3), footy.OutcomeRejected, footy.ReasonWrongMinute, 47},
		"a timer read as the clock, 90+ and label":   {[]footy.Reading{play(2, "02:36", "", "", "2H")}, goal(90, 3), footy.OutcomeVerified, "", 92},
		"a timer read as the clock, 105+":            {[]footy.Reading{play(2, "01:20")}, goal(105, 2), footy.OutcomeVerified, "", 106},
		"a timer read as the clock, 120+":            {[]footy.Reading{play(2, "01:20", "+2")}, goal(120, 2), footy.OutcomeVerified, "", 121},
		"a timer that may be of either stoppage":     {[]footy.Reading{play(2, "02:36")}, goal(45, 3, at(90, 3)), footy.OutcomeUnverified, "", 47},
		"a timer of another goal's stoppage":         {[]footy.Reading{play(2, "06:36")}, goal(45, 1, at(90, 7)), footy.OutcomeRejected, footy.ReasonSiblingGoal, 96},
		"a clock that could be a timer":              {[]footy.Reading{play(2, "02:36")}, goal(3, 0, at(45, 3)), footy.OutcomeUnverified, "", 2},
		"a nearer timer does not take a clock":       {[]footy.Reading{play(2, "02:36")}, goal(5, 0, at(45, 3)), footy.OutcomeUnverified, "", 2},
		"a timer beside the end of extra time":       {[]footy.Reading{play(2, "105:00", "", "03:05")}, goal(105, 4), footy.OutcomeVerified, "", 108},
		"a timer beside the end of the match":        {[]footy.Reading{play(2, "120:00", "", "01:40")}, goal(120, 2), footy.OutcomeVerified, "", 121},
		"a timer in the text of the clock":           {[]footy.Reading{play(2, "105:00 03:05")}, goal(105, 4), footy.OutcomeVerified, "", 108},
		"a timer in the place of the board":          {[]footy.Reading{play(2, "45:00", "+02:40")}, goal(45, 3), footy.OutcomeVerified, "", 47},
		"a board reading 8888":                       {[]footy.Reading{play(2, "8888"), play(5, "88:88")}, goal(89, 0), footy.OutcomeUnverified, "", -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := clock.Check(tc.frames, tc.q)
			require.Equal(t, tc.outcome, v.Outcome, v.Detail)
			require.Equal(t, tc.reason, v.Reason, v.Detail)
			if tc.minute < 0 {
				require.Nil(t, v.Minute)
			} else {
				require.NotNil(t, v.Minute, v.Detail)
				require.Equal(t, tc.minute, *v.Minute, v.Detail)
			}
			require.False(t, v.Compiled)
			require.NotEmpty(t, v.Detail)
			require.Equal(t, tc.reason == footy.ReasonSiblingGoal, v.Sibling != "")
		})
	}
}

func TestVotes(t *testing.T) {
	t.Parallel()
	crowd := footy.Reading{At: 5}
	screen := play(5, "67:42")
	screen.Screen = true
	ok := play(2, "67:42")
	for name, tc := range map[string]struct {
		frames    []footy.Reading
		want      footy.Reason
		outcome   footy.Outcome
		undecided bool
	}{
		"one cut-away":          {[]footy.Reading{ok, crowd, ok}, "", footy.OutcomeVerified, true},
		"mostly something else": {[]footy.Reading{ok, crowd, crowd}, footy.ReasonNotSoccer, footy.OutcomeRejected, true},
		"a tie refuses":         {[]footy.Reading{ok, crowd}, footy.ReasonNotSoccer, footy.OutcomeRejected, true},
		"nothing but crowd":     {[]footy.Reading{crowd, crowd, crowd}, footy.ReasonNotSoccer, footy.OutcomeRejected, false},
		"a phone film":          {[]footy.Reading{screen, screen, ok}, footy.ReasonScreen, footy.OutcomeRejected, true},
		"a phone film for all":  {[]footy.Reading{screen, screen}, footy.ReasonScreen, footy.OutcomeRejected, false},
		"one wrong alarm":       {[]footy.Reading{ok, ok, screen}, "", footy.OutcomeVerified, true},
		"all agree":             {[]footy.Reading{ok, ok, ok}, "", footy.OutcomeVerified, false},
		"no frames":             {nil, footy.ReasonUnreadable, footy.OutcomeRejected, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := clock.Check(tc.frames, goal(68, 0))
			require.Equal(t, tc.outcome, v.Outcome, v.Detail)
			require.Equal(t, tc.want, v.Reason)
			require.Equal(t, tc.undecided, clock.Undecided(tc.frames))
		})
	}
}

func TestAJumpOfMinutesProvesNothing(t *testing.T) {
	t.Parallel()
	for name, frames := range map[string][]footy.Reading{
		"two of three frames agree": {play(2, "20:10"), play(9, "66:58"), play(14, "67:03")},
		"four of five do":           {play(1, "66:10"), play(4, "66:13"), play(7, "66:16"), play(10, "31:40"), play(13, "66:22")},
		"from this goal to another": {play(2, "66:58"), play(5, "67:01"), play(8, "71:40")},
		"all within the tolerance":  {play(2, "64:10"), play(5, "64:13"), play(8, "69:40")},
		"back to an earlier one":    {play(2, "66:58"), play(8, "63:10")},
	} {
		v := clock.Check(frames, goal(67, 0))
		require.True(t, v.Compiled, name)
		require.Equal(t, footy.OutcomeUnverified, v.Outcome, "%s: it shows the goal, or was misread: %s", name, v.Detail)
		require.True(t, clock.Undecided(frames), name)
	}

	v := clock.Check([]footy.Reading{play(2, "20:10"), play(9, "66:58")}, goal(40, 0))
	require.True(t, v.Compiled)
	require.Equal(t, footy.OutcomeRejected, v.Outcome)
}

func TestACompilationOfOtherGoalsShowsNoneBetweenThem(t *testing.T) {
	t.Parallel()
	hatTrick := func(self int, others ...footy.Minute) footy.Verdict {
		return clock.Check([]footy.Reading{play(2, "84:26"), play(9, "53:49")}, goal(self, 0, others...))
	}
	v := hatTrick(52, at(54, 0), at(85, 0))
	require.Equal(t, footy.OutcomeRejected, v.Outcome, "two minutes from the goal of 54', in the film of 54' and 85'")
	require.Equal(t, footy.ReasonSiblingGoal, v.Reason)
	require.Equal(t, footy.OutcomeUnverified, hatTrick(54, at(52, 0), at(85, 0)).Outcome)
	require.Equal(t, footy.OutcomeUnverified, hatTrick(85, at(52, 0), at(54, 0)).Outcome)
}

func TestAMisreadFrameBetweenGoodOnesIsNoJump(t *testing.T) {
	t.Parallel()
	for name, misread := range map[string]string{"a wrong digit": "07:13", "another": "61:13", "a lost digit": "7:13"} {
		v := clock.Check([]footy.Reading{play(2, "67:10"), play(5, misread), play(8, "67:16")}, goal(68, 0))
		require.False(t, v.Compiled, "%s: %s", name, v.Detail)
		require.Equal(t, footy.OutcomeVerified, v.Outcome)
	}
	v := clock.Check([]footy.Reading{play(2, "105:10"), play(5, "05:13"), play(8, "105:16")}, goal(105, 1))
	require.False(t, v.Compiled, v.Detail)

	v = clock.Check([]footy.Reading{play(2, "67:10"), play(5, "12:44"), play(8, "67:16")}, goal(68, 0))
	require.True(t, v.Compiled, "no digit explains it, and two frames against one prove nothing")
	require.Equal(t, footy.OutcomeUnverified, v.Outcome)
}

func TestACutWithinAGoalIsNoJump(t *testing.T) {
	t.Parallel()
	cut := []footy.Reading{play(2, "67:10"), play(8, "68:20")}
	v := clock.Check(cut, goal(68, 0))
	require.False(t, v.Compiled, v.Detail)
	require.Equal(t, footy.OutcomeVerified, v.Outcome, "each frame shows its minute")

	v = clock.Check(cut, goal(65, 0))
	require.Equal(t, footy.OutcomeUnverified, v.Outcome, "the clock runs further than the video, and only one frame is within the tolerance: %s", v.Detail)
	v = clock.Check([]footy.Reading{play(2, "67:50"), play(14, "68:02")}, goal(65, 0))
	require.Equal(t, footy.OutcomeVerified, v.Outcome, "it runs with the video: %s", v.Detail)
}

func TestAClockThatRunsBackwardsProvesNothing(t *testing.T) {
	t.Parallel()
	for name, frames := range map[string][]footy.Reading{
		"a video played backwards":           {play(2, "66:12"), play(5, "66:09"), play(8, "66:06")},
		"by more than the video":             {play(1, "66:12"), play(5, "66:02"), play(9, "65:55")},
		"two frames":                         {play(2, "66:12"), play(8, "66:06")},
		"nobody says when the frames were":   {play(0, "66:12"), play(0, "66:02")},
		"as often backwards as forwards":     {play(2, "66:19"), play(5, "66:13"), play(8, "66:16")},
		"the second timer runs backwards":    {play(2, "45:00", "", "02:40"), play(8, "45:00", "", "02:30")},
		"a label does not make it run on":    {play(2, "21:12", "", "", "2H"), play(8, "21:06", "", "", "2H")},
		"a minute of one digit":              {play(2, "7:36"), play(5, "7:33")},
		"a board beside it does not, either": {play(2, "92:12", "+4"), play(8, "92:06", "+4")},
	} {
		goalOf := goal(67, 0)
		switch name {
		case "the second timer runs backwards":
			goalOf = goal(45, 3)
		case "a board beside it does not, either":
			goalOf = goal(90, 3)
		case "a minute of one digit":
			goalOf = goal(8, 0)
		}
		v := clock.Check(frames, goalOf)
		require.Equal(t, footy.OutcomeUnverified, v.Outcome, "%s: %s", name, v.Detail)
		require.Contains(t, v.Detail, "runs backwards", name)
		require.True(t, clock.Undecided(frames), "%s: more frames may tell", name)
	}
	for name, frames := range map[string][]footy.Reading{
		"one misread second among many": {play(2, "66:19"), play(5, "66:13"), play(8, "66:16"), play(11, "66:19"), play(14, "66:22")},
		"rough readings":                {play(2, "66:12"), play(2.5, "66:11"), play(3, "66:12")},
		"a clock of whole minutes":      {play(2, "66"), play(5, "66"), play(8, "66")},
		"a clock that stands":           {play(2, "66:12"), play(5, "66:12")},
		"in any order of the list":      {play(8, "66:18"), play(2, "66:12"), play(5, "66:15")},
	} {
		v := clock.Check(frames, goal(67, 0))
		require.Equal(t, footy.OutcomeVerified, v.Outcome, "%s: %s", name, v.Detail)
	}
	v := clock.Check([]footy.Reading{play(2, "12:19"), play(5, "12:12")}, goal(67, 0))
	require.Equal(t, footy.ReasonWrongMinute, v.Reason, "it proves nothing, and it shows another minute")
}

// TestARefusalForAnotherPeriodSaysSo: 45+3 and 48' are both 47 on the clock, so "not within 3 min" would be untrue.
func TestARefusalForAnotherPeriodSaysSo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		frame footy.Reading
		q     clock.Question
		says  string
	}{
		"first half, for the second":     {play(2, "45:00", "+3", "02:10"), goal(48, 0), "the clock is of the first half, 48' of the second half"},
		"by its label":                   {play(2, "47:10", "", "", "1H"), goal(48, 0), "the clock is of the first half, 48' of the second half"},
		"by its own text":                {play(2, "45+2"), goal(48, 0), "the clock is of the first half, 48' of the second half"},
		"second half, for the first":     {play(2, "47:10", "", "", "2H"), goal(45, 3), "the clock is of the second half, 45+3' of the first half"},
		"second half, for extra time":    {play(2, "90:00", "+4"), goal(92, 0), "the clock is of the second half, 92' of extra time"},
		"both halves of extra time":      {play(2, "106:10", "", "", "ET1"), goal(107, 0), "the clock is of the first half of extra time, 107' of the second half of extra time"},
		"another minute of another half": {play(2, "45+2"), goal(68, 0), "not within 3 min"},
		"another minute of this half":    {play(2, "60:00"), goal(68, 0), "not within 3 min"},
	} {
		v := clock.Check([]footy.Reading{c.frame}, c.q)
		require.Equal(t, footy.ReasonWrongMinute, v.Reason, "%s: %s", name, v.Detail)
		require.Contains(t, v.Detail, c.says, name)
	}
}

// TestNoDetailCallsACardAGoal: red cards and penalties are asked about as goals are.
func TestNoDetailCallsACardAGoal(t *testing.T) {
	t.Parallel()
	for name, v := range map[string]footy.Verdict{
		"nearer to another": clock.Check([]footy.Reading{play(2, "69:12")}, goal(67, 0, at(70, 0))),
		"as near":           clock.Check([]footy.Reading{play(2, "29:36")}, goal(30, 0, at(30, 0))),
		"several moments":   clock.Check([]footy.Reading{play(2, "20:10"), play(9, "66:58")}, goal(67, 0)),
		"with a cut":        clock.Check([]footy.Reading{play(2, "67:10"), play(8, "68:20")}, goal(65, 0)),
	} {
		require.NotEmpty(t, v.Detail, name)
		require.NotContains(t, v.Detail, "goal", name)
	}
}

func TestAMinuteOfNothingProvesNothing(t *testing.T) {
	t.Parallel()
	for _, m := range []footy.Minute{{}, {Extra: 2}, {Elapsed: -1}} {
		for _, text := range []string{"00:30", "02:36", "67:42"} {
			v := clock.Check([]footy.Reading{play(2, text)}, clock.Question{Minute: m, Tolerance: clock.Tolerance})
			require.Equal(t, footy.OutcomeUnverified, v.Outcome, "%v %s: %s", m, text, v.Detail)
			require.Contains(t, v.Detail, "no minute")
		}
	}
	v := clock.Check([]footy.Reading{play(2, "00:30")}, goal(67, 0, footy.Minute{}))
	require.Equal(t, footy.ReasonWrongMinute, v.Reason, "a goal without a minute takes no clip")
}

func TestSiblingOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	frames := []footy.Reading{play(2, "60:00")}
	a := goal(68, 0, at(60, 0), at(62, 0))
	b := a
	b.Siblings = []clock.Sibling{a.Siblings[1], a.Siblings[0]}
	require.Equal(t, clock.Check(frames, a), clock.Check(frames, b))
}

// TestABreakProvesNoMinute: the graphic of a break stands over replays of each goal of the half.
func TestABreakProvesNoMinute(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"HT", "FT", "Half-time", "FULL TIME", "Intervalo", "HT 45:00", "45:00 HT", "FT 90:00", "HT 45+2", "90:00 Full Time"} {
		for _, q := range []clock.Question{goal(45, 0), goal(45, 2), goal(43, 0), goal(12, 0), goal(90, 0), goal(90, 3)} {
			v := clock.Check([]footy.Reading{play(1, text), play(4, text)}, q)
			require.Equal(t, footy.OutcomeUnverified, v.Outcome, "%s for %v: %s", text, q.Minute, v.Detail)
			require.Equal(t, "football at a break ("+text+"), where replays of any goal are shown", v.Detail)
		}
	}
	beside := clock.Check([]footy.Reading{play(1, "45:00", "", "", "HT"), play(4, "45:00", "", "", "HT")}, goal(45, 2))
	require.Equal(t, footy.OutcomeUnverified, beside.Outcome, beside.Detail)
	cutTo := clock.Check([]footy.Reading{play(1, "40:10"), play(3, "40:12"), play(8, "HT")}, goal(41, 0))
	require.Equal(t, footy.OutcomeVerified, cutTo.Outcome, "a clock in the same clip counts: %s", cutTo.Detail)
}

// TestAClockThatStands at the end of a period stands for its stoppage time, never for the next period.
func TestAClockThatStands(t *testing.T) {
	t.Parallel()
	type rule struct {
		clock, added, timer string
		goal                footy.Minute
		want                footy.Outcome
	}
	for _, c := range []rule{
		{"45:00", "", "", at(45, 0), footy.OutcomeVerified},
		{"45:00", "", "", at(45, 4), footy.OutcomeVerified},
		{"45:00", "", "", at(46, 0), footy.OutcomeUnverified},
		{"45:00", "", "", at(48, 0), footy.OutcomeUnverified},
		{"45:00", "", "", at(30, 0), footy.OutcomeRejected},
		{"45:00", "+2", "", at(45, 2), footy.OutcomeVerified},
		{"45:00", "+2", "", at(45, 9), footy.OutcomeRejected},
		{"45:00", "+2", "", at(48, 0), footy.OutcomeRejected},
		{"90:00", "", "", at(90, 5), footy.OutcomeVerified},
		{"90:00", "", "", at(91, 0), footy.OutcomeUnverified},
		{"90:00", "", "01:10", at(90, 2), footy.OutcomeVerified},
		{"90:00", "", "01:10", at(90, 8), footy.OutcomeRejected},
	} {
		v := clock.Check([]footy.Reading{play(1, c.clock, c.added, c.timer), play(4, c.clock, c.added, c.timer)}, goal(c.goal.Elapsed, c.goal.Extra))
		require.Equal(t, c.want, v.Outcome, "%+v: %s", c, v.Detail)
	}
	once := clock.Check([]footy.Reading{play(1, "90:00")}, goal(90, 6))
	require.Equal(t, footy.OutcomeUnverified, once.Outcome, "one frame does not show that it stands: %s", once.Detail)
}

// TestTheCentreIsWhatRecordedClipsShow: a clock shows the minute before the one that the feed reports.
func TestTheCentreIsWhatRecordedClipsShow(t *testing.T) {
	t.Parallel()
	one, same := 0, 0
	for _, r := range cases(t, "timestamp_validate") {
		if want := r.Expected; want.Outcome == footy.OutcomeVerified && want.MatchedMinute != nil && *want.MatchedMinute%45 != 0 {
			switch sum := r.Input.API.Elapsed + r.Input.API.Extra; sum - *want.MatchedMinute {
			case 1:
				one++
			case 0:
				same++
			}
		}
	}
	require.Greater(t, one, 2*same, "one less than elapsed + extra, and as much")
	for _, c := range []struct {
		shown string
		goal  footy.Minute
		want  footy.Outcome
		said  string
	}{
		{"64:30", at(68, 0), footy.OutcomeVerified, "clock 64:30, reported at 68', when a clock shows 67"},
		{"70:59", at(68, 0), footy.OutcomeVerified, "clock 70:59, reported at 68', when a clock shows 67"},
		{"63:59", at(68, 0), footy.OutcomeRejected, "clock 63:59, reported at 68', when a clock shows 67: not within 3 min"},
		{"71:00", at(68, 0), footy.OutcomeRejected, "clock 71:00, reported at 68', when a clock shows 67: not within 3 min"},
		{"93:10", at(90, 4), footy.OutcomeVerified, "clock 93:10, reported at 90+4', when a clock shows 93"},
	} {
		v := clock.Check([]footy.Reading{play(1, c.shown)}, goal(c.goal.Elapsed, c.goal.Extra))
		require.Equal(t, c.want, v.Outcome, v.Detail)
		require.Equal(t, c.said, v.Detail)
	}
}
