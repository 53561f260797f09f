package command_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/port/command"
)

type title struct {
	Title string `json:"title"`
	Kind  string `json:"kind"`
}

func (t title) String() string { return t.Kind + ": " + t.Title + "\n" }

func TestAnAnswerIsPrintedForProgramsOrForPeople(t *testing.T) {
	t.Parallel()
	title, remark := title{"FT: A&B 2-1 C", "other"}, command.Remark("poll 1\n")
	for _, c := range []struct {
		asJSON bool
		indent string
		want   string
	}{
		{true, "", "\"title\":\"FT: A&B 2-1 C\",\"kind\":\"other\""},
		{true, " ", "{\n \"title\": \"FT: A&B 2-1 C\",\n"},
		{false, "", "poll 1\nother: FT: A&B 2-1 C\n"},
	} {
		var out bytes.Buffer
		o := command.Output{JSON: c.asJSON}
		require.NoError(t, o.Write(&out, remark, c.indent))
		require.NoError(t, o.Write(&out, title, c.indent))
		require.Contains(t, out.String(), c.want)
		require.Equal(t, !c.asJSON, bytes.Contains(out.Bytes(), []byte("poll 1")), "a remark is no part of the JSON")
	}
}

func TestAnAnswerWithoutWordsOfItsOwnIsYAMLForPeople(t *testing.T) {
	t.Parallel()
	type event struct {
		Kind   string  `json:"kind"`
		Player *string `json:"player"`
	}
	var out bytes.Buffer
	require.NoError(t, command.Output{}.Write(&out, struct {
		ID     string  `json:"id"`
		Events []event `json:"events"`
		Why    string  `json:"why"`
	}{"7", []event{{Kind: "goal"}}, "it shows 12', not 66': <another> goal"}, ""))
	require.Equal(t, "id: \"7\"\nevents:\n  - {kind: goal, player: null}\nwhy: 'it shows 12'', not 66'': <another> goal'\n", out.String())
}
