package webtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

// DemoDay seeds the day that browser tests and screenshots look at: all phases, all goal states, hostile names.
func (s *Server) DemoDay(mp4, jpg []byte) {
	s.T.Helper()
	three := Noon.Truncate(24 * time.Hour).Add(15 * time.Hour)
	live := Match(5001, Team(40, "Liverpool"), Team(50, "Manchester City"), three, "2H", 67, 2, 1)
	live.Match.Venue = "Anfield, Liverpool"
	a := Goal(&live, footy.SideHome, "Mohamed Salah", 12, 1, 0)
	a.Assist = footy.Person{ID: 9, Name: "A. Robertson"}
	a.DownloadComplete = true
	for i, v := range []bool{true, true, false} {
		Clip(a, fmt.Sprint(i), i+1, v)
	}
	s.story(&live, a)
	b := Goal(&live, footy.SideAway, "Erling Haaland", 45, 1, 1)
	b.Minute.Extra, b.Detail = 2, "Penalty"
	b.DownloadComplete, b.Round.End = true, footy.ReasonWindowOver
	s.noClip(&live, b)
	c := Goal(&live, footy.SideHome, "Dominik Szoboszlai", 61, 2, 1)
	Clip(c, "x", 1, true)
	Goal(&live, footy.SideHome, "", 66, 3, 1).CertainAt = time.Time{}
	s.Add(live)

	pens := Match(5002, Team(529, "Barcelona"), Team(541, "Real Madrid"), three.Add(-4*time.Hour), "PEN", 120, 1, 1)
	pens.League = footy.League{ID: 140, Name: "La Liga", Country: "Spain", Round: "Regular Season - 13"}
	pens.Periods.Penalty = footy.ScoreOf(4, 3)
	d := Goal(&pens, footy.SideHome, "Robert Lewandowski", 70, 1, 0)
	d.DownloadComplete = true
	Clip(d, "p", 1, false)
	e := Goal(&pens, footy.SideAway, "J. Koundé", 88, 1, 1)
	e.Detail, e.DownloadComplete = "Own Goal", true
	off := Goal(&pens, footy.SideAway, "Antonio Rüdiger", 93, 1, 1)
	off.Kind, off.ID, off.Detail, off.DownloadComplete = footy.KindRedCard, "5002_541_702_RedCard_1", "Red Card", true
	d = &pens.Events[0] // the list has moved
	s.Add(pens)

	second := Match(5003, Team(42, "Arsenal"), Team(49, "Chelsea"), three.Add(30*time.Minute), "HT", 45, 0, 1)
	g := Goal(&second, footy.SideAway, "Cole Palmer", 31, 0, 1)
	g.Clips = nil
	s.Add(second)
	late := Match(5004, Team(33, "Manchester United"), Team(34, "Newcastle"), three.Add(150*time.Minute), "NS", 0, 0, 0)
	late.Stage = footy.StageStaging
	s.Add(late)
	postponed := Match(5005, Team(51, "Brighton & Hove Albion"), Team(48, "West Ham"), three, "PST", 0, 0, 0)
	s.Add(postponed)

	for i := range live.Events {
		s.Bytes(live.Events[i], mp4, jpg)
	}
	s.Bytes(*d, mp4, jpg)
}

// HardDay seeds what pages break on: the longest real names, a goal with twelve clips, a shoot-out, a late kick-off, a cancelled goal, a goal
// without a clip, a scorer of one long word.
func (s *Server) HardDay(mp4, jpg []byte) {
	s.T.Helper()
	at := Noon.Add(-2 * time.Hour)
	long := Match(9001, Team(901, "Wolverhampton Wanderers"), Team(902, "Borussia Mönchengladbach"), at, "2H", 45, 1, 1)
	long.Match.Status.Extra = new(int)
	*long.Match.Status.Extra = 12
	long.League = footy.League{ID: 3, Name: "UEFA Europa Conference League", Country: "World", Round: "Knockout Round Play-offs"}
	e := Goal(&long, footy.SideHome, "Jan Vennegoor of Hesselink", 45, 1, 0)
	e.Minute.Extra, e.Detail, e.Assist = 12, "Penalty", footy.Person{ID: 8, Name: "Sokratis Papastathopoulos"}
	for i := range 12 {
		Clip(e, fmt.Sprint(i), i+1, i%2 == 0)
	}
	e = Goal(&long, footy.SideAway, "Mbarushimana-Uwimanimpaye-Ndayishimiye", 41, 1, 1)
	Clip(e, "w", 1, false)
	e = Goal(&long, footy.SideAway, "Pierre-Emerick Aubameyang", 30, 0, 1)
	e.Removed, e.RemovedReason, e.RemovedAt, e.DownloadComplete = true, footy.ReasonVAR, Noon, true
	e = Goal(&long, footy.SideHome, "Oleksandr Zinchenko", 20, 0, 1)
	e.DownloadComplete, e.Round.End = true, footy.ReasonWindowOver
	s.Add(long)
	pens := Match(9002, Team(903, "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogoch FC"), Team(904, "Deportivo Alavés"), at.Add(-4*time.Hour), "PEN", 120, 11, 10)
	pens.Periods.Penalty = footy.ScoreOf(14, 13)
	e = Goal(&pens, footy.SideHome, "J. Own", 90, 11, 10)
	e.Minute.Extra, e.Detail = 15, "Own Goal"
	Clip(e, "o", 1, true)
	s.Add(pens)
	s.Add(Match(9003, Team(905, "Paris Saint Germain"), Team(906, "Olympique de Marseille"), at, "NS", 0, 0, 0))
	s.Add(Match(9004, Team(907, "Gimnasia y Esgrima La Plata"), Team(908, "Newell's Old Boys"), at, "PST", 0, 0, 0))
	for _, f := range []footy.Fixture{long, pens} {
		for _, e := range f.Events {
			s.Bytes(e, mp4, jpg)
		}
	}
}

