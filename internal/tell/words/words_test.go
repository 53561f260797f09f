package words_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/words"
)

func language(t *testing.T, tag string) *words.Language {
	for _, l := range words.All() {
		if l.Tag == tag {
			return l
		}
	}
	t.Fatal("no language", tag)
	return nil
}

func TestAReaderGetsTheLanguageThatWasAskedForElseChosenElseTheBrowsers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ query, cookie, header, want string }{
		{"", "", "", "en"}, {"", "", "de-AT,de;q=0.9,en;q=0.8", "de"}, {"", "", "pt-BR", "pt"}, {"", "", "fi,fr;q=0.4", "fr"}, {"", "", "ja", "en"},
		{"", "", "en-GB,de", "en"}, {"", "it", "de", "it"}, {"?lang=es", "it", "de", "es"}, {"?lang=xx", "it", "de", "de"}, {"", "xx", "de", "de"}, {"", "", ";;q=x", "en"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/"+c.query, nil)
		if c.cookie != "" {
			r.Header.Set("Cookie", "lang="+c.cookie)
		}
		r.Header.Set("Accept-Language", c.header)
		require.Equal(t, c.want, words.Of(r).Tag, "%+v", c)
	}
}

func TestHoursAreThoseOfTheReadersRegionOrAsChosen(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 7, 21, 5, 9, 0, time.UTC)
	for _, c := range []struct{ header, cookie, want string }{
		{"en-US,en;q=0.9", "", "9:05\u00a0PM 9:05:09\u00a0PM"}, {"en-GB,en", "", "21:05 21:05:09"}, {"en", "", "21:05 21:05:09"}, {"es-CO", "", "9:05\u00a0PM 9:05:09\u00a0PM"}, {"de-US", "", "21:05 21:05:09"},
		{"en-US", "24", "21:05 21:05:09"}, {"de", "12", "9:05\u00a0PM 9:05:09\u00a0PM"}, {";;q=x", "", "21:05 21:05:09"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Cookie", "clock="+c.cookie)
		r.Header.Set("Accept-Language", c.header)
		require.Equal(t, c.want, words.Of(r).Time(at, "15:04 15:04:05"), "%+v", c)
		require.NotEqual(t, words.Of(r).Key, map[bool]string{true: "en", false: "en12"}[strings.Contains(c.want, "PM")], "what is kept is kept apart")
	}
}

func TestNumbersChooseTheFormOfAWord(t *testing.T) {
	t.Parallel()
	de := language(t, "de")
	require.Equal(t, "1 Tor", de.T("%d goals", 1))
	require.Equal(t, "0 Tore", de.T("%d goals", 0))
	require.Equal(t, "1.200 Tore", de.T("%d goals", 1200))
	require.Equal(t, "0 but", language(t, "fr").T("%d goals", 0))
	require.Equal(t, "1 goal", words.English().T("%d goals", 1))
	require.Equal(t, "Not in the catalogue: 100%", de.T("Not in the catalogue: 100%"))
	require.Equal(t, "neither is A", de.T("neither is %s", "A"))
	require.Equal(t, `window.footyWords={"%d goals":{"one":"%d Tor","other":"%d Tore"},"Share":"Teilen"};`+"\n", string(de.Script([]string{"Share", "%d goals", "unknown"})))
}

func TestDatesAreWrittenAsTheLanguageDoes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 7, 21, 5, 0, 0, time.UTC)
	for tag, want := range map[string]string{"en": "Saturday 7 March", "es": "sábado, 7 de marzo", "pt": "sábado, 7 de março", "de": "Samstag, 7. März", "fr": "samedi 7 mars", "it": "sabato 7 marzo"} {
		require.Equal(t, want, language(t, tag).Time(at, "Monday 2 January"))
	}
	require.Equal(t, "Sa. 7. März", language(t, "de").Time(at, "Mon 2 Jan"))
	require.Equal(t, "2026-03-07 21:05", language(t, "de").Time(at, "2006-01-02 15:04"))
}

var verb = regexp.MustCompile(`%(?:\[\d\])?[ds]`)

func TestTranslationsTakeTheArgumentsOfTheirKey(t *testing.T) {
	t.Parallel()
	for _, l := range words.All() {
		for _, key := range l.Keys() {
			var args []any
			for _, v := range verb.FindAllString(key, -1) {
				if strings.HasSuffix(v, "d") {
					args = append(args, 7)
				} else {
					args = append(args, "X")
				}
			}
			if len(args) == 0 {
				require.NotContains(t, l.T(key), "%", "%s: %s", l.Tag, key)
				continue
			}
			require.NotContains(t, l.T(key, args...), "%!", "%s: %s", l.Tag, key)
			require.Equal(t, strings.Count(key, "%s"), strings.Count(l.T(key, args...), "X"), "%s: %s", l.Tag, key)
			for n := range 3 {
				if _, number := args[0].(int); number {
					args[0] = n
				}
				require.NotContains(t, l.T(key, args...), "%!", "%s: %s", l.Tag, key)
			}
		}
	}
}

func TestLanguagesHaveTheSameKeys(t *testing.T) {
	t.Parallel()
	keys := language(t, "de").Keys()
	for _, l := range words.All() {
		if l != words.English() {
			require.Equal(t, keys, l.Keys(), l.Tag)
		}
		for _, key := range words.English().Keys() {
			require.True(t, l.Has(key), "%s has no %q", l.Tag, key)
		}
	}
}
