package posting_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/posting"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
)

type quiet struct{}

// Publish implements footy.Publisher.
func (quiet) Publish(context.Context, string, ...string) {}

// TestAnOperatorSaysWhatBecameOfAPostWhoseDeliveryIsUnknown by the goal's page.
func TestAnOperatorSaysWhatBecameOfAPostWhoseDeliveryIsUnknown(t *testing.T) {
	t.Parallel()
	s := webtest.New(t, func(o *web.Options) {
		core := port.Core{Store: o.Store, Page: quiet{}, Log: slog.New(slog.DiscardHandler)}
		o.Parts = append(o.Parts, func(lent web.Lent) (web.Part, error) { return posting.Extra().Page(core, lent) })
	})
	f := webtest.Match(1, webtest.Team(40, "Liverpool"), webtest.Team(50, "City"), webtest.Noon.Add(-time.Hour), "2H", 60, 1, 0)
	goal := webtest.Goal(&f, footy.SideHome, "Salah", 59, 1, 0)
	uid, id := goal.UID, goal.ID
	s.Add(f)
	plain := webtest.Text(t, s.Get("/g/"+id))
	require.NotContains(t, plain, "Posts of our own")
	unsure := func(removed bool) {
		s.Update(1, func(f *footy.Fixture) {
			e := f.Event(uid)
			e.Removed = removed
			for _, p := range []rule.Posting{{Target: "aa", Service: "Discord", Step: rule.Unsure, Error: "@secret_account: killed", At: webtest.Noon},
				{Target: "bb", Service: "X", Step: rule.Unsure, Error: "HTTP 502", At: webtest.Noon}, {Target: "cc", Service: "Telegram", Step: rule.Done, URL: "https://t.me/goals/12"}} {
				require.NoError(t, rule.Put(e, p))
			}
		})
	}
	unsure(false)
	public := webtest.Text(t, s.Get("/g/"+id))
	require.Contains(t, public, "It is unknown whether it was posted")
	require.Contains(t, public, `href="https://t.me/goals/12"`)
	require.NotContains(t, webtest.Text(t, s.Get("/g/"+id, "Accept-Language", "de")), "Posts of our own", "English is for those who read it")
	require.NotContains(t, public, "post-again")
	require.NotContains(t, public, "@secret_account", "what a service answered is the operator's")

	form := func(path string, values url.Values, header ...string) *http.Response {
		return s.Do(http.MethodPost, path, []byte(values.Encode()), append(header, "Content-Type", "application/x-www-form-urlencoded", "Origin", s.HTTP.URL)...)
	}
	c := form("/admin/login", url.Values{"token": {webtest.AdminToken}, "back": {"/"}}).Cookies()[0]
	cookie := c.Name + "=" + c.Value
	page := webtest.Text(t, s.Get("/g/"+id, "Cookie", cookie))
	require.Contains(t, page, "@secret_account")
	require.Equal(t, 2, strings.Count(page, "/post-again"))
	csrf := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(page)[1]
	res := form("/admin/events/"+uid+"/post-again", url.Values{"csrf": {csrf}, "target": {"aa"}}, "Cookie", cookie)
	require.Equal(t, "/g/"+id+"?done=post-again", res.Header.Get("Location"))
	require.Contains(t, webtest.Text(t, s.Get(res.Header.Get("Location"))), "It is posted again")
	call := func(action, target string) int {
		return form("/admin/events/"+uid+"/"+action, url.Values{"csrf": {csrf}, "target": {target}}, "Cookie", cookie).StatusCode
	}
	require.Equal(t, http.StatusSeeOther, call("post-is-there", "bb"))
	require.Equal(t, http.StatusConflict, call("post-is-there", "bb"), "it is known")
	require.Equal(t, http.StatusConflict, call("post-is-there", "cc"))

	is, err := s.Store.Fixture(t.Context(), 1)
	require.NoError(t, err)
	all, err := rule.All(is.Event(uid))
	require.NoError(t, err)
	require.True(t, all[0].Step == rule.None && all[0].Asked && all[0].Number == 1, "%+v", all[0])
	require.Equal(t, rule.There, all[1].Step)
	rows, err := s.Store.Entries(t.Context(), store.LogQuery{EventUID: uid, Kinds: []footy.EntryKind{footy.EntryExtra}})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	said := explain.Row(rows[0], nil) + "\n" + explain.Row(rows[1], nil)
	require.Contains(t, said, "Posting: operator post again, service Discord")
	require.NotContains(t, said, "secret")

	unsure(true)
	require.Equal(t, http.StatusConflict, call("post-again", "aa"), "the goal no longer stands")
}
