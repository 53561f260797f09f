package main

// design is a broadcaster's score bug.
type design struct {
	name     string
	parts    []part
	uneven   bool // figures as wide as they are, so that the clock moves with each 1
	short    bool // 3:58, not 03:58
	restarts bool // the second half begins at 00:00
	names    bool // clubs' names, which turn into codes
}

// part is a text in a box of its own, right of the part before it. Measures are in heights of the clock's digits.
type part struct {
	text  string // what stands in braces is filled in; a part without text is left out
	tone  tone
	below bool    // and not right
	back  int     // of the part so many before the last one
	size  float64 // of the text; 0 is 1
	wide  float64 // at least
	high  float64 // 0: as high as the part it stands beside
	gap   float64
	align float64 // 0 left, 1 right
}

// tone is between what lights a clip chooses the box and the text.
type tone struct {
	name                string
	ground, ink, opaque [2]float64
	shadow              bool
}

var (
	dark  = tone{name: "dark", ground: [2]float64{5, 80}, ink: [2]float64{200, 255}, opaque: [2]float64{0.9, 1}}
	slate = tone{name: "slate", ground: [2]float64{60, 110}, ink: [2]float64{215, 255}, opaque: [2]float64{1, 1}}
	light = tone{name: "light", ground: [2]float64{195, 250}, ink: [2]float64{0, 60}, opaque: [2]float64{0.9, 1}}
	home  = tone{name: "home", ground: [2]float64{40, 140}, ink: [2]float64{225, 255}, opaque: [2]float64{1, 1}}
	away  = tone{name: "away", ground: [2]float64{150, 220}, ink: [2]float64{0, 40}, opaque: [2]float64{1, 1}}
	glass = tone{name: "glass", ground: [2]float64{0, 60}, ink: [2]float64{220, 255}, opaque: [2]float64{0.35, 0.6}}
	bare  = tone{name: "bare", ink: [2]float64{225, 255}, shadow: true}
)

const scoreLine = "{home} {h}-{a} {away}"

// designs are eleven kinds of score bugs that are on air.
func designs() []design {
	return []design{
		{name: "two-tone", parts: []part{
			{text: "{clock}", tone: dark}, {text: scoreLine, tone: light}, {text: "{added}", tone: home, back: 1, below: true, gap: 0.1},
		}},
		{name: "touching boxes", uneven: true, names: true, parts: []part{
			{text: "{home}", tone: home}, {text: "{h}", tone: dark, wide: 1.5, align: 0.5}, {text: "{a}", tone: light, wide: 1.5, align: 0.5},
			{text: "{away}", tone: away}, {text: "{clock}", tone: dark}, {text: "{added}", tone: light},
		}},
		{name: "both polarities", parts: []part{
			{text: "{home}", tone: light}, {text: "{h}-{a}", tone: dark}, {text: "{away}", tone: light},
			{text: "{clock}", tone: slate, back: 1, below: true, high: 1.7, align: 0.5}, {text: "{added}", tone: light, gap: 0.1},
		}},
		{name: "half-transparent", parts: []part{
			{text: scoreLine, tone: glass}, {text: "{clock}", tone: glass}, {text: "{added}", tone: home},
		}},
		{name: "no box", parts: []part{
			{text: "{clock}", tone: bare}, {text: "{home} {h} - {a} {away}", tone: bare}, {text: "{added}", tone: bare},
		}},
		{name: "stacked, clock below", parts: []part{
			{text: "{home}", tone: dark, wide: 4}, {text: "{h}", tone: light, wide: 1.7, align: 0.5},
			{text: "{away}", tone: dark, wide: 4, back: 1, below: true, gap: 0.08}, {text: "{a}", tone: light, wide: 1.7, align: 0.5},
			{text: "{clock}", tone: slate, back: 1, below: true, wide: 5.7, align: 0.5}, {text: "{added}", tone: home},
		}},
		{name: "stacked, clock beside", uneven: true, names: true, parts: []part{
			{text: "{clock}", tone: home, high: 3.6}, {text: "{home}", tone: dark, high: 1.8, wide: 4}, {text: "{h}", tone: dark, wide: 1.4},
			{text: "{away}", tone: light, back: 1, below: true, high: 1.8, wide: 4}, {text: "{a}", tone: light, wide: 1.4},
			{text: "{added}", tone: dark, back: 4, below: true},
		}},
		{name: "score above", parts: []part{
			{text: scoreLine, tone: dark, size: 1.15}, {text: "{clock}", tone: light, below: true, align: 0.5, wide: 5}, {text: "{added}", tone: away, gap: 0.15},
		}},
		{name: "label beside", restarts: true, parts: []part{
			{text: "{home}", tone: dark}, {text: "{h}  {a}", tone: light}, {text: "{away}", tone: dark},
			{text: "{label}", tone: slate, size: 0.85}, {text: "{clock}", tone: slate}, {text: "{added}", tone: away},
		}},
		{name: "label above", restarts: true, uneven: true, parts: []part{
			{text: "{label}", tone: dark, size: 0.7, wide: 4, align: 0.5}, {text: "{clock}", tone: dark, below: true, wide: 4, high: 1.5},
			{text: scoreLine, tone: light}, {text: "{added}", tone: home, gap: 0.1},
		}},
		{name: "long ground", short: true, parts: []part{
			{text: "{clock}", tone: dark, wide: 7, align: 1}, {text: scoreLine, tone: light}, {text: "{added}", tone: dark},
		}},
	}
}

