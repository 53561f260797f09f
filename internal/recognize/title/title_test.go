package title_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
	"github.com/found-footy/found-footy/tools/devtest"
)

// posted is a title that was posted, with what it says. They lie outside the repository, for they are not ours.
type posted struct {
	ID, Title, Grammar string
	Ambiguous          bool
	Expected           struct {
		Kind               title.Kind
		Home, Away, Scorer string
		HomeScore          int        `json:"home_score"`
		AwayScore          int        `json:"away_score"`
		ScoringSide        footy.Side `json:"scoring_side"`
		Minute, Extra      int
		OwnGoal            bool `json:"own_goal"`
		Penalty            bool
	}
}

func labelled(t *testing.T) (out []posted) {
	t.Helper()
	for _, path := range devtest.Recorded(t, "cases/reddit_titles.json") {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var doc struct{ Cases []posted }
		require.NoError(t, json.Unmarshal(data, &doc))
		require.NotEmpty(t, doc.Cases)
		out = append(out, doc.Cases...)
	}
	return out
}

func TestTitlesThatPeoplePosted(t *testing.T) {
	t.Parallel()
	for _, c := range labelled(t) {
		if c.Ambiguous {
			continue
		}
		got := title.Parse(c.Title)
		e := c.Expected
		if c.Grammar == "loose" { // no place of its own for each thing: only what it is about is promised
			require.Equal(t, e.Kind, got.Kind, "%s %s: %s", c.ID, c.Title, got.Because)
			continue
		}
		want := got
		want.Text, want.Kind, want.Home, want.Away, want.Score = c.Title, e.Kind, e.Home, e.Away, title.Score{Home: e.HomeScore, Away: e.AwayScore}
		want.ScoringSide, want.Scorer, want.Minute, want.Extra, want.OwnGoal, want.Penalty = e.ScoringSide, e.Scorer, e.Minute, e.Extra, e.OwnGoal, e.Penalty
		if got != want {
			t.Errorf("%s\n got %+v\nwant %+v", c.ID, got, want)
		}
	}
}

// goal is what a title should say, in the order people write it.
type goal struct {
	home, away           string
	homeScore, awayScore int
	side                 footy.Side
	scorer               string
	minute, extra        int
	how                  string // own goal, penalty
}

