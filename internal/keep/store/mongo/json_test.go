package mongo_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store/mongo"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
)

// throughBSON sends a JSON object through the bytes that go over the wire.
func throughBSON(t *testing.T, body []byte) []byte {
	t.Helper()
	doc, err := mongo.FromJSON(body)
	require.NoError(t, err)
	wire, err := bson.Marshal(doc)
	require.NoError(t, err)
	var back bson.D
	require.NoError(t, bson.Unmarshal(wire, &back))
	out, err := mongo.ToJSON(back)
	require.NoError(t, err)
	return out
}

func TestJSONSurvivesBSON(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{}`, `{"a":null,"b":true,"c":false,"d":[],"e":{},"f":""}`,
		`{"int":9007199254740993,"max":9223372036854775807,"min":-9223372036854775808}`,
		`{"f":0.1,"tiny":5e-324,"huge":1.7976931348623157e+308}`,
		`{"a.b":{"$set":{"":1}},"%2E":"%25","x":"\u0000 ⚽"}`,
		`{"nested":[[1,[2,[{"x":[]}]]]]}`,
	} {
		require.JSONEq(t, body, string(throughBSON(t, []byte(body))))
	}
	want := storetest.Filled[footy.Fixture]()
	body, err := json.Marshal(want)
	require.NoError(t, err)
	var got footy.Fixture
	require.NoError(t, json.Unmarshal(throughBSON(t, body), &got))
	require.Equal(t, want, got)
}

func TestWhatBSONCannotHoldIsRefused(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		``, `[]`, `1`, `"text"`, `null`, `{`, `{"a":}`, `{"a":1} {}`, `{"a":1}x`,
		`{"too large":9223372036854775808}`, `{"a":1e999}`, `{"a":[1}`,
	} {
		_, err := mongo.FromJSON([]byte(body))
		require.Error(t, err, "%q", body)
	}
}

func FuzzJSONSurvivesBSON(f *testing.F) {
	f.Add(`{"a.b":[1,2.5,{"$x":null}],"%00":"%","":{}}`)
	f.Fuzz(func(t *testing.T, body string) {
		var want map[string]any
		dec := json.NewDecoder(strings.NewReader(body))
		if dec.Decode(&want) != nil || want == nil || dec.More() {
			t.Skip()
		}
		if _, err := mongo.FromJSON([]byte(body)); err != nil {
			t.Skip() // refused as a whole
		}
		var got map[string]any
		require.NoError(t, json.Unmarshal(throughBSON(t, []byte(body)), &got))
		require.Equal(t, want, got)
	})
}