// labels name a half of a match.
func labels() [][2]string {
	return [][2]string{{"1T", "2T"}, {"1º", "2º"}, {"1ª", "2ª"}, {"1st", "2nd"}, {"1H", "2H"}, {"前半", "後半"}}
}

// club is a club's code and name as graphics have them.
type club struct{ Code, Name string }

func clubs() []club {
	return []club{
		{"ARS", "ARSENAL"}, {"AVL", "ASTON VILLA"}, {"BHA", "BRIGHTON"}, {"BOU", "BOURNEMOUTH"}, {"BRE", "BRENTFORD"}, {"BUR", "BURNLEY"},
		{"CHE", "CHELSEA"}, {"CRY", "PALACE"}, {"EVE", "EVERTON"}, {"FUL", "FULHAM"}, {"LEE", "LEEDS"}, {"LIV", "LIVERPOOL"},
		{"MCI", "MAN CITY"}, {"MUN", "MAN UTD"}, {"NEW", "NEWCASTLE"}, {"NFO", "FOREST"}, {"SUN", "SUNDERLAND"}, {"TOT", "SPURS"},
		{"WHU", "WEST HAM"}, {"WOL", "WOLVES"}, {"RMA", "REAL MADRID"}, {"BAR", "BARCELONA"}, {"ATM", "ATLETICO"}, {"SEV", "SEVILLA"},
		{"VAL", "VALENCIA"}, {"JUV", "JUVENTUS"}, {"INT", "INTER"}, {"MIL", "MILAN"}, {"NAP", "NAPOLI"}, {"ROM", "ROMA"}, {"LAZ", "LAZIO"},
		{"FCB", "BAYERN"}, {"BVB", "DORTMUND"}, {"SGE", "FRANKFURT"}, {"PSG", "PARIS"}, {"OLM", "MARSEILLE"}, {"BEN", "BENFICA"},
		{"SLB", "BENFICA"}, {"POR", "PORTO"}, {"AJA", "AJAX"}, {"PSV", "PSV"}, {"FLA", "FLAMENGO"}, {"PAL", "PALMEIRAS"}, {"SAO", "SAO PAULO"},
		{"BOC", "BOCA"}, {"RIV", "RIVER"}, {"URA", "URAWA"}, {"KAW", "KAWASAKI"}, {"ENG", "ENGLAND"}, {"GER", "GERMANY"}, {"ESP", "SPAIN"},
		{"BRA", "BRASIL"}, {"ARG", "ARGENTINA"}, {"JPN", "JAPAN"},
	}
}
