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

// Rows as releases before evidence had types wrote them: each key reads as it did, and what is odd makes no row unreadable.
func TestRowsWrittenBeforeDecode(t *testing.T) {
	t.Parallel()
	read := func(data string) footy.Entry {
		var r footy.Entry
		require.NoError(t, json.Unmarshal([]byte(`{"_schema":3,"_id":"k","fixture_id":5000,"kind":"verdict","text":"Verified","data":`+data+`}`), &r))
		require.Equal(t, "Verified", r.Text)
		return r
	}
	minute := 67
	require.Equal(t, footy.Evidence{URL: "u", Download: "d", Outcome: "verified", Detail: "clock 67:42", Model: "m", Expected: 67, Minute: &minute,
		Readings: []footy.Reading{{At: 1.5, Soccer: true, Clock: "67:42"}}, PosterKey: "p"},
		read(`{"url":"u","download":"d","outcome":"verified","detail":"clock 67:42","model":"m","expected":67,"minute":67,"sibling":"","poster_key":"p",
			"readings":[{"at":1.5,"soccer":true,"screen":false,"clock":"67:42"}]}`).Data)
	require.Equal(t, footy.Evidence{PostText: "GOAL", DurationMS: 12000, PostedAt: time.Date(2026, 8, 15, 15, 0, 0, 0, time.UTC)},
		read(`{"text":"GOAL","duration_ms":12000,"posted_at":"2026-08-15T15:00:00Z","offered_by":""}`).Data)
	require.Equal(t, footy.Evidence{From: &footy.Person{Name: "Nunez"}, To: &footy.Person{ID: 7, Name: "Núñez"}, OldID: "a", NewID: "b"},
		read(`{"from":{"id":0,"name":"Nunez"},"to":{"id":7,"name":"Núñez"},"old_id":"a","new_id":"b"}`).Data)
	require.Equal(t, footy.Evidence{Into: "c", Match: &footy.Comparison{Same: true, Score: 0.8, Speed: 1, MatchedFrames: 29, Reason: "same footage for 7.2 s"}},
		read(`{"into":"c","match":{"Same":true,"Score":0.8,"Offset":0,"Mirrored":false,"Speed":1,"MatchedFrames":29,"From":0,"To":0,"Card":false,"Reason":"same footage for 7.2 s"}}`).Data)
	require.Equal(t, footy.Evidence{Votes: 2, Of: 3}, read(`{"votes":2,"of":3,"of_tomorrow":{"a":1}}`).Data, "a key that nobody knows")
	require.Equal(t, footy.Evidence{Round: 2}, read(`{"round":2,"found":"three","posted_at":"yesterday","minute":"?","detail":{}}`).Data, "values of odd types are left out")
	require.Zero(t, read(`"nothing"`).Data)
	require.Zero(t, read(`null`).Data)
}

// Names of Go were in rows and answers once.
func TestAComparisonHasNamesForPrograms(t *testing.T) {
	t.Parallel()
	want := footy.Comparison{Same: true, Score: 0.8, Offset: -1.5, Mirrored: true, Speed: 1.02, MatchedFrames: 29, From: 1, To: 8, Card: true, Seconds: 7, Share: 0.9,
		Mismatch: footy.MismatchEmpty, Reason: "?"}
	const now = `{"same":true,"score":0.8,"offset":-1.5,"mirrored":true,"speed":1.02,"matched_frames":29,"from":1,"to":8,"card":true,"seconds":7,"share":0.9,"mismatch":"empty","reason":"?"}`
	body, err := json.Marshal(want)
	require.NoError(t, err)
	require.JSONEq(t, now, string(body))
	for _, written := range []string{now, `{"Same":true,"Score":0.8,"Offset":-1.5,"Mirrored":true,"Speed":1.02,"MatchedFrames":29,"From":1,"To":8,"Card":true,"Seconds":7,"Share":0.9,"Mismatch":"empty","Reason":"?"}`} {
		var got footy.Comparison
		require.NoError(t, json.Unmarshal([]byte(written), &got))
		require.Equal(t, want, got, written)
	}
}

func TestARowIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	home := 1
	want := footy.Entry{Key: "k", At: time.Date(2026, 8, 15, 15, 0, 0, 0, time.UTC), Kind: footy.EntryAbsence,
		Data: footy.Evidence{What: footy.KindGoal, Player: "Salah", Time: &footy.Minute{Elapsed: 45, Extra: 2}, Score: &footy.Score{Home: &home}, Absences: 1, Of: 3}}
	body, err := json.Marshal(want)
	require.NoError(t, err)
	require.NotContains(t, string(body), `"text"`)
	var got footy.Entry
	require.NoError(t, json.Unmarshal(body, &got))
	require.Equal(t, want, got)
}

func TestAnOutcomeKeepsItsForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]footy.RoundOutcome{`{"_outcome":"ok"}`: {Ended: true}, `{}`: {},
		`{"_outcome":"lost(no_query)"}`: {Ended: true, Lost: footy.ReasonNoQuery}} {
		var got struct {
			Outcome footy.RoundOutcome `json:"_outcome,omitzero"`
		}
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		require.Equal(t, want, got.Outcome)
		body, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, text, string(body))
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
