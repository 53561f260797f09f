package alert_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/extra/alert"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/teller"
)

var kickoff = time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)

type bundle struct {
	t     *testing.T
	store store.Store
	now   time.Time
	sent  []string
	fail  error
	parts []health.Part
	n     []teller.Teller
}

func (b *bundle) Send(text string, _ map[string]string) error {
	if b.fail != nil {
		return b.fail
	}
	b.sent = append(b.sent, text)
	return nil
}

func setup(t *testing.T, change ...func(*alert.Options)) *bundle {
	t.Helper()
	back, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	b := &bundle{t: t, store: store.New(back), now: kickoff.Add(time.Hour)}
	t.Cleanup(func() { _ = b.store.Close() })
	opt := alert.Options{Store: b.store, URLs: []string{"ntfy://ntfy.example/secret-topic"}, BaseURL: "https://footy.example/", Now: func() time.Time { return b.now }, Filter: chosen(news.Filter{All: true}, nil), Lead: alone,
		Sender: func(string) (alert.Sender, error) { return b.Send, nil }, Health: func(context.Context) []health.Part { return b.parts }}
	for _, c := range change {
		c(&opt)
	}
	b.n, err = alert.New(opt)
	require.NoError(t, err)
	f := footy.Fixture{ID: 1, Stage: footy.StageActive, League: footy.League{ID: 39}, Match: footy.Match{ID: 1, Kickoff: kickoff},
		Teams: footy.Teams{Home: footy.Team{ID: 40, Name: "Liverpool"}, Away: footy.Team{ID: 50, Name: "City"}},
		Events: []footy.Event{{UID: "1-1", ID: "1_40_7_Goal_1", Kind: footy.KindGoal, Team: footy.Team{ID: 40}, Player: footy.Person{Name: "Salah"}, Minute: footy.Minute{Elapsed: 59},
			ScoreAfter: footy.ScoreOf(1, 0), CertainAt: b.now.Add(-time.Minute)}}}
	require.NoError(t, b.store.Add(context.Background(), f))
	return b
}

func (b *bundle) look() []string {
	b.t.Helper()
	b.sent = nil
	require.NoError(b.t, sendNew(context.Background(), b.n))
	return b.sent
}

func (b *bundle) change(f func(*footy.Event)) {
	b.t.Helper()
	_, err := b.store.Update(context.Background(), 1, func(x *footy.Fixture) ([]footy.Entry, error) { f(&x.Events[0]); return nil, nil })
	require.NoError(b.t, err)
}

func TestAGoalIsToldOnceAndItsClipFollows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, []string{"⚽ Salah 59': Liverpool 1–0 City"}, b.look())
	require.Empty(t, b.look())
	b.change(func(e *footy.Event) { e.Clips = []footy.Clip{{ID: "a"}} })
	require.Equal(t, []string{"🎬 Salah 59': Liverpool 1–0 City\nhttps://footy.example/g/1_40_7_Goal_1"}, b.look())
	b.change(func(e *footy.Event) { e.Clips = append(e.Clips, footy.Clip{ID: "b"}) })
	require.Empty(t, b.look(), "only the first clip is news")
	for range 2 { // a feed takes a goal back more than once
		b.change(func(e *footy.Event) { e.Removed = true })
		require.Equal(t, []string{"❌ No longer stands: Salah 59': Liverpool 1–0 City"}, b.look())
		require.Empty(t, b.look())
		b.change(func(e *footy.Event) { e.Removed = false })
		require.Equal(t, []string{"↩️ Stands again: Salah 59': Liverpool 1–0 City"}, b.look())
		require.Empty(t, b.look())
	}
}

func TestOfSeveralProcessesOneTells(t *testing.T) {
	t.Parallel()
	b := setup(t)
	leases := []*store.Leases{store.NewLeases(b.store, func() time.Time { return b.now }, "one"), store.NewLeases(b.store, func() time.Time { return b.now }, "other")}
	var told []string
	var processes [][]teller.Teller
	for i, l := range leases {
		n, err := alert.New(alert.Options{Store: b.store, URLs: []string{"ntfy://ntfy.example/secret-topic"}, Lead: l.Hold, Filter: chosen(news.Filter{All: true}, nil), Now: func() time.Time { return b.now },
			Sender: func(string) (alert.Sender, error) {
				return func(text string, _ map[string]string) error {
					told = append(told, fmt.Sprint(i, " ", text))
					return nil
				}, nil
			}})
		require.NoError(t, err)
		processes = append(processes, n)
	}
	look := func() []string {
		told = nil
		for _, n := range processes {
			require.NoError(t, sendNew(t.Context(), n))
		}
		return told
	}
	require.Equal(t, []string{"0 ⚽ Salah 59': Liverpool 1–0 City"}, look())
	b.change(func(e *footy.Event) { e.Clips = []footy.Clip{{ID: "a"}} })
	require.Len(t, look(), 1)
	leases[0].Release(t.Context())
	processes = processes[1:] // it ended
	b.change(func(e *footy.Event) { e.Removed = true })
	require.Equal(t, []string{"1 ❌ No longer stands: Salah 59': Liverpool 1–0 City"}, look())
}

