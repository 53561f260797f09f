package inspect_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/feed/apifootball"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/debounce"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
)

// liveDay spells n live matches with four goals and ten other events each, in answers of twenty.
func liveDay(n int) [][]byte {
	var out [][]byte
	for from := 0; from < n; from += 20 {
		var list []string
		for id := from; id < min(n, from+20); id++ {
			var events []string
			for g := range 4 {
				events = append(events, goalAt(10+20*g, 40+2*(g%2), 100+g, fmt.Sprintf("Player %c", 'A'+g)))
			}
			for e := range 10 {
				events = append(events, strings.Replace(strings.Replace(goalAt(5+e, 40, 200+e, "Carded"), `"Goal"`, `"Card"`, 1), "Normal Goal", "Yellow Card", 1))
			}
			body := response("2H", 2, 2, events...)
			body = body[strings.Index(body, `"response":[`)+12 : len(body)-2]
			list = append(list, strings.Replace(body, `"id":900`, fmt.Sprintf(`"id":%d`, 1000+id), 1))
		}
		out = append(out, []byte(`{"get":"fixtures","parameters":{},"errors":[],"response":[`+strings.Join(list, ",")+`]}`))
	}
	return out
}

// poll decodes all answers and decides all fixtures, as one monitor cycle does.
func poll(tb testing.TB, answers [][]byte, held map[int64]*footy.Fixture, n int, quick bool) (decided int) {
	o := debounce.Defaults()
	at := time.Date(2026, 3, 7, 16, 0, 0, 0, time.UTC).Add(time.Duration(n) * 30 * time.Second)
	for _, body := range answers {
		env, err := apifootball.Open(body, at)
		require.NoError(tb, err)
		snapshots, _ := apifootball.Read(env, at, true).All()
		for _, s := range snapshots {
			f := held[s.Match.ID]
			if f == nil {
				f = &footy.Fixture{ID: s.Match.ID, Stage: footy.StageActive}
				held[s.Match.ID] = f
			}
			if quick && !lifecycle.Changed(*f, s) && !debounce.NeedsDecision(*f, s, o) {
				continue
			}
			decided++
			lifecycle.Merge(f, s, fmt.Sprint(n), at)
			debounce.Decide(f, s, debounce.Poll{ID: fmt.Sprint(n), Now: at}, o)
		}
	}
	return decided
}

func BenchmarkPoll(b *testing.B) {
	for _, n := range []int{10, 1_000, 10_000} {
		answers := liveDay(n)
		size := 0
		for _, a := range answers {
			size += len(a)
		}
		for _, quick := range []bool{true, false} {
			name := map[bool]string{true: "nothing new", false: "decide all"}[quick]
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				held := map[int64]*footy.Fixture{}
				for i := range 3 {
					poll(b, answers, held, i, false)
				}
				b.ReportAllocs()
				b.SetBytes(int64(size))
				i := 3
				for b.Loop() {
					if decided := poll(b, answers, held, i, quick); quick && decided != 0 {
						b.Fatalf("%d fixtures decided though nothing changed", decided)
					}
					i++
				}
				perFixture(b, n)
			})
		}
	}
}

func BenchmarkDayList(b *testing.B) {
	for _, n := range []int{10, 1_000, 10_000} {
		body := bytes.Join(liveDay(n), nil)
		var list []json.RawMessage
		for _, a := range liveDay(n) {
			env, err := apifootball.Open(a, time.Time{})
			require.NoError(b, err)
			for _, one := range env.Response {
				list = append(list, json.RawMessage(one))
			}
		}
		body, err := json.Marshal(map[string]any{"errors": []int{}, "response": list, "size": len(body)})
		require.NoError(b, err)
		b.Run(fmt.Sprint(n), func(b *testing.B) { decodeDay(b, body, n) })
	}
	b.Run("recorded", func(b *testing.B) {
		body, err := os.ReadFile(shared(b, "samples/api-football/fixtures-bundes-ns-pst.json"))
		require.NoError(b, err)
		decodeDay(b, body, 71)
	})
}

func decodeDay(b *testing.B, body []byte, n int) {
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		env, err := apifootball.Open(body, time.Time{})
		if err != nil {
			b.Fatal(err)
		}
		if got, _ := apifootball.Read(env, time.Time{}, false).All(); len(got) != n {
			b.Fatalf("%d fixtures, want %d", len(got), n)
		}
	}
	perFixture(b, n)
}

func perFixture(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/fixture")
}
