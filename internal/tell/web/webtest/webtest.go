// Package webtest serves a page over a real database and a real directory of clips, and drives a browser on it, for tests.
package webtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
	"github.com/found-footy/found-footy/tools/devtest"
)

// Noon is the demo day's clock.
var Noon = time.Date(2026, 11, 14, 16, 20, 0, 0, time.UTC)

// Server is a page over a real database and a real directory of clips.
type Server struct {
	Hub      *stream.Hub
	T        testing.TB
	Store    store.Store
	Blob     blob.Store
	Web      *web.Server
	HTTP     *httptest.Server
	Commands *Commands

	conns sync.Map // of HTTP, also those that streams took from it
}

// Commands notes what the page has done.
type Commands struct {
	Done  []string
	Goal  bool                     // Restore brings a goal back
	Undo  func(event, clip string) // of Hide; nil: a better copy stays in its place
	Posts int                      // so many posts waited
}

func (a *Commands) note(s string) error { a.Done = append(a.Done, s); return nil }

// SearchAgain implements actions.Commands.
func (a *Commands) SearchAgain(_ context.Context, e string) error { return a.note("search " + e) }

// Hide implements actions.Commands.
func (a *Commands) Hide(_ context.Context, e, c string) error {
	return a.note("hide " + e + " " + c)
}

// Restore implements actions.Commands.
func (a *Commands) Restore(_ context.Context, e, c string) (bool, error) {
	if a.Undo != nil {
		a.Undo(e, c)
	}
	return a.Goal, a.note("restore " + e + " " + c)
}

// Retry implements actions.Commands.
func (a *Commands) Retry(_ context.Context, c ledger.Selection) (int, error) {
	return a.Posts, a.note("retry " + c.EventUID + " " + c.PostID + " " + string(c.Cause))
}

// GiveUp implements actions.Commands.
func (a *Commands) GiveUp(_ context.Context, c ledger.Selection) (int, error) {
	return a.Posts, a.note("give up " + c.EventUID + " " + c.PostID + " " + string(c.Cause))
}

// TakeDown implements actions.Commands.
func (a *Commands) TakeDown(_ context.Context, e, c, r string) error {
	return a.note("down " + e + " " + c + " " + r)
}

// Pin implements actions.Commands.
func (a *Commands) Pin(_ context.Context, e, c string) error { return a.note("pin " + e + " " + c) }

// AdminToken is the operator's.
const AdminToken = "an-admin-token-of-length"

// New serves a page.
func New(t testing.TB, change ...func(*web.Options)) *Server {
	t.Helper()
	back, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := &Server{T: t, Store: store.New(back), Commands: &Commands{}, Hub: stream.NewHub()}
	t.Cleanup(func() { _ = s.Store.Close() })
	clips := t.TempDir()
	s.Blob, err = dir.Open(clips)
	require.NoError(t, err)
	t.Cleanup(func() { // that a reel is watched may be being written still
		require.Eventually(t, func() bool { return os.RemoveAll(clips) == nil }, 5*time.Second, 10*time.Millisecond)
	})
	opt := web.Options{Store: s.Store, Blob: s.Blob, Hub: s.Hub, Commands: s.Commands, AdminToken: AdminToken, Now: func() time.Time { return Noon },
		Timing: explain.Timing{Round: round.Limits{Searches: 10, Tries: 15, Window: 45 * time.Minute, Blocked: 6 * time.Hour, At: []time.Duration{0, time.Minute, 2 * time.Minute}}, Every: time.Minute, Poll: 30 * time.Second,
			Votes: 3, RemovedKept: 24 * time.Hour, LongestPause: 15 * time.Minute, LateAfter: 5 * time.Minute, Floor: 3 * time.Minute}}
	for _, c := range change {
		c(&opt)
	}
	s.Web, err = web.New(opt)
	require.NoError(t, err)
	s.HTTP = httptest.NewUnstartedServer(s.Web.Handler())
	s.HTTP.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		s.conns.Store(c, nil)
		return ctx
	}
	s.HTTP.Start()
	t.Cleanup(func() { s.Web.Close(); s.HTTP.Close() })
	return s
}

// Disconnect closes every connection.
func (s *Server) Disconnect() {
	s.conns.Range(func(c, _ any) bool { _ = c.(net.Conn).Close(); return true })
}

// Add stores a fixture and tells the page.
func (s *Server) Add(f footy.Fixture) {
	s.T.Helper()
	require.NoError(s.T, s.Store.Add(context.Background(), f))
	s.Hub.Publish(stream.EntityFixture, fmt.Sprint(f.ID))
}

// Update changes a fixture and tells the page.
func (s *Server) Update(id int64, change func(*footy.Fixture)) {
	s.T.Helper()
	_, err := s.Store.Update(context.Background(), id, func(f *footy.Fixture) ([]footy.Entry, error) { change(f); return nil, nil })
	require.NoError(s.T, err)
	s.Hub.Publish(stream.EntityFixture, fmt.Sprint(id))
}

