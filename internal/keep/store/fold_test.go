package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/store"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                          "",
		"Rasmus Højlund":            "rasmus hojlund",
		"ØDEGAARD":                  "odegaard",
		"Łukasz Đorđević":           "lukasz dordevic",
		"İlkay Gündoğan":            "ilkay gundogan",
		"Fenerbahçe Sığınak":        "fenerbahce siginak",
		"Gröẞe Straße":              "grosse strasse",
		"Æsir Œuvre Þór Guðjohnsen": "aesir oeuvre thor gudjohnsen",
		"N'Golo  Kanté-Junior":      "ngolo kante junior",
		"O’Neill":                   "oneill",
		"e\u0301 (decomposed)":      "e decomposed",
		"1. FC Köln":                "1 fc koln",
		"東京 Москва":                 "東京 москва",
		"⚽ %_ *":                    "",
	} {
		require.Equal(t, want, store.Fold(in), "%q", in)
	}
}
