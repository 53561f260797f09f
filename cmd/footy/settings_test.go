package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
)

var update = flag.Bool("update", false, "write docs/settings.md")

func TestDefaultsPassTheirOwnLimits(t *testing.T) {
	t.Parallel()
	vars := map[string]string{}
	for _, s := range config.Settings(groups()...) {
		if s.Default != "" && !strings.Contains(s.Default, " ") {
			vars[s.Name] = s.Default
		}
	}
	c, err := config.Parse(vars, groups()...)
	require.NoError(t, err)
	require.Empty(t, c.Warnings)
}

// TestSettingsAreFew: what no operator would set is a constant, or for tests.
func TestSettingsAreFew(t *testing.T) {
	t.Parallel()
	n := 0
	for _, s := range config.Settings(groups()...) {
		if !s.Test {
			n++
		}
	}
	require.LessOrEqual(t, n, 90)
}

func TestEverySettingIsDescribed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range config.Settings(groups()...) {
		require.NotEmpty(t, s.Name)
		require.NotEmpty(t, s.Doc, s.Name)
		require.NotEmpty(t, s.Like, s.Name)
		require.False(t, seen[s.Name], "%s appears twice", s.Name)
		seen[s.Name] = true
		if strings.HasSuffix(s.Name, "_KEY") || strings.HasSuffix(s.Name, "_TOKEN") || strings.HasSuffix(s.Name, "_URI") {
			require.NotEmpty(t, s.Secret, "%s must be masked", s.Name)
		}
	}
}

// settingsPage is the text of docs/settings.md.
func settingsPage() string {
	var b strings.Builder
	b.WriteString("# Settings\n\n<!-- Made by `make docs` from internal/run/config and the settings of extras: edit the tags there. -->\n\n" +
		"Every setting is an optional environment variable, here with its default. A file `footy.env` in the working directory (one\n" +
		"`NAME=value` per line) is read too; the environment wins. A bad value stops the program with one line that names the setting\n" +
		"and what to write. `footy doctor` shows what the settings lead to.\n")
	group, rare := "", []string{}
	for _, s := range config.Settings(groups()...) {
		if s.Test {
			rare = append(rare, "`"+s.Name+"`")
			continue
		}
		if s.Group != group {
			group = s.Group
			b.WriteString("\n## " + group + "\n\n")
		}
		def := "`"
		switch {
		case s.Described:
			def = "` (" + s.Default + ")"
		case s.Default != "":
			def = "=" + s.Default + "`"
		}
		b.WriteString("- `" + s.Name + def + ": " + s.Doc)
		if words := s.Words(); len(words) > 0 {
			b.WriteString(" One of: " + strings.Join(words, ", ") + ".")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## For demos, tests and fleets\n\nTheir tags in the code say what they do: " + strings.Join(rare, ", ") + ".\n")
	return b.String()
}

func TestSettingsPageIsUpToDate(t *testing.T) {
	t.Parallel()
	page := filepath.Join("..", "..", "docs", "settings.md")
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(settingsPage()), 0o644))
	}
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, settingsPage(), string(got), "run make docs")
}

// TestSettingsOfFormerReleasesAreTaken: its directory has, for each release, settings that it started with, as it said itself: the least, the
// most, the default, each word of a choice. A line is one set.
func TestSettingsOfFormerReleasesAreTaken(t *testing.T) {
	t.Parallel()
	for _, release := range []string{"1.0.0", "1.1.0"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "internal", "run", "config", "testdata", "valid", release+".txt"))
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			set := map[string]string{}
			for _, s := range strings.Split(strings.TrimSuffix(line, "\n"), "\t") {
				name, value, _ := strings.Cut(s, "=")
				set[name] = value
			}
			_, err := config.Parse(set, groups()...)
			require.NoError(t, err, "%s: %s", release, line)
		}
	}
}
