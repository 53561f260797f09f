package web_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPagesOfTeamsAndCompetitions(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	liverpool, arsenal := team(40, "Liverpool"), team(42, "Arsenal <b>")
	for i := range 70 { // more than a page, before the clock of the test
		f := match(int64(100+i), liverpool, arsenal, noon.AddDate(0, 0, -1-i), "FT", 90, 1, 0)
		goal(&f, "home", "Somebody", 10, 1, 0)
		s.Add(f)
	}
	s.Add(match(300, arsenal, liverpool, noon.AddDate(0, 0, 3), "NS", 0, 0, 0))
	s.Add(match(301, team(1, "Other"), team(2, "Others"), noon.AddDate(0, 0, -1), "FT", 90, 1, 0))
	ids := func(page string) (out []string) {
		for _, m := range regexp.MustCompile(`id="f-(\d+)"`).FindAllStringSubmatch(page, -1) {
			out = append(out, m[1])
		}
		return out
	}
	first := text(t, s.Get("/team/40"))
	got := ids(first)
	require.Len(t, got, 51)
	require.Equal(t, []string{"300", "100", "101"}, got[:3], "the next one, then the latest")
	require.Contains(t, first, "/feed/team/40.xml")
	next := regexp.MustCompile(`/team/40\?cursor=[^"]+`).FindString(first)
	rest := text(t, s.Get(next))
	require.Equal(t, "150", ids(rest)[0])
	require.Len(t, ids(rest), 20)
	require.NotContains(t, rest, "?cursor=")
	require.Contains(t, text(t, s.Get("/team/42")), "<h1><bdi>Arsenal &lt;b&gt;</bdi>", "the name of the one that was asked for")
	require.Contains(t, ids(text(t, s.Get("/league/39"))), "301")
	require.NotContains(t, got, "301")
	for _, path := range []string{"/team/999", "/league/40", "/team/x", "/team/-1", "/league/0"} {
		require.Equal(t, http.StatusNotFound, s.Get(path).StatusCode, path)
	}
	require.Equal(t, http.StatusBadRequest, s.Get("/team/40?cursor=x").StatusCode)
}