// Fortnight seeds the days before, for the plots.
func (s *Server) Fortnight() {
	for d := 1; d <= 14; d++ {
		f := Match(int64(8000+d), Team(40, "Liverpool"), Team(42, "Arsenal"), Noon.AddDate(0, 0, -d), "FT", 90, 3, 0)
		for g := range 2 + d*7%4 {
			e := Goal(&f, footy.SideHome, "Somebody", 10+g, g+1, 0)
			e.DownloadComplete = true
			if (d+g)%4 != 0 {
				Clip(e, "x", 1, (d*g)%5 != 1)
				e.Clips[0].AddedAt = e.FirstSeen.Add(time.Duration(70+d*13%60+g*9) * time.Second)
			}
		}
		s.Add(f)
	}
}

// Bytes stores a clip and a picture for each clip of an event.
func (s *Server) Bytes(e footy.Event, mp4, jpg []byte) {
	for _, c := range e.Clips {
		s.Put(c.Key, "video/mp4", mp4)
		s.Put(c.PosterKey, "image/jpeg", jpg)
	}
}

// logWriter writes rows of one event, a few seconds apart, and the ledger of its posts.
type logWriter struct {
	e     *footy.Event
	f     int64
	at    time.Time
	n     int
	rows  []footy.Entry
	posts []footy.Post
}

// became sets what became of the latest post of that id.
func (r *logWriter) became(id string, state footy.PostState, change func(*footy.Post)) {
	i := slices.IndexFunc(r.posts, func(p footy.Post) bool { return p.PostID == id })
	r.posts[i].State = state
	change(&r.posts[i])
}

func (s *Server) write(r *logWriter) {
	s.T.Helper()
	s.Log(r.rows...)
	require.NoError(s.T, s.Store.AddPosts(s.T.Context(), r.posts))
}

func (r *logWriter) add(kind footy.EntryKind, change func(*footy.Entry)) {
	r.n++
	r.at = r.at.Add(7 * time.Second)
	row := footy.Entry{Key: fmt.Sprintf("%s/%s/%d", r.e.UID, kind, r.n), FixtureID: r.f, EventUID: r.e.UID, At: r.at, Kind: kind}
	if change != nil {
		change(&row)
	}
	r.rows = append(r.rows, row)
}

func (r *logWriter) seen() {
	seen := footy.Evidence{What: r.e.Kind, Player: r.e.Player.Name, Team: r.e.Team.Name, Time: &r.e.Minute, Votes: 2, Absences: 1, Of: 3}
	for _, kind := range []footy.EntryKind{footy.EntryNew, footy.EntrySighting, footy.EntryAbsence, footy.EntryCertain} {
		r.add(kind, func(row *footy.Entry) { row.Data = seen })
	}
	r.add(footy.EntrySearching, func(e *footy.Entry) {
		e.Data = footy.Evidence{Player: r.e.Player.Name, Time: &r.e.Minute, Round: 1, Aliases: []string{"liverpool", "lfc"}}
	})
}

func (r *logWriter) query(n int, q, state string, found int) {
	r.add(footy.EntryQuery, func(e *footy.Entry) {
		e.Try, e.Data = n, footy.Evidence{Query: q, State: footy.SearchState(state), Found: found, Calls: 1, Round: 1}
	})
}

