package web_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/web"
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

func TestSharedPagesHaveACardWithAPicture(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.BaseURL, o.Hosts = "https://footy.example", []string{"127.0.0.1"} })
	s.DemoDay([]byte("video"), []byte("poster"))
	for path, title := range map[string]string{"/day/2026-11-14": "", "/watch": "Watch", "/team/40": "Liverpool", "/match/5001": "Liverpool v Manchester City", "/league/140": "La Liga"} {
		body := text(t, s.Get(path))
		require.Contains(t, body, `<meta property="og:url" content="https://footy.example`+path+`">`)
		picture := regexp.MustCompile(`<meta property="og:image" content="https://footy.example([^"]+)"`).FindStringSubmatch(body)
		require.NotNil(t, picture, path)
		require.Equal(t, http.StatusOK, s.Get(picture[1]).StatusCode)
		require.Contains(t, body, `<meta property="og:title" content="`+title)
	}
	require.NotContains(t, text(t, s.Get("/day/2026-11-20")), "og:image")
	require.NotContains(t, text(t, seeded(t).Get("/watch")), "og:title", "an address that is not public is not shared")
}
