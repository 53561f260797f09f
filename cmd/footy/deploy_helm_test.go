package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
)

// TestTheChartSetsWhatExists: each setting of the chart is one, and each that is secret can only be named, never written. What the chart
// makes is checked by devstack/helmcheck.
func TestTheChartSetsWhatExists(t *testing.T) {
	t.Parallel()
	var values struct {
		Settings map[string]string
		Secrets  map[string]struct{ Name, Key string }
	}
	readYAML(t, "helm/found-footy/values.yaml", &values)
	var schema struct {
		Properties struct {
			Settings struct {
				Required      []string
				PropertyNames struct {
					Not struct{ Enum []string }
				}
			}
		}
	}
	b, err := os.ReadFile(filepath.Join(deploy, "helm", "found-footy", "values.schema.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &schema))
	var secret []string
	for _, s := range config.Settings(groups()...) {
		if s.Secret != "" {
			secret = append(secret, s.Name)
		}
	}
	require.ElementsMatch(t, secret, schema.Properties.Settings.PropertyNames.Not.Enum)
	require.Subset(t, secret, slices.Collect(maps.Keys(values.Secrets)))
	require.Subset(t, settingNames(), slices.Collect(maps.Keys(values.Settings)))
	require.Subset(t, slices.Collect(maps.Keys(values.Settings)), schema.Properties.Settings.Required)
	vars := map[string]string{"S3_ACCESS_KEY": "footy", "S3_SECRET_KEY": "sixteen-letters-or-more"}
	maps.Copy(vars, values.Settings)
	_, err = config.Parse(vars, groups()...)
	require.NoError(t, err)
}