func TestWhatIsNotCertainOrNotNewsIsNotTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(e *footy.Event) { e.CertainAt = time.Time{} })
	require.Empty(t, b.look())
	b.change(func(e *footy.Event) { e.CertainAt = b.now.Add(-time.Hour) })
	require.Empty(t, b.look(), "switching notifications on does not tell the whole day")
	b.change(func(e *footy.Event) { e.CertainAt, e.Removed = b.now, true })
	require.Empty(t, b.look(), "a removal of what nobody heard of is no news")
}

// TestAGoalThatIsSeenAgainIsAsOldAsItWas: a state that was restored makes goals certain anew, and does not know what was told of them.
func TestAGoalThatIsSeenAgainIsAsOldAsItWas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(e *footy.Event) { e.CertainAt, e.HappenedAt = b.now, b.now.Add(-news.Grace) })
	require.Empty(t, b.look(), "scored long before the first look")

	restored := kickoff.Add(59 * time.Minute)
	b = setup(t, func(o *alert.Options) { o.Filter = chosen(news.Filter{All: true, After: restored}, nil) })
	b.change(func(e *footy.Event) { e.CertainAt, e.HappenedAt = b.now, restored.Add(-time.Second) })
	require.Empty(t, b.look(), "told before the restore")
	b.change(func(e *footy.Event) { e.Clips = []footy.Clip{{ID: "a"}} })
	require.Empty(t, b.look())
	b.change(func(e *footy.Event) { e.HappenedAt = restored })
	require.Len(t, b.look(), 1)
}

func TestAMessageThatWasNotTakenIsTriedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.fail = errors.New("cannot post to secret-topic")
	err := sendNew(context.Background(), b.n)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret-topic")
	require.Contains(t, err.Error(), "ntfy at ntfy.example")
	b.fail = nil
	require.Len(t, b.look(), 1)
}

// second is a target beside the bundle's own.
type second struct {
	sent []string
	fail error
}

func (s *second) Send(text string, _ map[string]string) error {
	if s.fail == nil {
		s.sent = append(s.sent, text)
	}
	return s.fail
}

func TestATargetThatIsDownHearsEverythingLaterAndKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	other := &second{fail: errors.New("down")}
	b := setup(t, func(o *alert.Options) {
		here := o.Sender
		o.URLs = append(o.URLs, "discord://token@1")
		o.Sender = func(address string) (alert.Sender, error) {
			if address == "discord://token@1" {
				return other.Send, nil
			}
			return here(address)
		}
	})
	require.ErrorContains(t, sendNew(t.Context(), b.n), "notify discord: unavailable: down")
	require.Len(t, b.sent, 1)
	b.change(func(e *footy.Event) { e.Clips = []footy.Clip{{ID: "a"}} })
	require.Error(t, sendNew(t.Context(), b.n))
	require.Len(t, b.sent, 2)
	other.fail = nil
	require.Empty(t, b.look(), "the first target is not told twice")
	require.Equal(t, []string{"⚽ Salah 59': Liverpool 1–0 City\n🎬 https://footy.example/g/1_40_7_Goal_1"}, other.sent)
}

func TestARestartRepeatsNothingAndForgetsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.parts = []health.Part{{Name: "model", State: "down"}}
	require.Len(t, b.look(), 1)
	b.now = b.now.Add(2 * time.Minute)
	require.Len(t, b.look(), 1, "the model")
	again := func() []string {
		n, err := alert.New(alert.Options{Store: b.store, URLs: []string{"ntfy://ntfy.example/secret-topic"}, BaseURL: "https://footy.example", Filter: chosen(news.Filter{All: true}, nil), Lead: alone,
			Now: func() time.Time { return b.now }, Sender: func(string) (alert.Sender, error) { return b.Send, nil },
			Health: func(context.Context) []health.Part { return b.parts }})
		require.NoError(t, err)
		b.n = n
		return b.look()
	}
	require.Empty(t, again())
	b.parts = nil
	require.Empty(t, again(), "nobody has looked yet: that is no recovery")
	_, err := b.store.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Events = append(f.Events, footy.Event{UID: "1-2", ID: "1_40_7_Goal_2", Kind: footy.KindGoal, Team: footy.Team{ID: 40}, Player: footy.Person{Name: "Salah"},
			Minute: footy.Minute{Elapsed: 70}, ScoreAfter: footy.ScoreOf(2, 0), CertainAt: b.now})
		return nil, nil
	})
	require.NoError(t, err)
	b.now = b.now.Add(time.Hour)
	require.Equal(t, []string{"⚽ Salah 70': Liverpool 2–0 City"}, again(), "scored while we were away")
	b.parts = []health.Part{{Name: "model", State: "ok"}}
	require.Empty(t, again())
	b.now = b.now.Add(2 * time.Minute)
	require.Equal(t, []string{"✅ The vision model works again"}, again())
	require.Empty(t, again())
}

// TestWhoseGoalsAreToldIsNotKnown: nobody who chose a team is told of all others because its name cannot be looked up now.
func TestWhoseGoalsAreToldIsNotKnown(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *alert.Options) { o.Filter = chosen(news.Filter{}, errors.New("the feed does not answer")) })
	require.Empty(t, b.look())
}

func TestFilters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		filter news.Filter
		want   int
	}{{news.Filter{All: true}, 1}, {news.Filter{Teams: []int64{50}}, 1}, {news.Filter{Leagues: []int64{39}}, 1}, {news.Filter{Teams: []int64{1}, Leagues: []int64{2}}, 0}} {
		b := setup(t, func(o *alert.Options) { o.Filter = chosen(c.filter, nil) })
		require.Len(t, b.look(), c.want)
	}
}

func TestHealthIsToldWhenItLasts(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *alert.Options) { o.Filter = chosen(news.Filter{Teams: []int64{1}}, nil) })
	say := func(state string) []string {
		b.parts = []health.Part{{Name: "model", State: health.State(state), Reason: "connection refused", Remedy: "Start it."}, {Name: "x", State: "missing"}}
		return b.look()
	}
	require.Empty(t, say("ok"))
	require.Empty(t, say("down"))
	b.now = b.now.Add(30 * time.Second)
	require.Empty(t, say("ok"), "a hiccup")
	require.Empty(t, say("down"))
	b.now = b.now.Add(61 * time.Second)
	require.Equal(t, []string{"⚠️ The vision model is down: connection refused\nStart it."}, say("down"))
	require.Empty(t, say("down"))
	require.Empty(t, say("ok"))
	b.now = b.now.Add(61 * time.Second)
	require.Equal(t, []string{"✅ The vision model works again"}, say("ok"))
}

// TestAPartThatFlapsIsSaidTwiceAnHour: a part that failed every other minute sent thirty messages an hour.
func TestAPartThatFlapsIsSaidTwiceAnHour(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *alert.Options) { o.Filter = chosen(news.Filter{Teams: []int64{1}}, nil) })
	restart := func() {
		var err error
		b.n, err = alert.New(alert.Options{Store: b.store, URLs: []string{"ntfy://ntfy.example/secret-topic"}, Now: func() time.Time { return b.now }, Filter: chosen(news.Filter{Teams: []int64{1}}, nil), Lead: alone,
			Sender: func(string) (alert.Sender, error) { return b.Send, nil }, Health: func(context.Context) []health.Part { return b.parts }})
		require.NoError(t, err)
	}
	pass := func(state health.State, minutes int) (said []string) {
		for range minutes {
			b.parts = []health.Part{{Name: "model", State: state, Reason: "connection refused"}}
			said = append(said, b.look()...)
			b.now = b.now.Add(time.Minute)
		}
		return said
	}
	require.Empty(t, pass("ok", 1))
	var said []string
	for i := range 60 { // four hours
		said = append(said, pass([]health.State{"down", "ok"}[i%2], 4)...)
		if i%7 == 0 {
			restart()
		}
	}
	require.Len(t, said, 3, "%q", said)
	require.Equal(t, "⚠️ The vision model is down: connection refused", said[0])
	require.Equal(t, "✅ The vision model works again", said[1])
	require.Contains(t, said[2], "The vision model flaps: it has changed 3 times within the hour.")
	require.Equal(t, []string{"Steady for an hour: ✅ The vision model works again"}, pass("ok", 70))
	require.Empty(t, pass("ok", 120))
	require.Equal(t, []string{"⚠️ The vision model is down: connection refused"}, pass("down", 10), "later it is said as ever")
}

