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
		"Frauen-Bundesliga": names.Womens, "WAFCON": names.Womens, "UEFA Youth League": names.Young, "Campionato Primavera 1": names.Young, "Premier League 2": names.Young,
		"Copa São Paulo de Futebol Júnior": names.Young, "FIFA U-20 World Cup": names.Young + "20", "Torneo de Reserva": names.Young, "Liga II": "", "Premier League": "", "Serie B": "", "Serie A": "", "Copa del Rey": "", "Super League": "", "Ligue 1": "", "La Liga": "", "MLS": "",
	} {
		require.Equal(t, want, names.LeagueSide(league), league)
	}
}

func TestSide(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"Arsenal U-21": {names.Young + "21", "arsenal"}, "Arsenal W U21s": {names.Womens + names.Young + "21", "arsenal"}, "Jong Ajax": {names.Young, "ajax"}, "Barcelona B": {names.Young, "barcelona"},
		"Juventus Next Gen": {names.Young, "juventus"}, "Atlético Junior": {"", "atletico junior"}, "B. Dortmund": {"", "b dortmund"}, "W. Sydney": {"", "w sydney"}, "Yokohama F. Marinos": {"", "yokohama f marinos"},
		"Real Madrid F": {names.Womens, "real madrid"}, "Castilla": {"", "castilla"}, "Damac": {"", "damac"},
	} {
		side, bare := names.Side(names.Fold(name))
		require.Equal(t, want, [2]string{side, bare}, name)
	}
	require.True(t, names.SameSide(names.Young, names.Young+"19"))
	for _, other := range []string{"", names.Young + "21", names.Womens, names.Womens + names.Young + "19"} {
		require.False(t, names.SameSide(names.Young+"19", other), other)
	}
}
