package inspect_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

func saved(t *testing.T, body string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "saved.json")
	require.NoError(t, os.WriteFile(file, []byte(body), 0o600))
	return file
}

func TestTimelineExplainsASavedAnswer(t *testing.T) {
	t.Parallel()
	a, err := inspect.Timeline(saved(t, `{"data":[{"id":"1900000000000000001","text":"Goal","author_id":"7","attachments":{"media_keys":["1"]}}],
		"includes":{"users":[{"id":"7","username":"fan"}],"media":[{"media_key":"1","type":"video","width":1280,"height":720}]},"meta":{"result_count":1}}`))
	require.NoError(t, err)
	require.Equal(t, source.StateResults, a.State)
	require.Len(t, a.Candidates, 1)
	require.Nil(t, a.Candidates[0].DurationMS)
	require.Equal(t, "fan", a.Candidates[0].Author)

	a, err = inspect.Timeline(saved(t, `{"errors":[{"code":88,"message":"Rate limit exceeded."}],"data":{}}`))
	require.NoError(t, err)
	require.Equal(t, source.StateRateLimited, a.State)
	require.Contains(t, a.Remark, "# 0 posts, 0 promoted posts left out; Rate limit exceeded.")
}

func TestSavedQuotesNameThePostOfTheVideo(t *testing.T) {
	t.Parallel()
	a, err := inspect.Timeline(saved(t, `{"data":[{"id":"1900000000000000001","text":"look","author_id":"7","referenced_tweets":[{"type":"quoted","id":"1800000000000000001"}]}],
		"includes":{"users":[{"id":"8","username":"club"}],"tweets":[{"id":"1800000000000000001","author_id":"8","attachments":{"media_keys":["1"]}}],"media":[{"media_key":"1","type":"video"}]},
		"meta":{"result_count":1}}`))
	require.NoError(t, err)
	require.Len(t, a.Candidates, 1)
	require.Equal(t, "1800000000000000001", a.Candidates[0].ID)
	require.True(t, a.Candidates[0].Quoted)
	require.Equal(t, "club 2024-06-10", a.Candidates[0].Author+a.Candidates[0].PostedAt.Format(" 2006-01-02"))
}

func TestJunkNamesFileAndOffset(t *testing.T) {
	t.Parallel()
	file := saved(t, `{"data": nonsense}`)
	_, err := inspect.Timeline(file)
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	require.ErrorContains(t, err, file)
	require.ErrorContains(t, err, "offset 10")
	_, err = inspect.Timeline(filepath.Join(t.TempDir(), "missing.json"))
	require.Equal(t, footy.CodeNotFound, footy.CodeOf(err))
}

// The JSON is an agreed shape: no field more, none less.
func TestSavedAnswersHaveTheAgreedShape(t *testing.T) {
	t.Parallel()
	fields := func(v any) (out []string) {
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		var m map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(raw, &m))
		return slices.Sorted(maps.Keys(m))
	}
	for _, path := range devtest.Recorded(t, "samples/x/search_timeline_2026.json") {
		a, err := inspect.Timeline(path)
		require.NoError(t, err)
		require.Equal(t, []string{"candidates", "state"}, fields(a))
		require.Len(t, a.Candidates, 4, "five videos, one of them twice")
		require.Equal(t, []string{"author", "duration_ms", "files", "height", "id", "posted_at", "quoted", "text", "url", "width"}, fields(a.Candidates[0]))
	}
}
