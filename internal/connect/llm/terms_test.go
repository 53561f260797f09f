package llm_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/footy"
)

// TestWhatASwapRefusesIsNotGivenUp: while a router exchanges its model it refuses some questions. However many they are, the next swap and the
// question after it are asked everything.
func TestWhatASwapRefusesIsNotGivenUp(t *testing.T) {
	t.Parallel()
	for _, refusal := range []http.HandlerFunc{fails(400, ""), fails(400, `{"error":"no slot could take it"}`), fails(400, "{}"), fails(500, ""), fails(502, ""), fails(503, ""), drops} {
		for n := 1; n < 10; n++ {
			swap := []http.HandlerFunc{}
			for range n {
				swap = append(swap, refusal)
			}
			s := setup(t, append(append(append(swap, content(good)), content(good)), append(swap, content(good))...)...)
			c := client(s.url)
			for len(s.asked()) < 2*n+3 { // where one question does not outlast the swap, the next one does
				_, _ = ask(t, c)
			}
			_, err := ask(t, c)
			require.NoError(t, err)
			require.Equal(t, s.asked()[0], s.asked()[len(s.asked())-1], "%d refusals", n)
		}
	}
}

// knows is a server that takes no question with one of these words, and says why.
func knows(t *testing.T, objection string, not ...string) *server {
	t.Helper()
	return manners(t, func(asked map[string]any) http.HandlerFunc {
		for _, word := range not {
			if strings.Contains(fmt.Sprint(asked), word) {
				return fails(400, objection)
			}
		}
		return content(good)
	})
}

// TestOnlyWhatAServerCannotTakeIsLeftOut, although its objection names nothing: the rest is still asked for.
func TestOnlyWhatAServerCannotTakeIsLeftOut(t *testing.T) {
	t.Parallel()
	fields := []string{"chat_template_kwargs", "reasoning_effort", "response_format"}
	for _, not := range [][]string{fields[:1], fields[1:2], fields[2:], fields[:2], fields, {"json_schema:"}} {
		s := knows(t, "bad request", not...)
		c := client(s.url)
		for range 3 {
			_, err := ask(t, c)
			require.NoError(t, err)
		}
		n := len(s.asked())
		_, err := ask(t, c)
		require.NoError(t, err)
		require.Len(t, s.asked(), n+1, "what helped twice is remembered")
		last := fmt.Sprint(s.asked()[n])
		for _, f := range fields {
			require.Equal(t, strings.Contains(strings.Join(not, " "), f), !strings.Contains(last, f), "%v: %s", not, f)
		}
	}
}

// TestAFieldComesBack once another server, or the same one anew, may take it.
func TestAFieldComesBack(t *testing.T) {
	t.Parallel()
	full := func(t *testing.T, s *server) {
		t.Helper()
		require.Contains(t, s.asked()[len(s.asked())-1], "response_format")
	}
	named := fails(400, `{"error":{"message":"Invalid value","param":"response_format","code":"x"}}`)
	t.Run("after a restart", func(t *testing.T) {
		t.Parallel()
		for _, down := range []http.HandlerFunc{drops, fails(503, loading), fails(502, "")} {
			s := setup(t, named, named, content(good), content(good), down, content(good))
			c := client(s.url)
			for range 2 {
				_, err := ask(t, c)
				require.NoError(t, err)
				require.NotContains(t, s.asked()[len(s.asked())-1], "response_format")
			}
			_, err := ask(t, c) // of the old terms
			require.NoError(t, err)
			_, err = ask(t, c)
			require.NoError(t, err)
			full(t, s)
		}
	})
	t.Run("after a while", func(t *testing.T) {
		t.Parallel()
		s := setup(t, named, named, content(good))
		c := client(s.url, func(o *llm.Options) { o.Trial = time.Nanosecond })
		for range 2 {
			_, err := ask(t, c)
			require.NoError(t, err)
		}
		full(t, s)
	})
	t.Run("and not where it still objects, which costs one question", func(t *testing.T) {
		t.Parallel()
		s := knows(t, "response_format is not supported", "response_format")
		c := client(s.url, func(o *llm.Options) { o.Trial = time.Nanosecond })
		_, err := ask(t, c)
		require.NoError(t, err)
		first := len(s.asked())
		for range 3 {
			_, err := ask(t, c)
			require.NoError(t, err)
			require.NotContains(t, s.asked()[len(s.asked())-1], "response_format")
		}
		require.Len(t, s.asked(), first+3*2)
	})
}

// TestWhichModel: one that is listed alone is used where the settings name none; else the error says what is listed and what to set. A named
// model is never exchanged for another: what it says proves clips.
func TestWhichModel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set    string
		listed []string
		used   string
		says   string
	}{
		"one":                         {"", []string{"eyes"}, "eyes", ""},
		"one that answers":            {"default", []string{"text-embedding-nomic", "eyes", "bge-reranker", "bge-m3", "Systran/faster-whisper-large", "all-minilm:l6-v2", "intfloat/e5-large", "kokoro"}, "eyes", ""},
		"several, none named":         {"", []string{"a", "b"}, "", "says: model 'default' not found. It lists several models: set LLAMA_MODEL to one of a, b"},
		"another named, one listed":   {"ayes", []string{"eyes"}, "", "LLAMA_MODEL is ayes, which it does not list: set it to eyes"},
		"another named, two listed":   {"ayes", []string{"eyes", "b"}, "", "which it does not list: set it to eyes, b"},
		"none listed":                 {"", nil, "", "says: model 'default' not found"},
		"listed, and refused as such": {"eyes", []string{"eyes"}, "eyes", ""},
	} {
		for _, status := range []int{200, 400, 404} {
			t.Run(fmt.Sprint(name, status), func(t *testing.T) {
				t.Parallel()
				var mu sync.Mutex
				refused := false
				srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					mu.Lock()
					defer mu.Unlock()
					body, _ := io.ReadAll(r.Body)
					switch first := !refused; {
					case r.Method == http.MethodGet:
						_, _ = fmt.Fprintf(w, `{"object":"list","data":[{"id":"%s"}]}`, strings.Join(c.listed, `"},{"id":"`))
					case strings.Contains(string(body), `"model":"eyes"`) && (c.set != "eyes" || !first):
						content(good)(w, r)
					default:
						refused = true
						wanted := "default"
						if c.set != "" {
							wanted = c.set
						}
						fails(status, fmt.Sprintf(`{"error":{"message":"model '%s' not found","type":"invalid_request_error"}}`, wanted))(w, r)
					}
				}))
				t.Cleanup(srv.Close)
				asker := client(srv.URL, func(o *llm.Options) { o.Model = c.set })
				_, err := ask(t, asker)
				if c.used == "" {
					require.Equal(t, footy.ReasonModelMissing, footy.ReasonOf(err))
					require.ErrorContains(t, err, c.says)
					return
				}
				require.NoError(t, err)
				if c.set != "eyes" {
					require.Contains(t, []string{"eyes", "served"}, asker.Name())
				}
			})
		}
	}
}
