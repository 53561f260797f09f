package names_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

func TestFoldReachesLettersThatDoNotDecompose(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Højlund": "hojlund", "Łukasz Fabiański": "lukasz fabianski", "Đorđe": "dorde", "Großkreutz": "grosskreutz",
		"Yıldız": "yildiz", "Ægir": "aegir", "Þórsson": "thorsson", "O'Brien": "obrien", "O’Neill": "oneill", "F.C. Köln": "fc koln",
		"Son Heung-min": "son heung min", "Спартак": "spartak", "": "", "...": "",
	} {
		require.Equal(t, want, names.Fold(in), in)
	}
}

func TestPlayerTokens(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"D. Szoboszlai":        {"szoboszlai"},
		"S. McTominay":         {"mctominay"},
		"Kevin De Bruyne":      {"kevin", "bruyne"},
		"Virgil van Dijk":      {"virgil", "dijk"},
		"Vinícius Júnior":      {"vinicius"},
		"Neymar Jr":            {"neymar"},
		"Luis Díaz Sr.":        {"luis", "diaz"},
		"A. Mac Allister":      {"allister"},
		"S. MacDonald":         {"macdonald"},
		"B. FitzGerald":        {"fitzgerald"},
		"M. ter Stegen":        {"stegen"},
		"Xavi Simons":          {"xavi", "simons"},
		"R. Højlund":           {"hojlund"},
		"J. Ko":                {"ko"},
		"Li":                   {"li"},
		"JohnSmith":            {"john", "smith"},
		"Van Den":              {"van", "den"}, // nothing else to go by
		"Son Heung-min":        {"son", "heung", "min"},
		"Rodrygo Silva Júnior": {"rodrygo", "silva"},
	} {
		require.Equal(t, want, names.PlayerTokens(in), in)
	}
}

// TestLeagueSide: a competition of women may be called without saying so, or by nothing but its mark.
func TestLeagueSide(t *testing.T) {
	t.Parallel()
	for league, want := range map[string]string{
		"NWSL": names.Womens, "UWCL": names.Womens, "FA WSL": names.Womens, "English Women's Super League": names.Womens, "Liga F": names.Womens, "Liga F Moeve": names.Womens,
		"Arkema Première Ligue": names.Womens, "Damallsvenskan": names.Womens, "Kvindeligaen": names.Womens, "Copa de la Reina": names.Womens, "WE League": names.Womens,
		"Frauen-Bundesliga": names.Womens, "Premier League": "", "Serie B": "", "Serie A": "", "Copa del Rey": "", "Super League": "", "Ligue 1": "", "La Liga": "", "MLS": "",
	} {
		require.Equal(t, want, names.LeagueSide(league), league)
	}
}
