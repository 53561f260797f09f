package names_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

func TestOnePlayerInTwoSpellings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"M. Salah", "Mohamed Salah", true},
		{"Mohamed Salah", "Mohamed Salah", true},
		{"K. Ødemark", "Kåre Odemark", true},
		{"Heung-Min Son", "Son Heung-min", true},
		{"Vinícius Júnior", "Vinicius Junior", true},
		{"Neymar Jr", "Neymar", true},
		{"J.-P. Mateta", "Jean-Philippe Mateta", true},
		{"L. Díaz", "Luis Fernando Díaz", true},
		{"Salah", "Mohamed Salah", true},
		{"Z. Adeyemi-Cole", "Zed Adeyemi-Cole", true},
		{"I. Williams", "Nico Williams", false},
		{"I. Williams", "N. Williams", false},
		{"Gabriel Jesus", "Gabriel Martinelli", false},
		{"Gabriel", "Gabriel Jesus", false},
		{"Rodri", "Rodrigo Hernández", false},
		{"Salah", "Saka", false},
		{"", "", false},
		{"", "Saka", false},
	} {
		require.Equal(t, c.same, names.SamePlayer(c.a, c.b), "%q %q", c.a, c.b)
		require.Equal(t, c.same, names.SamePlayer(c.b, c.a), "%q %q", c.b, c.a)
	}
}