func TestTwoPartsAreDampedEachForItself(t *testing.T) {
	t.Parallel()
	now, told, count := kickoff, alert.Record{Parts: map[string]alert.PartRecord{}}, map[string]int{}
	for i := range 120 {
		flips := []health.State{"ok", "down"}[i/3%2]
		steady := health.StateOK
		if i >= 60 {
			steady = health.StateDown
		}
		var messages []alert.Message
		messages, told = alert.PartMessages([]health.Part{{Name: "model", State: flips}, {Name: "feed", State: steady}}, told, now)
		for _, m := range messages {
			m.Recorded(&told)
			switch {
			case strings.Contains(m.Text, "vision model"):
				count["model"]++
			case strings.Contains(m.Text, "match feed"):
				count["feed"]++
			}
		}
		now = now.Add(time.Minute)
	}
	require.Equal(t, map[string]int{"model": 3, "feed": 1}, count)
}

func TestAMessageCallsNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(e *footy.Event) { e.Player.Name = "@everyone <!channel>" })
	said := strings.Join(b.look(), "\n")
	require.Contains(t, said, "everyone")
	require.NotRegexp(t, "@everyone|<!channel>", said)
}

// The real library, against a webhook of ours.
func TestTheLibraryDelivers(t *testing.T) {
	t.Parallel()
	got := make(chan string, 1)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
	}))
	t.Cleanup(hook.Close)
	address := "generic+" + hook.URL + "/hook?template=json"
	n, err := alert.New(alert.Options{Store: struct{ store.Store }{}, URLs: []string{address}})
	require.NoError(t, err)
	require.Equal(t, "generic at 127.0.0.1", n[0].Name)
	require.NoError(t, test(t, n))
	var body map[string]string
	require.NoError(t, json.Unmarshal([]byte(<-got), &body))
	require.Contains(t, body["message"], "this is a test")

	// News has fields beside its text.
	b := setup(t, func(o *alert.Options) { o.URLs, o.Sender = []string{address}, nil })
	read := func() map[string]string {
		require.NoError(t, sendNew(t.Context(), b.n))
		body = nil
		require.NoError(t, json.Unmarshal([]byte(<-got), &body))
		return body
	}
	require.Equal(t, map[string]string{"message": "⚽ Salah 59': Liverpool 1–0 City", "kind": "goal", "event_id": "1_40_7_Goal_1", "match_id": "1", "scorer": "Salah", "minute": "59'", "league": "",
		"home": "Liverpool", "away": "City", "home_score": "1", "away_score": "0", "side": "home", "page": "https://footy.example/g/1_40_7_Goal_1"}, read())
	b.change(func(e *footy.Event) {
		e.Clips = []footy.Clip{{ID: "a", Key: "clips/a.mp4", PosterKey: "posters/a.jpg"}}
	})
	clip := read()
	require.Equal(t, []string{"clip", "https://footy.example/v/1-1/a.mp4", "https://footy.example/p/1-1/a.jpg"}, []string{clip["kind"], clip["clip"], clip["picture"]})
	b.change(func(e *footy.Event) { e.Removed = true })
	cancelled := read()
	require.Equal(t, "cancelled", cancelled["kind"])
	require.NotContains(t, cancelled, "clip")
}

func TestAWrongAddressIsNamedWithoutItsSecrets(t *testing.T) {
	t.Parallel()
	for address, says := range map[string]string{
		"discord://verysecrettoken":                     "the first address discord://(hidden) is not complete: write it like discord://TOKEN@WEBHOOK_ID",
		"slack://verysecrettoken":                       "slack://(hidden) is not complete: write it like slack://hook:",
		"telegram://verysecrettoken":                    "telegram://(hidden) is not complete: write it like telegram://BOT_TOKEN@telegram?chats=@channel",
		"smtp://me:very#secret/@mail.example:25/":       "smtp://(hidden) ",
		"smtp://me:very%secret@mail.example:25/":        "cannot be read: write it like smtp://user:password@mail.example.org:587/?from=footy@example.org&to=me@example.org, with %40",
		"https://discord.com/api/webhooks/1/verysecret": "https://(hidden) does not say what is there: write a webhook like generic+https://example.org/hook?template=json, one of Discord's like discord://",
		"nonsense://verysecrettoken":                    "the first address (hidden) is of no kind that is known: it begins with discord://",
		"verysecrettoken":                               "the first address (hidden) is of no kind that is known",
	} {
		_, err := alert.New(alert.Options{Store: struct{ store.Store }{}, URLs: []string{address}})
		require.ErrorContains(t, err, says, address)
		for _, word := range []string{"very", "secret", "shoutrrr", "router", "initialize", "service"} {
			require.NotContains(t, strings.TrimPrefix(err.Error(), "invalid"), word, address)
		}
	}
	_, err := alert.New(alert.Options{Store: struct{ store.Store }{}, URLs: []string{"ntfy://ntfy.sh/goals", "discord://verysecrettoken"}})
	require.ErrorContains(t, err, "the second address discord://(hidden)")
}

