package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// backendChecks: what the store logic relies on, asked of the adapter itself.
var backendChecks = []check{
	{name: "backend: insert and replace by revision", run: byRevision},
	{name: "backend: a delete without condition is refused", run: deleteNothing},
	{name: "backend: documents come back in every collection", run: everyCollection},
	{name: "backend: any JSON comes back", run: anyJSON},
	{name: "backend: lists within lists come back", run: nestedLists, nested: true},
	{name: "backend: filters combine", run: filters},
}

func doc(id string, rev int64, body string) store.Doc {
	return store.Doc{ID: id, Revision: rev, At: kickoff, Body: []byte(body)}
}

func byRevision(t *testing.T, b store.Backend) {
	const c = store.FixturesColl
	ctx := t.Context()
	requireCode(t, footy.CodeNotFound, b.Replace(ctx, c, doc("1", 2, `{}`), 1))
	require.NoError(t, b.Insert(ctx, c, doc("1", 1, `{"a":1}`)))
	requireCode(t, footy.CodeConflict, b.Insert(ctx, c, doc("1", 1, `{"a":2}`)))
	require.NoError(t, b.Replace(ctx, c, doc("1", 2, `{"a":3}`), 1))
	requireCode(t, footy.CodeConflict, b.Replace(ctx, c, doc("1", 2, `{"a":4}`), 1))
	d, err := b.Find(ctx, c, "1")
	require.NoError(t, err)
	require.EqualValues(t, 2, d.Revision)
	requireField(t, d, "a", float64(3))
	_, err = b.Find(ctx, store.FixturesLive, "1")
	requireCode(t, footy.CodeNotFound, err)
}

func deleteNothing(t *testing.T, b store.Backend) {
	require.NoError(t, b.Insert(t.Context(), store.EventLog, doc("1", 0, `{}`)))
	requireCode(t, footy.CodeInvalid, b.Delete(t.Context(), store.EventLog, store.Filter{}))
	_, err := b.Find(t.Context(), store.EventLog, "1")
	require.NoError(t, err)
}

func everyCollection(t *testing.T, b store.Backend) {
	for i, c := range store.Collections {
		d := store.Doc{ID: fmt.Sprint(5000 + i), At: kickoff.Add(time.Millisecond), Group: "7", Sub: "u", Body: []byte(`{"a":"b"}`)}
		require.NoError(t, b.Upsert(t.Context(), c, []store.Doc{d}))
		got, err := b.Select(t.Context(), c, store.Filter{Group: "7", Subs: []string{"u"}})
		require.NoError(t, err, c)
		require.Len(t, got, 1, c)
		require.Equal(t, d.ID, got[0].ID, c)
		require.True(t, d.At.Equal(got[0].At), c)
		require.Equal(t, "7u", got[0].Group+got[0].Sub)
		requireField(t, got[0], "a", "b")
	}
}

func anyJSON(t *testing.T, b store.Backend) {
	body := `{"int":9007199254740993,"neg":-9223372036854775808,"float":0.1,"exp":1.5e300,"tiny":5e-324,"zero":0,` +
		`"text":"Ł \u0000 ⚽ \"","t":true,"f":false,"null":null,"empty":{},"none":[],"list":[1,"2",3.5,null,{"x":{}}],` +
		`"a.b":{"$set":{"":"x"}},"%2E":"%","date":"2026-08-15T15:00:00.123456789Z"}`
	requireSame(t, b, body)
	err := b.Upsert(t.Context(), store.ServiceState, []store.Doc{doc("k", 0, `{"broken"`)})
	if err == nil { // an adapter need not read the body, but it must give back what it took
		got, err := b.Find(t.Context(), store.ServiceState, "k")
		require.NoError(t, err)
		require.Equal(t, `{"broken"`, string(got.Body))
	}
}

func nestedLists(t *testing.T, b store.Backend) {
	requireSame(t, b, `{"list":[[],[[1,"2"],[null]],[{"x":[[]]}]]}`)
}

func requireSame(t *testing.T, b store.Backend, body string) {
	t.Helper()
	d := doc("k", 0, body)
	require.NoError(t, b.Upsert(t.Context(), store.ServiceState, []store.Doc{d}))
	got, err := b.Find(t.Context(), store.ServiceState, "k")
	require.NoError(t, err)
	want := object(t, body)
	fields := object(t, string(got.Body))
	delete(fields, "_id")
	require.Equal(t, want, fields)
}

func filters(t *testing.T, b store.Backend) {
	const c = store.EventLog
	var docs []store.Doc
	for i := range 12 {
		docs = append(docs, store.Doc{
			ID: fmt.Sprintf("%02d", i), At: kickoff.Add(time.Duration(i/2) * time.Minute),
			Group: fmt.Sprint(i % 2), Sub: fmt.Sprint(i % 3), Body: []byte(`{}`),
		})
	}
	require.NoError(t, b.InsertNew(t.Context(), c, docs))
	at := func(minute int) time.Time { return kickoff.Add(time.Duration(minute) * time.Minute) }
	for want, f := range map[string]store.Filter{
		"[00 01 02 03 04 05 06 07 08 09 10 11]": {},
		"[00 06]":                               {Group: "0", Subs: []string{"0"}},
		"[02 03]":                               {From: at(1), To: at(2)},
		"[03 05 07]":                            {From: at(1), To: at(4), Group: "1"},
		"[00 01 02]":                            {Limit: 3},
		"[09 10 11]":                            {Limit: 3, Newest: true},
		"[07 09]":                               {Limit: 2, Newest: true, Group: "1", To: at(5)},
		"[05 11]":                               {IDs: []string{"11", "05", "77"}},
		"[11]":                                  {IDs: []string{"11", "05"}, From: at(3)},
		"[00 01 03 04 06 07 09 10]":             {Subs: []string{"0", "1", "9"}},
		"[]":                                    {Subs: []string{"9"}},
	} {
		got, err := b.Select(t.Context(), c, f)
		require.NoError(t, err)
		ids := []string{}
		for _, d := range got {
			ids = append(ids, d.ID)
		}
		require.Equal(t, want, fmt.Sprint(ids), "%+v", f)
	}
}

// object decodes with all digits.
func object(t *testing.T, body string) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(body))
	dec.UseNumber()
	var v map[string]any
	require.NoError(t, dec.Decode(&v))
	return numbers(v).(map[string]any)
}

// numbers makes equal numbers equal however they are written, without losing digits of whole ones.
func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64() // a JSON number is one
		return f
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	}
	return v
}

func requireField(t *testing.T, d store.Doc, name string, want any) {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal(d.Body, &v))
	require.Equal(t, want, v[name])
}
