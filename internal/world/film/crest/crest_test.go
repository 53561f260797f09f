package crest_test

import (
	"image/png"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/found-footy/found-footy/internal/world/film/crest"
	"github.com/stretchr/testify/require"
)

func TestEveryTeamHasItsCrest(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, path := range []string{"/football/teams/1.png", "/football/teams/2.png", "/football/teams/9.png", "/football/leagues/1.png"} {
		rec := httptest.NewRecorder()
		crest.Server().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, path, nil))
		require.Equal(t, http.StatusOK, rec.Code)
		require.Less(t, rec.Body.Len(), 8<<10)
		require.False(t, seen[rec.Body.String()], "no two are alike")
		seen[rec.Body.String()] = true
		pic, err := png.Decode(rec.Body)
		require.NoError(t, err)
		_, _, _, corner := pic.At(0, 63).RGBA()
		_, _, _, middle := pic.At(32, 32).RGBA()
		require.Zero(t, corner)
		require.NotZero(t, middle)
	}
	rec := httptest.NewRecorder()
	crest.Server().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/football/teams/x.png", nil))
	require.Equal(t, http.StatusNotFound, rec.Code)
}
