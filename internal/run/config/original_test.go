package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
)

// six are the variables of the founding documents.
func six() map[string]string {
	return map[string]string{"API_FOOTBALL_KEY": "k", "MONGODB_URI": "mongodb://mongo:27017", "S3_ENDPOINT": "http://minio:9000", "TEMPORAL_ADDRESS": "temporal:7233",
		"TWITTER_SERVICE_URL": "http://twitter:8888", "LLAMA_URL": "http://llama:8080"}
}

func TestTheSixVariablesLackOnlyALoginOfTheObjectStore(t *testing.T) {
	t.Parallel()
	_, err := config.Parse(six())
	require.EqualError(t, err, `S3_ENDPOINT="http://minio:9000" needs S3_ACCESS_KEY and S3_SECRET_KEY: `+
		`set both to the store's login (of a MinIO that was given none, each is minioadmin), or unset S3_ENDPOINT to keep clips in a directory`)
	for name, c := range map[string]struct {
		change func(map[string]string)
		says   string // "": it starts
	}{
		"with the login":         {func(set map[string]string) { set["S3_ACCESS_KEY"], set["S3_SECRET_KEY"] = "minioadmin", "minioadmin" }, ""},
		"clips in a directory":   {func(set map[string]string) { delete(set, "S3_ENDPOINT") }, ""},
		"half a login":           {func(set map[string]string) { set["S3_ACCESS_KEY"] = "footy" }, `S3_ENDPOINT="http://minio:9000" needs S3_ACCESS_KEY and S3_SECRET_KEY: set both`},
		"the other half":         {func(set map[string]string) { set["S3_SECRET_KEY"] = "hunter2" }, `S3_ENDPOINT="http://minio:9000" needs S3_ACCESS_KEY and S3_SECRET_KEY: set both`},
		"the placeholder of one": {func(set map[string]string) { delete(set, "S3_ENDPOINT"); set["MONGODB_URI"] = "..." }, `is not a mongodb:// address`},
	} {
		set := six()
		c.change(set)
		got, err := config.Parse(set)
		if c.says != "" {
			require.ErrorContains(t, err, c.says, name)
			require.NotContains(t, err.Error(), "\n", name)
			continue
		}
		require.NoError(t, err, name)
		require.Empty(t, got.Warnings, name)
		require.Empty(t, got.Missing(false), name)
	}
}

func TestVariablesOfThePythonOriginalAreReadAsWhatTheyAreHere(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{"S3_ENDPOINT_URL": "http://minio:9000", "S3_BUCKET_NAME": "b", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "s", "TEMPORAL_HOST": "temporal:7233"})
	require.NoError(t, err)
	require.Equal(t, "temporal:7233", c.Engine.Address)
	require.Equal(t, "minio:9000", c.S3.Endpoint)
	require.False(t, c.S3.Secure)
	require.Equal(t, "b", c.S3.Bucket)
	require.Equal(t, []string{
		"S3_BUCKET_NAME is a setting of the Python original and is read as S3_BUCKET: write that",
		"S3_ENDPOINT_URL is a setting of the Python original and is read as S3_ENDPOINT: write that",
		"TEMPORAL_HOST is a setting of the Python original and is read as TEMPORAL_ADDRESS: write that",
	}, c.Warnings)

	c, err = config.Parse(map[string]string{"TEMPORAL_HOST": "old:7233", "TEMPORAL_ADDRESS": "new:7233"})
	require.NoError(t, err)
	require.Equal(t, "new:7233", c.Engine.Address)
	require.Equal(t, []string{"TEMPORAL_HOST is a setting of the Python original: here it is TEMPORAL_ADDRESS"}, c.Warnings)

	_, err = config.Parse(map[string]string{"TEMPORAL_HOST": "temporal"})
	require.EqualError(t, err, `TEMPORAL_HOST="temporal" is not host:port: write it like 127.0.0.1:7233, or unset it`)
}
