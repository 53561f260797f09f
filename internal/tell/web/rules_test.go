package web_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web"
)

type somePartsDown struct{}

func (somePartsDown) Health(context.Context) health.Report {
	return health.Report{At: noon, Parts: []health.Part{{Name: health.Model, State: health.StateOK, Facts: map[string]any{"goals_an_hour": 60}},
		{Name: health.SecondFeed, State: health.StateOK}, {Name: health.Clips, State: health.StateOK},
		{Name: health.Feed, State: health.StateDown, Reason: "it does not answer", Remedy: "Wait."}}}
}

// TestPagesAnswerForTheRulesThatNoCommandAsks: docs/inspect.md says which page shows a rule's answer, and in which words.
func TestPagesAnswerForTheRulesThatNoCommandAsks(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "inspect.md"))
	require.NoError(t, err)
	s := newTestServer(t, func(o *web.Options) { o.Health = somePartsDown{} })
	s.demoDay([]byte(strings.Repeat("0123456789", 1000)), []byte("poster"))
	s.firstClip("5001-1", noon, map[string]float64{"told": 34})
	rows := regexp.MustCompile("page `(/[a-z]*)`: \\*([^*]+)\\*").FindAllStringSubmatch(string(doc), -1)
	require.Len(t, rows, 6)
	cookie := s.signIn()
	for _, row := range rows {
		require.Contains(t, text(t, s.get(row[1], "Cookie", cookie)), row[2])
	}
}
