package web_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/words"
)

// pushFolder is that of the extra whose pages fans read. Its words stand in the one catalogue.
const pushFolder = "../../extra/push"

func pushIsHere() bool {
	_, err := os.Stat(pushFolder)
	return err == nil
}

// reelsFolder is that of the extra that links to its films from pages of fans.
const reelsFolder = "../../extra/reels"

// fanFiles are the templates and scripts of pages for fans, by path: those of operators define "english".
func fanFiles(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"pages/frame/*.html", "pages/templates/*.html", "pages/assets/*.js", pushFolder + "/templates/*.html", pushFolder + "/assets/*.js"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.True(t, len(files) > 0 || strings.HasPrefix(pattern, pushFolder) && !pushIsHere(), pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			if !strings.Contains(string(text), `{{define "english"}}`) && filepath.Base(file) != "setup.js" {
				out[file] = string(text)
			}
		}
	}
	return out
}

var (
	action    = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	operators = regexp.MustCompile(`(?s)\{\{/\* english \*/\}\}.*?\{\{/\* end \*/\}\}`)
	forThem   = regexp.MustCompile(`^\{\{/\* english \*/\}\}\s*(\{\{define|\{\{if [^}]*(\.Admin|eq lang "en"))`)
	keyInHTML = regexp.MustCompile(`(?:\{\{-?\s*|\(|\s|\|\s*)t "([^"]+)"`)
	layout    = regexp.MustCompile(`\bin [^"{}]*"([^"]*(?:Mon|Jan)[^"]*)"`)
	keyInJS   = regexp.MustCompile(`\bt\("([^"]+)"`)
	keyInLink = regexp.MustCompile(`At: frame\.\w+, Label: "([^"]+)"(?:, Title: "([^"]+)")?`)
	keyInGo   = regexp.MustCompile(`(?:\.T|\bt)\("([^"]+)"`)
	comment   = regexp.MustCompile(`(?m)(^|\s)//.*$|/\*.*?\*/`)
	sentence  = regexp.MustCompile(`"([A-Z][a-z]+[^"\\]* [^"\\]*)"`)
	inAction  = regexp.MustCompile(`"([A-Z]?[a-z]+ [a-z][^"]*)"`)
	letters   = regexp.MustCompile(`\pL{2}`)
)

// sameEverywhere need no translation.
var sameEverywhere = []string{"Found Footy", "RSS", "API", "UTC", "Shift", "Home", "End", "Enter", "Space", "Esc", "Health", "Kodi, Jellyfin, VLC", "ICS", "9:12 PM"}

// TestWhatFansReadIsInTheCatalogue finds sentences in templates and scripts for fans that are not in the catalogue.
func TestWhatFansReadIsInTheCatalogue(t *testing.T) {
	t.Parallel()
	for file, text := range fanFiles(t) {
		if strings.HasSuffix(file, ".js") {
			for _, m := range sentence.FindAllStringSubmatchIndex(comment.ReplaceAllString(text, ""), -1) {
				plain := comment.ReplaceAllString(text, "")
				if before := plain[:m[0]]; !strings.HasSuffix(before, "t(") && !strings.HasSuffix(before, "warn(") {
					t.Errorf("%s: %q is not in the catalogue; write t(...)", file, plain[m[2]:m[3]])
				}
			}
			continue
		}
		for _, block := range operators.FindAllString(text, -1) {
			require.Regexp(t, forThem, block, "%s: English is for operators and for readers of English", file)
		}
		text = operators.ReplaceAllString(text, "")
		for _, a := range action.FindAllString(text, -1) {
			bare := keyInHTML.ReplaceAllString(layout.ReplaceAllString(a, ""), "")
			for _, m := range inAction.FindAllStringSubmatch(bare, -1) {
				t.Errorf("%s: %q in %s is not in the catalogue", file, m[1], a)
			}
			if strings.Contains(a, "plural ") {
				t.Errorf("%s: %s is English; write {{t %q ...}}", file, a, "%d goals")
			}
		}
		for _, s := range shownText(action.ReplaceAllString(text, "")) {
			t.Errorf("%s: %q is not in the catalogue; write {{t %q}}", file, s, s)
		}
	}
}

// TestStylesSayNothing: a text in a style sheet is in no catalogue.
func TestStylesSayNothing(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("pages/assets/*.css")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotRegexp(t, `content: "[^"]*\pL`, string(text), file)
	}
}

