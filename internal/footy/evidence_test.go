package footy_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

// A newer release may write what this one does not know: it makes no row unreadable.
func TestOddEvidenceIsLeftOut(t *testing.T) {
	t.Parallel()
	read := func(data string) footy.Evidence {
		var r footy.Entry
		require.NoError(t, json.Unmarshal([]byte(`{"_id":"k","fixture_id":5000,"kind":"verdict","data":`+data+`}`), &r))
		require.Equal(t, footy.EntryVerdict, r.Kind)
		return r.Data
	}
	require.Equal(t, footy.Evidence{Votes: 2, Of: 3}, read(`{"votes":2,"of":3,"of_tomorrow":{"a":1}}`), "a key that nobody knows")
	require.Equal(t, footy.Evidence{Round: 2}, read(`{"round":2,"found":"three","posted_at":"yesterday","minute":"?","detail":{}}`), "values of odd types are left out")
	require.Zero(t, read(`"nothing"`))
	require.Zero(t, read(`null`))
}

func TestARowIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	home := 1
	want := footy.Entry{Key: "k", At: time.Date(2026, 8, 15, 15, 0, 0, 0, time.UTC), Kind: footy.EntryAbsence,
		Data: footy.Evidence{What: footy.KindGoal, Player: "Salah", Time: &footy.Minute{Elapsed: 45, Extra: 2}, Score: &footy.Score{Home: &home}, Absences: 1, Of: 3}}
	body, err := json.Marshal(want)
	require.NoError(t, err)
	var got footy.Entry
	require.NoError(t, json.Unmarshal(body, &got))
	require.Equal(t, want, got)
}

func TestAnOutcomeKeepsItsForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]footy.RoundOutcome{"ok": {Ended: true}, "": {}, "lost(no_query)": {Ended: true, Lost: footy.ReasonNoQuery}} {
		require.Equal(t, want, footy.ParseRoundOutcome(text))
		require.Equal(t, text, want.String())
	}
}

func TestEveryReasonIsInTheTable(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "reason.go", nil, 0)
	require.NoError(t, err)
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		if v, ok := node.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if id, ok := v.Type.(*ast.Ident); ok && id.Name == "Reason" {
				n++
			}
		}
		return true
	})
	require.Len(t, footy.Reasons(), n-1, "all but none")
}