// Put stores an object.
func (s *Server) Put(key, contentType string, body []byte) {
	s.T.Helper()
	require.NoError(s.T, s.Blob.Put(context.Background(), key, bytes.NewReader(body), int64(len(body)), blob.Info{ContentType: contentType}))
}

// Log writes rows.
func (s *Server) Log(rows ...footy.Entry) {
	s.T.Helper()
	require.NoError(s.T, s.Store.Append(context.Background(), rows...))
}

// Get asks without following redirects.
func (s *Server) Get(path string, header ...string) *http.Response {
	s.T.Helper()
	return s.Do(http.MethodGet, path, nil, header...)
}

// Do asks without following redirects; header are pairs.
func (s *Server) Do(method, path string, body []byte, header ...string) *http.Response {
	s.T.Helper()
	req, err := http.NewRequest(method, s.HTTP.URL+path, bytes.NewReader(body))
	require.NoError(s.T, err)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := *s.HTTP.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := client.Do(req)
	require.NoError(s.T, err)
	s.T.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// Text reads an answer.
func Text(t testing.TB, res *http.Response) string {
	t.Helper()
	var b bytes.Buffer
	_, err := b.ReadFrom(res.Body)
	require.NoError(t, err)
	return b.String()
}

// Team makes a team.
func Team(id int64, name string) footy.Team { return footy.Team{ID: id, Name: name} }

// Match makes a fixture of the demo day, in play unless changed.
func Match(id int64, home, away footy.Team, kickoff time.Time, code string, minute int, h, a int) footy.Fixture {
	f := footy.Fixture{ID: id, Stage: footy.StageActive, League: footy.League{ID: 39, Name: "Premier League", Country: "England", Round: "Round 12"},
		Teams: footy.Teams{Home: home, Away: away}, Match: footy.Match{ID: id, Kickoff: kickoff, Status: footy.Status{Code: code}}}
	if code != "NS" && code != "PST" {
		f.Score = footy.ScoreOf(h, a)
		f.Match.Status.Elapsed = &minute
	}
	return f
}

// Goal adds a goal for a side; its id and uid follow from its place.
func Goal(f *footy.Fixture, side footy.Side, scorer string, minute int, h, a int) *footy.Event {
	t, player := f.Teams.Home, int64(700+len(f.Events))
	if side == footy.SideAway {
		t = f.Teams.Away
	}
	at := f.Match.Kickoff.Add(time.Duration(minute) * time.Minute)
	f.Events = append(f.Events, footy.Event{
		UID: fmt.Sprintf("%d-%d", f.ID, len(f.Events)+1), ID: fmt.Sprintf("%d_%d_%d_Goal_1", f.ID, t.ID, player), Kind: footy.KindGoal, Type: "Goal",
		Detail: "Normal Goal", Minute: footy.Minute{Elapsed: minute}, Team: t, Player: footy.Person{ID: player, Name: scorer}, ScoringTeam: side,
		ScoreAfter: footy.ScoreOf(h, a), FirstSeen: at, CertainAt: at.Add(time.Minute), Round: footy.Round{Number: 1, OpenedAt: at.Add(time.Minute), SearchedAt: Noon},
	})
	return &f.Events[len(f.Events)-1]
}

// Clip adds a clip with this rank; its bytes are stored by store.
func Clip(e *footy.Event, seed string, rank int, verified bool) footy.Clip {
	sum := sha256.Sum256([]byte(e.UID + seed))
	digest := hex.EncodeToString(sum[:])
	minute := e.Minute.Clock()
	c := footy.Clip{ID: footy.ClipID(digest), Digest: digest, Key: blob.ClipPrefix + digest + ".mp4", PosterKey: blob.PosterPrefix + digest + ".jpg",
		Width: 640, Height: 360, Size: 420_000, Duration: 7, Popularity: 3, Rank: rank, SourceURL: "https://x.com/someone/status/1857000000000000001",
		Verified: verified, Status: footy.OutcomeUnverified, AddedAt: e.FirstSeen.Add(90 * time.Second)}
	if verified {
		c.Status, c.Minute = footy.OutcomeVerified, &minute
		c.Evidence = fmt.Sprintf("clock %d:42, reported at %d'", minute, e.Minute.Elapsed)
	}
	e.Clips = append(e.Clips, c)
	return c
}

// MakeClip makes a small real clip and its poster with ffmpeg, once per run.
func MakeClip(t testing.TB) (mp4, jpg []byte) {
	t.Helper()
	v := devtest.Draw(t, "v.mp4", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=7", "-f", "lavfi", "-i", "sine=d=7", "-c:v", "libx264",
		"-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+faststart")
	mp4, err := os.ReadFile(v)
	require.NoError(t, err)
	jpg, err = os.ReadFile(devtest.Draw(t, "p.jpg", "-i", v, "-frames:v", "1", "-q:v", "6"))
	require.NoError(t, err)
	return mp4, jpg
}