// The forms that an error shows are those of the page, and the library takes them.
func TestTheFormsOfAddressesAreThoseOfThePage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for kind, form := range alert.Forms {
		require.Contains(t, string(page), "`"+form+"`")
		require.True(t, strings.HasPrefix(form, kind))
	}
}

func TestWhatALibrarySaysIsShownWithoutSecrets(t *testing.T) {
	t.Parallel()
	for address, said := range map[string]string{
		"slack://hook:T0AAAAAAA-B0BBBBBBB-CCCCCCCCCCCCCCCCCCCCCCCC@webhook": `Post "https://hooks.slack.com/services/T0AAAAAAA/B0BBBBBBB/CCCCCCCCCCCCCCCCCCCCCCCC": no`,
		"discord://CCCCCCCCCCCCCCCC@123456789":                              `Post "https://discord.com/api/webhooks/123456789/CCCCCCCCCCCCCCCC": no`,
		"telegram://123456789:CCCCCCCCCCCC@telegram?chats=@a":               `Post "https://api.telegram.org/bot123456789:CCCCCCCCCCCC/sendMessage": no`,
		"smtp://me:CCC@mail.example:25/?from=a@b.de&to=c@d.de":              `auth failed with CCC`,
	} {
		b := setup(t, func(o *alert.Options) { o.URLs = []string{address} })
		b.fail = errors.New(said)
		err := sendNew(t.Context(), b.n)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "CCC")
		require.NotContains(t, err.Error(), "BBB")
		require.NotContains(t, err.Error(), "123456789:")
	}
}

// Telegram's API gets what its documentation asks for, and an answer that is no success is a failure.
func TestTelegramIsAskedThroughAWebhook(t *testing.T) {
	t.Parallel()
	u, err := url.Parse("telegram://123:tok@telegram?chats=@goals,-100:7")
	require.NoError(t, err)
	hooks := alert.Telegrams(u)
	require.Len(t, hooks, 2)
	require.True(t, strings.HasPrefix(hooks[0], "generic+https://api.telegram.org/bot123:tok/sendMessage?"), hooks[0])
	got := make(chan map[string]string, 2)
	status := http.StatusOK
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]string
		_ = json.NewDecoder(r.Body).Decode(&body)
		body["path"] = r.URL.Path
		got <- body
		w.WriteHeader(status)
	}))
	t.Cleanup(api.Close)
	n, err := alert.New(alert.Options{URLs: []string{strings.Replace(hooks[1], "generic+https://api.telegram.org", "generic+"+api.URL, 1)}})
	require.NoError(t, err)
	require.NoError(t, test(t, n))
	body := <-got
	require.Equal(t, "/bot123:tok/sendMessage", body["path"])
	require.Equal(t, "-100", body["chat_id"])
	require.Equal(t, "7", body["message_thread_id"])
	require.Contains(t, body["text"], "this is a test")
	status = http.StatusUnauthorized
	require.Error(t, test(t, n))
}

func test(t *testing.T, n []teller.Teller) error {
	t.Helper()
	_, err := n[0].Test(t.Context())
	return err
}

// sendNew lets every target look once.
func sendNew(ctx context.Context, n []teller.Teller) error {
	var failed []error
	for _, c := range n {
		failed = append(failed, c.SendNew(ctx))
	}
	return errors.Join(failed...)
}

func chosen(f news.Filter, err error) func(context.Context) (news.Filter, error) {
	return func(context.Context) (news.Filter, error) { return f, err }
}

// alone is a process beside which no other sends.
func alone(context.Context, string) (bool, error) { return true, nil }
