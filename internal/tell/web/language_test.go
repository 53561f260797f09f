package web_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPageComesInTheReadersLanguageAndIsKeptApartFromOthers(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	for range 2 { // built, then kept
		for header, want := range map[string]string{"": "en", "de-CH,de;q=0.9": "de", "it": "it"} {
			res := s.Get("/day/2026-11-14", "Accept-Language", header)
			require.Contains(t, text(t, res), `<html lang="`+want+`"`)
			require.Contains(t, res.Header.Get("Vary"), "Accept-Language")
		}
	}
	require.Contains(t, text(t, s.Get("/team/40", "Accept-Language", "de")), "Samstag, 14. November")
	require.Contains(t, text(t, s.Get("/g/"+salah, "Cookie", "lang=fr", "Accept-Language", "de")), `<html lang="fr"`)
	german, english := s.Get("/day/2026-11-14", "Accept-Language", "de"), s.Get("/day/2026-11-14")
	require.NotEqual(t, german.Header.Get("ETag"), english.Header.Get("ETag"))
}

func TestScriptsGetTheirWordsInThePagesLanguage(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	file := regexp.MustCompile(`/assets/\w+/words-de\.js`).FindString(text(t, s.Get("/", "Accept-Language", "de")))
	require.NotEmpty(t, file)
	require.Contains(t, text(t, s.Get(file)), "window.footyWords={")
}
