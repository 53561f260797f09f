package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
)

func open(t *testing.T, path string) *sqlite.Backend {
	t.Helper()
	b, err := sqlite.Open(path)
	require.NoError(t, err)
	return b
}

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Backend {
		return open(t, filepath.Join(t.TempDir(), "a b%20?.db"))
	}, storetest.Traits{NestedLists: true})
}

func TestTheStagesAreViews(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	s := store.New(open(t, path))
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageStaging}))
	for _, stage := range []footy.Stage{footy.StageActive, footy.StageCompleted, footy.StageStaging} {
		_, err := s.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
			f.Stage = stage
			return nil, nil
		})
		require.NoError(t, err)
		for _, v := range store.Views {
			require.Equal(t, v.Stage == string(stage), len(texts(t, path, "SELECT id FROM "+v.Name)) == 1, "%s in %s", stage, v.Name)
		}
	}
}

// TestStoredFieldsAreTheDocuments reads what is written: each field of the founding documents that is stored, by its name and with its value.
func TestStoredFieldsAreTheDocuments(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	s := store.New(open(t, path))
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	at := time.Date(2026, 8, 15, 15, 0, 0, 0, time.UTC)
	liverpool := footy.Team{ID: 40, Name: "Liverpool", Logo: "l.png"}
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 5000, Stage: footy.StageActive, ActivatedAt: at, LastMonitor: at,
		Match:  footy.Match{ID: 5000, Kickoff: at, Status: footy.Status{Code: "1H", Long: "First Half", Elapsed: new(23)}},
		League: footy.League{ID: 39, Name: "Premier League"}, Teams: footy.Teams{Home: liverpool, Away: footy.Team{ID: 42, Name: "Arsenal"}}, Score: footy.ScoreOf(1, 0),
		Events: []footy.Event{{UID: "u", ID: "5000_40_234_Goal_1", Kind: footy.KindGoal, Type: "Goal", Detail: "Normal Goal", Comments: "header", Minute: footy.Minute{Elapsed: 45, Extra: 3},
			Team: liverpool, Player: footy.Person{ID: 234, Name: "D. Szoboszlai"}, Assist: footy.Person{ID: 289, Name: "Firmino"},
			ScoreBefore: footy.ScoreOf(0, 0), ScoreAfter: footy.ScoreOf(1, 0), FirstSeen: at, Votes: []string{"monitor-1"}, AbsentPolls: []string{"monitor-2"},
			Changes: []footy.HashedChange{{At: at, Hash: "abc"}}, TwitterAliases: []string{"LFC"}, DownloadComplete: true, Removed: true,
			Clips: []footy.Clip{{ID: "c", URL: "http://minio/c.mp4", Key: "k/c.mp4", Fingerprint: "dense:c", HashVersion: "v", Width: 1920, Height: 1080, Size: 15000000, Duration: 45.2,
				Bitrate: 2500, Aspect: 1.778, Pixels: 2073600, Popularity: 3, Rank: 1, SourceURL: "https://x.com/1", Verified: true, Minute: new(23), Status: footy.OutcomeVerified}}}}}))
	require.NoError(t, s.PutAliases(t.Context(), footy.TeamAliases{TeamID: 40, Aliases: []string{"LFC"}}))
	const day = "2026-08-15T15:00:00Z"
	for field, want := range map[string]string{
		"_id": "5000", "activated_at": day, "_last_monitor": day, "fixture.id": "5000", "fixture.date": day, "fixture.status.short": "1H", "fixture.status.long": "First Half", "fixture.status.elapsed": "23",
		"league.id": "39", "league.name": "Premier League", "teams.home.id": "40", "teams.home.name": "Liverpool", "teams.away.name": "Arsenal", "goals.home": "1", "goals.away": "0",
		"events[0]._event_id": "5000_40_234_Goal_1", "events[0].type": "Goal", "events[0].detail": "Normal Goal", "events[0].comments": "header", "events[0].time.elapsed": "45", "events[0].time.extra": "3",
		"events[0].team.id": "40", "events[0].team.name": "Liverpool", "events[0].team.logo": "l.png", "events[0].player.id": "234", "events[0].player.name": "D. Szoboszlai",
		"events[0].assist.id": "289", "events[0].assist.name": "Firmino", "events[0]._score_before.home": "0", "events[0]._score_after.home": "1", "events[0]._first_seen": day,
		"events[0]._monitor_workflows[0]": "monitor-1", "events[0]._drop_workflows[0]": "monitor-2", "events[0]._snapshots[0].timestamp": day, "events[0]._snapshots[0].hash": "abc",
		"events[0]._twitter_aliases[0]": "LFC", "events[0]._download_complete": "1", "events[0]._removed": "1",
		"events[0]._s3_videos[0].s3_url": "http://minio/c.mp4", "events[0]._s3_videos[0]._s3_key": "k/c.mp4", "events[0]._s3_videos[0].perceptual_hash": "dense:c", "events[0]._s3_videos[0].hash_version": "v",
		"events[0]._s3_videos[0].width": "1920", "events[0]._s3_videos[0].height": "1080", "events[0]._s3_videos[0].file_size": "15000000", "events[0]._s3_videos[0].duration": "45.2",
		"events[0]._s3_videos[0].bitrate": "2500", "events[0]._s3_videos[0].aspect_ratio": "1.778", "events[0]._s3_videos[0].resolution_score": "2073600", "events[0]._s3_videos[0].popularity": "3",
		"events[0]._s3_videos[0].rank": "1", "events[0]._s3_videos[0].source_url": "https://x.com/1", "events[0]._s3_videos[0].timestamp_verified": "1", "events[0]._s3_videos[0].extracted_minute": "23",
		"events[0]._s3_videos[0].timestamp_status": "verified",
	} {
		require.Equal(t, []string{want}, texts(t, path, "SELECT COALESCE(json_extract(body, '$."+field+"'), 'none') FROM fixtures"), field)
	}
	require.Equal(t, []string{`["LFC"]`}, texts(t, path, "SELECT json_extract(body, '$.aliases') FROM team_aliases"))
}

func texts(t *testing.T, path, query string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	out := []string{}
	for rows.Next() {
		var v string
		require.NoError(t, rows.Scan(&v))
		out = append(out, v)
	}
	require.NoError(t, rows.Err())
	return out
}

// TestReadersFindTheDocumentsFields: the queries of the founding documents' troubleshooting, in SQLite's words.
func TestReadersFindTheDocumentsFields(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	b := open(t, path)
	defer func() { require.NoError(t, b.Close()) }()
	storetest.Views(t, b, func(id int64) []string {
		return texts(t, path, fmt.Sprintf(`SELECT body FROM fixtures_active WHERE json_extract(body, '$.fixture.id') = %d
			AND EXISTS (SELECT 1 FROM json_each(body, '$.events') WHERE json_extract(value, '$._monitor_complete') = 0)`, id))
	}, func(id int64) []string {
		return texts(t, path, fmt.Sprintf("SELECT body FROM fixtures_active WHERE json_extract(body, '$.fixture.id') = %d", id))
	})
	execute(t, path, `UPDATE fixtures SET body = '{"broken' WHERE id = '1378995'`)
	require.Len(t, texts(t, path, "SELECT body FROM fixtures_active"), 3, "a damaged document hides no other")
}