func TestGoals(t *testing.T) {
	t.Parallel()
	const h, a = footy.SideHome, footy.SideAway
	for text, want := range map[string]goal{
		"Everton [1] - 0 Wolves - Beto 12'":                                           {"Everton", "Wolves", 1, 0, h, "Beto", 12, 0, ""},
		"Napoli 1-[2] Lazio - Zaccagni 90+3'":                                         {"Napoli", "Lazio", 1, 2, a, "Zaccagni", 90, 3, ""},
		"Napoli 1 – [2] Lazio — Zaccagni 90’+3’":                                      {"Napoli", "Lazio", 1, 2, a, "Zaccagni", 90, 3, ""},
		"Napoli 1 − (2) Lazio | M. Zaccagni 90 (+3)′":                                 {"Napoli", "Lazio", 1, 2, a, "M. Zaccagni", 90, 3, ""},
		"Napoli [3 - 2 Lazio: Lukaku 90+'":                                            {"Napoli", "Lazio", 3, 2, h, "Lukaku", 90, 0, ""},
		"Flamengo 2 x [1] Palmeiras - Flaco López 67th minute":                        {"Flamengo", "Palmeiras", 2, 1, a, "Flaco López", 67, 0, ""},
		"Wrexham 2 - 1 Barrow - Ollie Palmer 61'":                                     {"Wrexham", "Barrow", 2, 1, "", "Ollie Palmer", 61, 0, ""},
		"Wrexham 2-0 Barrow - Ollie Palmer 61'":                                       {"Wrexham", "Barrow", 2, 0, h, "Ollie Palmer", 61, 0, ""},
		"Celtic [2]-[2] Rangers - Maeda 70'":                                          {"Celtic", "Rangers", 2, 2, "", "Maeda", 70, 0, ""},
		"Milan [1] - 0 Roma - Leão":                                                   {"Milan", "Roma", 1, 0, h, "Leão", 0, 0, ""},
		"Ajax [2]-1 PSV":                                                              {"Ajax", "PSV", 2, 1, h, "", 0, 0, ""},
		"Ajax [2]-1 PSV 19'":                                                          {"Ajax", "PSV", 2, 1, h, "", 19, 0, ""},
		"Ajax [1] - 0 PSV - What a goal by Kenneth Taylor 19'":                        {"Ajax", "PSV", 1, 0, h, "Kenneth Taylor", 19, 0, ""},
		"GREAT GOAL: Ajax [1] - 0 PSV - Kenneth Taylor 19'":                           {"Ajax", "PSV", 1, 0, h, "Kenneth Taylor", 19, 0, ""},
		"Ajax [1] - 0 PSV - Kenneth Taylor unreal long-range goal 19' (what a goal!)": {"Ajax", "PSV", 1, 0, h, "Kenneth Taylor", 19, 0, ""},
		"Ajax [1] - 0 PSV - Kenneth Taylor's great strike 19'":                        {"Ajax", "PSV", 1, 0, h, "Kenneth Taylor", 19, 0, ""},
		"Ajax [1] - 0 PSV - Taylor scores from a corner 19'":                          {"Ajax", "PSV", 1, 0, h, "Taylor", 19, 0, ""},
		"Ajax [1] - 0 PSV - “Kenneth Taylor” 19’ (assist by Brobbey)":                 {"Ajax", "PSV", 1, 0, h, "Kenneth Taylor", 19, 0, ""},
		"Everton [1]-0 Wolves - Iliman Ndiaye (P) 45+2'":                              {"Everton", "Wolves", 1, 0, h, "Iliman Ndiaye", 45, 2, "penalty"},
		"Everton [1]-0 Wolves - Iliman Ndiaye pen 45' + 2'":                           {"Everton", "Wolves", 1, 0, h, "Iliman Ndiaye", 45, 2, "penalty"},
		"Everton [1]-0 Wolves - Iliman Ndiaye (45+2', pen.)":                          {"Everton", "Wolves", 1, 0, h, "Iliman Ndiaye", 45, 2, "penalty"},
		"Everton [1]-0 Wolves - Iliman Ndiaye retaken penalty 9'":                     {"Everton", "Wolves", 1, 0, h, "Iliman Ndiaye", 9, 0, "penalty"},
		"Everton [1]-0 Wolves - Ndiaye 9' (rebound after penalty save)":               {"Everton", "Wolves", 1, 0, h, "Ndiaye", 9, 0, ""},
		"Wolves 0-[1] Everton - Toti (OG) 5'":                                         {"Wolves", "Everton", 0, 1, a, "Toti", 5, 0, "own goal"},
		"Wolves 0-[1] Everton - Own goal by Toti Gomes 5'":                            {"Wolves", "Everton", 0, 1, a, "Toti Gomes", 5, 0, "own goal"},
		"Wolves 0-[1] Everton - Own Goal (Toti Gomes) 5'":                             {"Wolves", "Everton", 0, 1, a, "Toti Gomes", 5, 0, "own goal"},
		"Wolves 0-[1] Everton - Toti o.g. 5":                                          {"Wolves", "Everton", 0, 1, a, "Toti", 5, 0, "own goal"},
		"Inter [3]-1 Bayern [5-4 agg.] - Lautaro Martínez 71'":                        {"Inter", "Bayern", 3, 1, h, "Lautaro Martínez", 71, 0, ""},
		"Inter [3] (5) - 1 (4) Bayern - Lautaro Martínez 71'":                         {"Inter", "Bayern", 3, 1, h, "Lautaro Martínez", 71, 0, ""},
		"Inter [3]-1 Bayern, 5-4 on aggregate - Martínez 71'":                         {"Inter", "Bayern", 3, 1, h, "Martínez", 71, 0, ""},
		"Inter [3]-1 Bayern - Martínez 71' (agg. 5–4)":                                {"Inter", "Bayern", 3, 1, h, "Martínez", 71, 0, ""},
		"Arsenal Women [2] - 0 Chelsea Women - Alessia Russo 34'":                     {"Arsenal Women", "Chelsea Women", 2, 0, h, "Alessia Russo", 34, 0, ""},
		"Lyon (W) 0 - [1] Paris FC (W) - Clara Mateo 34'":                             {"Lyon (W)", "Paris FC (W)", 0, 1, a, "Clara Mateo", 34, 0, ""},
		"Spain U-17 2 - [2] Japan U17 - Minato Yoshida 90+1'":                         {"Spain U-17", "Japan U17", 2, 2, a, "Minato Yoshida", 90, 1, ""},
		"Paris Saint-Germain [1] - 0 Saint-Étienne - N'Golo Kanté 3'":                 {"Paris Saint-Germain", "Saint-Étienne", 1, 0, h, "N'Golo Kanté", 3, 0, ""},
		"Côte d’Ivoire [1] - 0 Nigeria - Pierre-Emerick O’Neil 38'":                   {"Côte d’Ivoire", "Nigeria", 1, 0, h, "Pierre-Emerick O’Neil", 38, 0, ""},
		"1. FC Union Berlin [1] - 0 1. FC Heidenheim - R. Gosens 20'":                 {"1. FC Union Berlin", "1. FC Heidenheim", 1, 0, h, "R. Gosens", 20, 0, ""},
		"TSV 1860 München [2]-0 Hannover 96 - Morris Schröter 49'":                    {"TSV 1860 München", "Hannover 96", 2, 0, h, "Morris Schröter", 49, 0, ""},
		"Brighton &amp; Hove Albion 1-[1] Bodø/Glimt - J. Berg 8'":                    {"Brighton & Hove Albion", "Bodø/Glimt", 1, 1, a, "J. Berg", 8, 0, ""},
		"Зенит [1] - 0 Спартак - Малком 12'":                                          {"Зенит", "Спартак", 1, 0, h, "Малком", 12, 0, ""},
		"⚽ Oviedo [1] - 0 Eibar ⚽ Cazorla 12' 🔥":                                      {"Oviedo", "Eibar", 1, 0, h, "Cazorla", 12, 0, ""},
		"Oviedo\u200b [1]\u00a0-\u00a00 Eibar - Santi\u00a0Cazorla 12\u200e'":         {"Oviedo", "Eibar", 1, 0, h, "Santi Cazorla", 12, 0, ""},
		"Ｏｖｉｅｄｏ ［２］－１ Eibar - Cazorla １２'":                                            {"Ｏｖｉｅｄｏ", "Eibar", 2, 1, h, "Cazorla", 12, 0, ""},
		"[Copa del Rey] Oviedo [1] - 0 Eibar - Cazorla 12' | Round of 16":             {"Oviedo", "Eibar", 1, 0, h, "Cazorla", 12, 0, ""},
		"La Liga: Oviedo vs Eibar [1]-0 - Cazorla 12'":                                {"Oviedo", "Eibar", 1, 0, h, "Cazorla", 12, 0, ""},
		"Oviedo - Eibar 1-[1] - Cazorla 12'":                                          {"Oviedo", "Eibar", 1, 1, a, "Cazorla", 12, 0, ""},
		"Oviedo 2 - Eibar [1] - Cazorla 12'":                                          {"Oviedo", "Eibar", 2, 1, a, "Cazorla", 12, 0, ""},
		"[Oviedo] 2 - 1 Eibar - Cazorla 12'":                                          {"Oviedo", "Eibar", 2, 1, h, "Cazorla", 12, 0, ""},
		"Santi Cazorla great goal (Oviedo 1-[2] Eibar) 12'":                           {"Oviedo", "Eibar", 1, 2, a, "Santi Cazorla", 12, 0, ""},
		"Santi Cazorla 12': Oviedo [2] - 1 Eibar":                                     {"Oviedo", "Eibar", 2, 1, h, "Santi Cazorla", 12, 0, ""},
		"Oviedo [2] - 1 Eibar S. Cazorla 12'":                                         {"Oviedo", "Eibar", 2, 1, h, "S. Cazorla", 12, 0, ""},
		"Oviedo [2] - 1 Eibar (Cazorla 12')":                                          {"Oviedo", "Eibar", 2, 1, h, "Cazorla", 12, 0, ""},
		"Oviedo [2] - 1 Eibar - Cazorla 90+6' + Bravo red card":                       {"Oviedo", "Eibar", 2, 1, h, "Cazorla", 90, 6, ""},
		"Oviedo [2] - 1 Eibar - Cazorla 90+6' (confirmed by VAR)":                     {"Oviedo", "Eibar", 2, 1, h, "Cazorla", 90, 6, ""},
		"Oviedo [2] - 1 Eibar - Cazorla goal just before half-time 45+1'":             {"Oviedo", "Eibar", 2, 1, h, "Cazorla", 45, 1, ""},
		"Oviedo [2] - 1 Eibar - Cazorla diving header 45+1'":                          {"Oviedo", "Eibar", 2, 1, h, "Cazorla", 45, 1, ""},
		`Oviedo [2] - 1 Eibar - Javier "Pichi" Hernández 7'`:                          {"Oviedo", "Eibar", 2, 1, h, `Javier "Pichi" Hernández`, 7, 0, ""},
		"oviedo u-19[3]-[0]eibar u-19 - santi cazorla 90'+3'":                         {"oviedo u-19", "eibar u-19", 3, 0, h, "santi cazorla", 90, 3, ""},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			p := title.Parse(text)
			require.Equal(t, title.KindGoal, p.Kind, p.Because)
			how := ""
			if p.OwnGoal {
				how = "own goal"
			} else if p.Penalty {
				how = "penalty"
			}
			require.Equal(t, want, goal{p.Home, p.Away, p.Score.Home, p.Score.Away, p.ScoringSide, p.Scorer, p.Minute, p.Extra, how})
		})
	}
}