func (r *logWriter) post(n int, id, author, text string) {
	r.add(footy.EntryCandidate, func(e *footy.Entry) {
		e.PostID, e.Try = id, n
		e.Data = footy.Evidence{URL: "https://x.com/" + author + "/status/" + id, Author: author, PostText: text, DurationMS: 12000, PostedAt: r.at}
	})
	c := footy.Candidate{PostID: id, URL: "https://x.com/" + author + "/status/" + id, Author: author, Text: text, DurationMS: 12000, PostedAt: r.at}
	r.posts = append(r.posts, footy.Post{EventUID: r.e.UID, PostID: id, FixtureID: r.f, State: footy.PostFetching, Round: 1, Try: n, Candidate: c, FirstSeen: r.at, ChangedAt: r.at})
}

func (r *logWriter) reject(id string, why footy.Reason, detail string) {
	r.add(footy.EntryRejected, func(e *footy.Entry) {
		e.PostID, e.Reason, e.Data = id, why, footy.Evidence{Detail: detail, Outcome: "rejected"}
	})
	r.became(id, footy.PostRefused, func(p *footy.Post) {
		p.Reason, p.Detail, p.Verdict = why, detail, &footy.Verdict{Outcome: footy.OutcomeRejected, Reason: why, Detail: detail}
	})
}

func (s *Server) story(f *footy.Fixture, e *footy.Event) {
	r := &logWriter{e: e, f: f.ID, at: e.FirstSeen}
	r.seen()
	r.query(1, "salah liverpool", "results", 3)
	r.post(1, "1857000000000000001", "lfc_fan", "SALAH!! What a goal 🔴 #LIVMCI")
	r.post(1, "1857000000000000002", "memes", "<script>alert('x')</script> \u202egnp.exe salah")
	r.post(1, "1857000000000000003", "copycat", "Salah goal")
	r.add(footy.EntryVerdict, func(row *footy.Entry) {
		row.PostID, row.ClipID, row.Data = "1857000000000000001", e.Clips[0].ID, footy.Evidence{Outcome: "verified", Detail: "clock 11:42, reported at 12'",
			Readings: []footy.Reading{{At: 1, Soccer: true, Clock: "11:42"}, {At: 4, Soccer: true, Clock: "11:45"}}}
	})
	r.became("1857000000000000001", footy.PostPublished, func(p *footy.Post) {
		p.ClipID, p.Verdict = e.Clips[0].ID, &footy.Verdict{Outcome: footy.OutcomeVerified, Detail: "clock 11:42, reported at 12'"}
	})
	r.reject("1857000000000000002", footy.ReasonNotSoccer, "a meme")
	r.add(footy.EntryRejected, func(row *footy.Entry) {
		row.PostID, row.ClipID, row.Reason = "1857000000000000003", e.Clips[0].ID, footy.ReasonDuplicate
	})
	r.became("1857000000000000003", footy.PostMerged, func(p *footy.Post) { p.ClipID = e.Clips[0].ID })
	r.add(footy.EntryClip, func(row *footy.Entry) { row.ClipID = e.Clips[0].ID })
	r.add(footy.EntryMerged, func(row *footy.Entry) {
		row.ClipID, row.Data = "c0", footy.Evidence{Into: e.Clips[0].ID, Match: &footy.Comparison{Same: true, Score: 0.9, Speed: 1, MatchedFrames: 29, Seconds: 7.2, Share: 1}}
	})
	r.query(2, "salah OR \"Liverpool\" OR LFC", "empty", 0)
	r.add(footy.EntryCompleted, func(row *footy.Entry) { row.Data = footy.Evidence{Clips: 3, Outcome: "ok"} })
	s.write(r)
}

func (s *Server) noClip(f *footy.Fixture, e *footy.Event) {
	r := &logWriter{e: e, f: f.ID, at: e.FirstSeen}
	r.seen()
	r.query(1, "haaland \"man city\"", "results", 4)
	for i, why := range []footy.Reason{footy.ReasonPortrait, footy.ReasonPortrait, footy.ReasonWrongMinute, footy.ReasonScreen} {
		id := fmt.Sprintf("185700000000000010%d", i)
		r.post(1, id, fmt.Sprintf("fan%d", i), "Haaland pen!! ⚽️")
		r.reject(id, why, map[footy.Reason]string{footy.ReasonWrongMinute: "clock 52:10, reported at 45+2'"}[why])
	}
	r.query(2, "haaland OR \"Manchester City\" OR MCI", "rate_limited", 0)
	r.query(3, "haaland OR \"Manchester City\" OR MCI", "empty", 0)
	r.add(footy.EntryCompleted, func(row *footy.Entry) { row.Data = footy.Evidence{Clips: 0, Outcome: "lost(window_over)"} })
	s.write(r)
}
