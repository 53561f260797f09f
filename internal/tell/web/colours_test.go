package web_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOldBrowsersHaveTheDarkColours: a browser that does not know light-dark has each colour's second value.
func TestOldBrowsersHaveTheDarkColours(t *testing.T) {
	t.Parallel()
	css, err := os.ReadFile("pages/assets/app.css")
	require.NoError(t, err)
	now, old, found := strings.Cut(string(css), "@supports not (color: light-dark(#000, #fff)) {")
	require.True(t, found)
	both := regexp.MustCompile(`light-dark\(((?:[^(),]|\([^()]*\))+), ((?:[^()]|\([^()]*\))+)\)`)
	named := regexp.MustCompile(`(--[\w-]+): ([^;]*light-dark[^;]*);`).FindAllStringSubmatch(now, -1)
	require.NotEmpty(t, named)
	for _, m := range named {
		require.Contains(t, old, m[1]+": "+both.ReplaceAllString(m[2], "$2")+";")
	}
	require.NotContains(t, old, "light-dark", "colours stand in one place")
}
