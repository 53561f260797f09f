package storetest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Views checks what people read who ask a database by the founding documents' names. stuck is their query of fixtures_active for a match that has
// an event with _monitor_complete false, whole the one for a match by its id; both return the documents as JSON.
func Views(t *testing.T, b store.Backend, stuck, whole func(fixture int64) []string) {
	t.Helper()
	s := store.New(b)
	event := func(uid, id string, r footy.Round) footy.Event {
		return footy.Event{UID: uid, ID: id, Kind: footy.KindGoal, Round: r, DownloadComplete: r.Number == 2}
	}
	for id, events := range map[int64][]footy.Event{
		1378993: {event("1378993-1", "1378993_40_7_Goal_1", footy.Round{Number: 2}), event("1378993-2", "1378993_40_7_Goal_2", footy.Round{Number: 1, TakenUpBy: "twitter-1"}),
			event("1378993-3", "1378993_40_7_Goal_3", footy.Round{Number: 1})},
		1378994: {event("1378994-1", "1378994_40_7_Goal_1", footy.Round{Number: 1, TakenUpBy: "twitter-2"})},
		1378995: nil,
	} {
		require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: id, Stage: footy.StageActive, Match: footy.Match{ID: id, Kickoff: kickoff}, Events: events}))
	}
	post := func(id, download string) footy.Post {
		return footy.Post{EventUID: "1378993-2", FixtureID: 1378993, PostID: id, State: footy.PostPassed, Download: download, Candidate: footy.Candidate{PostID: id, URL: "https://x.com/" + id}}
	}
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{post("11", "download1"), post("12", "download1"), post("13", "download2"), post("14", "")}))

	require.Len(t, stuck(1378993), 1)
	require.Empty(t, stuck(1378994), "its search was taken up")
	require.Empty(t, stuck(1378995), "it has no events")
	require.Len(t, whole(1378995), 1)
	found := whole(1378993)
	require.Len(t, found, 1)
	var doc struct {
		ID     int64 `json:"_id"`
		Events []struct {
			ID        string            `json:"_event_id"`
			Monitor   bool              `json:"_monitor_complete"`
			Twitter   bool              `json:"_twitter_complete"`
			Download  bool              `json:"_download_complete"`
			Downloads []string          `json:"_download_workflows"`
			Videos    []footy.Candidate `json:"_discovered_videos"`
		} `json:"events"`
	}
	require.NoError(t, json.Unmarshal([]byte(found[0]), &doc), found[0])
	require.EqualValues(t, 1378993, doc.ID)
	require.Len(t, doc.Events, 3)
	for i, e := range doc.Events {
		require.Equal(t, []string{"1378993_40_7_Goal_1", "1378993_40_7_Goal_2", "1378993_40_7_Goal_3"}[i], e.ID)
		require.Equal(t, i < 2, e.Monitor, e.ID)
		require.Equal(t, i == 0, e.Twitter, e.ID)
		require.Equal(t, e.Download, e.Twitter)
		if i != 1 {
			require.Empty(t, e.Downloads)
			require.Empty(t, e.Videos)
			require.NotNil(t, e.Downloads, "a list, as in the documents")
			require.NotNil(t, e.Videos)
		}
	}
	require.ElementsMatch(t, []string{"download1", "download2"}, doc.Events[1].Downloads)
	require.Len(t, doc.Events[1].Videos, 4)
	require.Equal(t, "https://x.com/11", doc.Events[1].Videos[0].URL)
}