// shownText is what of an HTML text people read.
func shownText(text string) (out []string) {
	add := func(s string) {
		for _, word := range sameEverywhere {
			s = strings.ReplaceAll(s, word, "")
		}
		if s = strings.Join(strings.Fields(s), " "); letters.MatchString(s) && !strings.HasPrefix(s, "data-") { // attributes of a template
			out = append(out, s)
		}
	}
	z, skip := html.NewTokenizer(strings.NewReader(text)), 0
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return out
		case html.TextToken:
			if skip == 0 {
				add(string(z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			token := z.Token()
			if slices.Contains([]string{"script", "style", "code", "kbd", "noscript"}, token.Data) {
				skip += map[html.TokenType]int{html.StartTagToken: 1, html.EndTagToken: -1}[kind]
			}
			for _, a := range token.Attr {
				if slices.Contains([]string{"title", "aria-label", "placeholder", "alt"}, a.Key) {
					add(a.Val)
				}
			}
		}
	}
}

// TestEachKeyHasItsTranslationsAndNoneIsLeftOver holds the catalogue to what templates, scripts and code ask for.
func TestEachKeyHasItsTranslationsAndNoneIsLeftOver(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	note := func(form *regexp.Regexp, text string) {
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			used[m[1]] = true
		}
	}
	for file, text := range fanFiles(t) {
		if strings.HasSuffix(file, ".js") {
			note(keyInJS, text)
			continue
		}
		for _, a := range action.FindAllString(text, -1) {
			note(keyInHTML, a)
			note(layout, a)
		}
	}
	code := ""
	roots := []string{"."}
	allHere := pushIsHere()
	if allHere {
		roots = append(roots, pushFolder)
	}
	if _, err := os.Stat(reelsFolder); err == nil {
		roots = append(roots, reelsFolder)
	} else {
		allHere = false
	}
	for _, root := range roots {
		require.NoError(t, filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				note(keyInGo, string(text))
				for _, m := range keyInLink.FindAllStringSubmatch(string(text), -1) {
					used[m[1]], used[cmp.Or(m[2], m[1])] = true, true
				}
				code += string(text)
			}
			return err
		}))
	}
	for key := range used {
		for _, l := range words.All()[1:] {
			if !l.Has(key) {
				t.Errorf("%s.json has no %q", l.Tag, key)
			}
		}
	}
	// What data says is a key, too.
	for _, s := range footy.Statuses() {
		used[s.Short] = true
	}
	for _, k := range footy.Kinds() {
		used[k.One] = true
	}
	for _, key := range words.All()[1].Keys() {
		if allHere && !used[key] && !isDate(key) && !strings.Contains(code, `"`+key+`"`) && !saidByExplain(t, key) {
			t.Errorf("nothing uses %q", key)
		}
	}
	for _, s := range footy.Statuses() {
		require.True(t, s.Short == "" || words.All()[1].Has(s.Short), s.Short)
	}
	for _, k := range footy.Kinds() {
		require.True(t, words.All()[1].Has(k.One), k.One)
	}
}

func isDate(key string) bool {
	return regexp.MustCompile(`^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*( \d+)?$|January( 2006)?$`).MatchString(key)
}

// TestAGoalsPageIsInTheReadersLanguageAlone folds out everything: of a goal with a clip, without one, with one on its way, and of its match.
func TestAGoalsPageIsInTheReadersLanguageAlone(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	for _, l := range words.All()[1:] {
		for path, want := range map[string]string{"/g/" + salah: l.T("The running clock reads %s minutes; it was reported at %s.", "11", "12'"),
			"/g/5001_50_701_Goal_1": l.T("Portrait or square"), "/g/5003_49_700_Goal_1": l.T("Looking for the clip"), "/match/5001": l.T("Share")} {
			body := text(t, s.Get(path, "Accept-Language", l.Tag))
			require.Contains(t, html.UnescapeString(body), want, "%s in %s", path, l.Name)
			require.NotContains(t, body, `lang="en"`, "%s in %s", path, l.Name)
		}
	}
}

// TestEachReasonThatEndsAPostIsTranslated: a page lists why posts were refused. Those that a post only waits for, and those of searches, stand in the
// report of operators alone.
func TestEachReasonThatEndsAPostIsTranslated(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../explain/reason.go")
	require.NoError(t, err)
	reported := strings.Fields("GoalRemoved NotCertain ScoreNeeds Anomaly WindowOver TriesUsed NoQuery Hidden RedditPublic RedditFeed Kept")
	found := 0
	for _, m := range regexp.MustCompile(`(?s)footy\.Reason(\w+): +(\{.*?\}),\n`).FindAllStringSubmatch(string(raw), -1) {
		if slices.Contains(reported, m[1]) || strings.Contains(m[2], "awaited:") && !strings.Contains(m[2], "waits:") {
			continue
		}
		found++
		key := explain.UpperFirst(regexp.MustCompile(`end: +"([^"]+)"`).FindStringSubmatch(m[2])[1])
		for _, l := range words.All()[1:] {
			require.True(t, l.Has(key), "%s.json has no %q", l.Tag, key)
		}
	}
	require.Greater(t, found, 20)
}

// saidByExplain reports whether a sentence that pages show as it comes is one of package explain's.
func saidByExplain(t *testing.T, key string) bool {
	t.Helper()
	files, err := filepath.Glob("../explain/*.go")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(string(text), `"`+key+`"`) || strings.Contains(string(text), `"`+strings.ToLower(key[:1])+key[1:]+`"`) {
			return true
		}
	}
	return false
}
