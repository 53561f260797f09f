package words_test

import (
	"net/http"
	"net/http/httptest"
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