func TestWhatIsNoGoal(t *testing.T) {
	t.Parallel()
	for text, because := range map[string]string{
		"Ajax [1] - 0 PSV - Kenneth Taylor goal disallowed after VAR 19'": "did not count",
		"Ajax 1-0 PSV - goal ruled out for offside 19'":                   "did not count",
		"Ajax [1] - 0 PSV - Taylor 19' (offside goal)":                    "did not count",
		"Ajax 1-0 PSV - VAR check for possible penalty 66'":               "video referee",
		"VAR: Ajax 1-0 PSV - handball check 78'":                          "video referee",
		"Ajax 1-0 PSV - Kenneth Taylor missed penalty 66'":                "no goal: missed",
		"Ajax 2-1 PSV - Taylor (missed penalty) 66'":                      "no goal: missed",
		"Ajax 1-0 PSV - Kenneth Taylor penalty saved by Benítez 66'":      "no goal: saved",
		"Ajax 1-0 PSV - Walter Benítez great save 66'":                    "no goal: save",
		"Ajax 1-0 PSV - Penalty for PSV 66'":                              "no goal: penalty for",
		"Ajax 1-0 PSV - Joey Veerman red card 66'":                        "no goal: red card",
		"Ajax 1-0 PSV - Joey Veerman second yellow 66'":                   "no goal: second yellow",
		"Ajax 1-0 PSV - Brobbey hits the crossbar 66'":                    "no goal: hits the crossbar",
		"Brobbey hits the post vs PSV 66'":                                "no score",
		"HT: Ajax 1-0 PSV":                                                "more than one goal",
		"Half-time: Ajax [1]-0 PSV":                                       "more than one goal",
		"Ajax 2-1 PSV - FT":                                               "more than one goal",
		"Full Time | Ajax 2 - [2] PSV":                                    "more than one goal",
		"Post-Match Thread: Ajax 2-1 PSV":                                 "more than one goal",
		"Confirmed line-ups: Ajax vs PSV":                                 "more than one goal",
		"Ajax [5]-4 PSV - Taylor wins the shoot-out 120'":                 "more than one goal",
		"Ajax 2-1 PSV": "neither the minute nor the brackets",
		"Ajax 2-1 PSV: Taylor strikes late as Amsterdam go top": "neither the minute nor the brackets",
		"Ajax 2-1 PSV - Farioli: \"We deserved it\"":            "neither the minute nor the brackets",
		"Ajax 2-1 PSV - Eredivisie, matchday 12":                "neither the minute nor the brackets",
		"Ajax 2-1 PSV, Utrecht 3-0 Twente":                      "headline",
		"Ajax 0-0 PSV - Taylor 19'":                             "nobody has scored",
		"Ajax have a 7-2-1 record in 2026/27":                   "no score",
		"Ajax sign Kenneth Taylor until 30-6-2031":              "no score",
		"Kick-off at 20:45, Ajax in a 4-3-3":                    "no score",
		"[The Athletic] 4-0 - a night to forget":                "neither the minute",
		"":                                                      "no score",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			p := title.Parse(text)
			require.Equal(t, title.KindOther, p.Kind, "%+v", p)
			require.Contains(t, p.Because, because)
			require.Equal(t, title.Title{Text: text, Kind: title.KindOther, Because: p.Because}, p, "of what is no goal nothing is told")
		})
	}
}

func TestHowATitleIsWrittenDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(rt, name) }
		dash := pick("dash", "-", " - ", " – ", "—", " − ", " : ")
		open := pick("bracket", "[]", "()", "［］", "{}", "【】")
		marks := []rune(open)
		after := pick("separator", " - ", " – ", " — ", " | ", ": ", ", ", " -")
		mark := pick("minute", "'", "’", "′", "´", "`", " '", " min", "th minute")
		tail := pick("tail", "", " (great goal)", " [FA Cup]", " - What a goal!", " 🔥", " (agg. 4-3)")
		text := "Leyton Orient 1" + dash + string(marks[0]) + "2" + string(marks[1]) + " Stoke-on-Trent" + after + "Jean-Luc D’Arby 67" + mark + tail
		p := title.Parse(text)
		want := title.Title{Text: text, Kind: title.KindGoal, Home: "Leyton Orient", Away: "Stoke-on-Trent", Score: title.Score{Home: 1, Away: 2},
			ScoringSide: footy.SideAway, Scorer: "Jean-Luc D’Arby", Minute: 67}
		require.Equal(rt, want, p)
	})
}

func TestAnythingCanBeATitle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		part := rapid.SampledFrom([]string{"Home", "Away", " ", "[", "]", "(", ")", "1", "2", "0", "-", " - ", "–", ":", "|", "90", "+", "3", "'", "OG", "pen", "vs", "agg", "🔥", "é", "\u200e", "great goal", "by", "St.", ",", "!", "\x00", "大"})
		text := strings.Join(rapid.SliceOfN(part, 0, 25).Draw(rt, "parts"), "")
		p := title.Parse(text)
		require.Equal(rt, p, title.Parse(text))
		require.Equal(rt, p.Kind == title.KindOther, p.Because != "")
		if p.Goal() {
			require.NotZero(rt, p.Score)
			require.NotEmpty(rt, p.Home+p.Away)
		}
	})
}

// TestTheZerothMinuteIsNone: its added time was read as the minute.
func TestTheZerothMinuteIsNone(t *testing.T) {
	t.Parallel()
	require.Zero(t, title.Parse("Arsenal [1] - 0 Chelsea - Saka 0+2'").Minute)
	require.Equal(t, 45, title.Parse("Arsenal [1] - 0 Chelsea - Saka 45+2'").Minute)
}
