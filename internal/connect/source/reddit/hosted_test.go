package reddit_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
)

// records is a ledger in memory.
type records map[string]hosts.Record

func (r records) Record(_ context.Context, row string) (hosts.Record, error) { return r[row], nil }

func (r records) Note(_ context.Context, row string, o hosts.Outcome) {
	r[row] = r[row].Noted(o, time.Now())
}

// film is a file that begins as one.
const film = "\x00\x00\x00\x18ftypmp42 and so on"

// onHost is a fetcher of a post that links to a page, in a world whose hosts answer so, by host and path.
func onHost(t *testing.T, link string, r records, answers map[string]string) (*reddit.Fetcher, *reddit.Source) {
	t.Helper()
	world := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch body := answers[r.URL.Path[1:]]; body {
		case "":
			http.NotFound(w, r)
		case "403", "410", "429", "503":
			status, _ := strconv.Atoi(body)
			w.WriteHeader(status)
		default:
			if len(body) > 3 && body[:3] == "-> " {
				http.Redirect(w, r, body[3:], http.StatusFound)
				return
			}
			if at, own, is := strings.Cut(body, " for "); is {
				if r.Referer() != at {
					w.WriteHeader(http.StatusForbidden)
					return
				}
				body = own
			}
			w.Header().Set("Content-Type", "text/plain") // the first bytes count, whatever a host calls it
			_, _ = w.Write([]byte(body))
		}
	}))
	t.Cleanup(world.Close)
	s := newSite(t, whole(listed(map[string]any{"name": "t3_1", "title": "Ajax 0 - [1] Celtic - MacAllan 60'", "created_utc": float64(time.Now().Unix()), "url": link})))
	table, err := hosts.Load(t.TempDir())
	require.NoError(t, err)
	o := s.options()
	o.Table, o.HostsURL, o.Private = table, world.URL, true
	if r != nil {
		o.Ledger = r
	}
	src := reddit.New(o, s.Client())
	return reddit.NewFetcher(src, xtweet.Options{AllowedHosts: []string{"v.redd.it"}, Tries: 2, Pause: time.Millisecond}, s.Client()), src
}

const streamff, share, stub = "https://streamff.pro/v/a1", "ffedge.streamff.com/share/a1", "https://cloudflare-terms-of-service-abuse.com/stub.mp4"

func file(at string) string { return fmt.Sprintf(`[{"external_url":%q}]`, at) }

func TestAPostOnAHostOfTheTableIsFetched(t *testing.T) {
	t.Parallel()
	r := records{}
	f, src := onHost(t, streamff, r, map[string]string{share: file("https://cdn.streamff.com/a1.mp4"),
		"cdn.streamff.com/a1.mp4": "-> https://edge.hostedhost.top/a1.mp4", "edge.hostedhost.top/a1.mp4": film})
	found, err := src.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	require.Len(t, found.Candidates, 1, "posts on hosts of the table are taken")
	var out bytes.Buffer
	_, err = f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &out)
	require.NoError(t, err)
	require.Equal(t, film, out.String())
	require.Equal(t, []string{streamff}, r["streamff"].Known)
	require.NoError(t, source.Probe(t.Context(), f, footy.Candidate{PostID: "t3_1"}))
}

// TestAFileThatIsServedToItsOwnPagesAlone: as to browsers, which name the page's site.
func TestAFileThatIsServedToItsOwnPagesAlone(t *testing.T) {
	t.Parallel()
	f, _ := onHost(t, "https://nova.example/v/1", nil, map[string]string{"nova.example/v/1": `<meta property="og:video" content="https://cdn.example/1.mp4">`,
		"cdn.example/1.mp4": "https://nova.example/ for " + film})
	var out bytes.Buffer
	_, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &out)
	require.NoError(t, err)
	require.Equal(t, film, out.String())
}

func TestWhatAHostAnswersIsAFactOnlyWhereItSaysThatTheClipIsGone(t *testing.T) {
	t.Parallel()
	const cdn = "cdn.streamff.com/a1.mp4"
	at := file("https://" + cdn)
	for name, c := range map[string]struct {
		link    string
		answers map[string]string
		reason  footy.Reason
		says    string
	}{
		"gone":                    {streamff, map[string]string{share: "[]"}, footy.ReasonDeleted, "streamff: "},
		"a stub":                  {streamff, map[string]string{share: file(stub)}, footy.ReasonDeleted, "another film"},
		"led to a stub":           {streamff, map[string]string{share: at, cdn: "-> " + stub, stub[8:]: "a film"}, footy.ReasonDeleted, "another film"},
		"the page led to a stub":  {streamff, map[string]string{share: "-> " + stub, stub[8:]: "a film"}, footy.ReasonDeleted, "another film"},
		"no file":                 {streamff, map[string]string{share: at}, footy.ReasonDeleted, "cdn.streamff.com answers 404"},
		"refused page":            {streamff, map[string]string{share: "403"}, footy.ReasonHostFailed, "streamff: ffedge.streamff.com answers 403"},
		"busy page":               {streamff, map[string]string{share: "429"}, footy.ReasonHostFailed, "ffedge.streamff.com answers 429"},
		"refused file":            {streamff, map[string]string{share: at, cdn: "403"}, footy.ReasonHostFailed, "cdn.streamff.com answers 403"},
		"busy file":               {streamff, map[string]string{share: at, cdn: "429"}, footy.ReasonHostFailed, "cdn.streamff.com answers 429"},
		"broken file":             {streamff, map[string]string{share: at, cdn: "503"}, footy.ReasonHostFailed, "cdn.streamff.com answers 503"},
		"a page that has changed": {streamff, map[string]string{share: `{"url":"x"}`}, footy.ReasonHostFailed, "a row in hosts.json may say how they are now"},
		"led to http":             {streamff, map[string]string{share: at, cdn: "-> http://cdn.streamff.com/b.mp4"}, footy.ReasonHostFailed, "http to cdn.streamff.com is not allowed"},
		"led to another scheme":   {streamff, map[string]string{share: at, cdn: "-> file:///etc/passwd"}, footy.ReasonHostFailed, "is not allowed"},
		"closed for all":          {"https://bangr.example/v/1", map[string]string{"bangr.example/v/1": "410"}, footy.ReasonDeleted, "bangr.example answers 410"},
		"a page with a player":    {"https://nova.example/v/1", map[string]string{"nova.example/v/1": "<video></video>"}, footy.ReasonUnknownHost, "add a row to hosts.json in STATE_DIR"},
		"a page without a video":  {"https://nova.example/v/1", map[string]string{"nova.example/v/1": "<p>a report"}, footy.ReasonNoVideo, "has no pointer to a video"},
		"a picture on Reddit":     {"https://i.redd.it/a.png", nil, footy.ReasonNoVideo, ""},
	} {
		f, _ := onHost(t, c.link, nil, c.answers)
		var out bytes.Buffer
		_, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &out)
		require.Equal(t, c.reason, footy.ReasonOf(err), "%s: %v", name, err)
		require.Contains(t, footy.RootCause(err), c.says, name)
		fact := c.reason == footy.ReasonDeleted || c.reason == footy.ReasonNoVideo
		require.Equal(t, fact, footy.CodeOf(err) == footy.CodeRejected, "%s: %v", name, err)
		require.Empty(t, out.String(), name)
	}
}

func TestAHostThatLeadsToAPrivateAddressIsNotAsked(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 1)
	private := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	t.Cleanup(private.Close)
	dir := t.TempDir()
	host := private.Listener.Addr().String()
	row := fmt.Sprintf(`{"hosts":[{"name":"near","hosts":[%q],"paths":["^/(.+)$"],"find":{"pattern":"http://%s/{id}.mp4"},"files":[%q]}]}`, host, host, host)
	require.NoError(t, os.WriteFile(filepath.Join(dir, hosts.File), []byte(row), 0o600))
	table, err := hosts.Load(dir)
	require.NoError(t, err)
	s := newSite(t, whole(listed(map[string]any{"name": "t3_1", "title": "Ajax 0 - [1] Celtic - MacAllan 60'", "created_utc": 1, "url": "http://" + host + "/a1"})))
	o := s.options()
	o.Table = table
	_, err = reddit.NewFetcher(reddit.New(o, s.Client()), xtweet.Options{Tries: 1}, s.Client()).Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &bytes.Buffer{})
	require.Equal(t, footy.ReasonHostFailed, footy.ReasonOf(err), "%v", err)
	require.ErrorContains(t, err, "not public")
	require.Empty(t, asked)
}

// TestGoneIsBelievedOfAHostThatHasOthers: a host that moved its pages says it of every clip.
func TestGoneIsBelievedOfAHostThatHasOthers(t *testing.T) {
	t.Parallel()
	const known, newer = "https://streamff.pro/v/b2", "https://streamff.pro/v/c3"
	for name, c := range map[string]struct {
		known  []string
		answer map[string]string
		reason footy.Reason
		says   string
	}{
		"others can be fetched":    {[]string{known}, map[string]string{"ffedge.streamff.com/share/b2": file("https://cdn.streamff.com/b2.mp4"), "cdn.streamff.com/b2.mp4": film}, footy.ReasonDeleted, ""},
		"others are said to be":    {[]string{known}, map[string]string{"ffedge.streamff.com/share/b2": "[]"}, footy.ReasonHostFailed, "nor can one be fetched that could be before"},
		"the last is gone, too":    {[]string{newer, known}, map[string]string{"ffedge.streamff.com/share/c3": "[]", "ffedge.streamff.com/share/b2": file("https://cdn.streamff.com/b2.mp4"), "cdn.streamff.com/b2.mp4": film}, footy.ReasonDeleted, ""},
		"none was ever had":        {nil, nil, footy.ReasonHostFailed, "no other clip of it was fetched yet"},
		"itself was the last seen": {[]string{streamff}, nil, footy.ReasonHostFailed, "no other clip of it was fetched yet"},
	} {
		r := records{"streamff": {Known: c.known}}
		if c.answer == nil {
			c.answer = map[string]string{}
		}
		c.answer[share] = "[]"
		f, _ := onHost(t, streamff, r, c.answer)
		_, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &bytes.Buffer{})
		require.Equal(t, c.reason, footy.ReasonOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, c.says, name)
		require.Equal(t, c.reason == footy.ReasonHostFailed, len(r["streamff"].Failed) == 1, name)
	}
}

func TestTenFailuresAlikeAreCounted(t *testing.T) {
	t.Parallel()
	r := records{}
	f, _ := onHost(t, streamff, r, map[string]string{share: "403"})
	for range hosts.Enough {
		_, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &bytes.Buffer{})
		require.Error(t, err)
	}
	require.False(t, r["streamff"].Failing(), "one clip that is tried again and again says little of its host")
	for n := range hosts.Enough - 1 {
		require.False(t, r["streamff"].Failing())
		r.Note(t.Context(), "streamff", hosts.Outcome{Page: fmt.Sprint(n), Failure: r["streamff"].How})
	}
	require.True(t, r["streamff"].Failing())
	require.Contains(t, r["streamff"].How, "ffedge.streamff.com answers 403")
	now := time.Now()
	require.False(t, r["streamff"].Noted(hosts.Outcome{Failure: "answers 404"}, now).Failing(), "another failure begins anew")
	require.False(t, r["streamff"].Noted(hosts.Outcome{Page: streamff}, now).Failing())
	few := hosts.Record{}.Noted(hosts.Outcome{Page: "a", Failure: "only 12345 bytes came"}, now).Noted(hosts.Outcome{Page: "b", Failure: "only 9876 bytes came"}, now)
	require.Len(t, few.Failed, 2)
}

// TestAnOlderClipByAGuessIsNoProof: streamin's older clips lie elsewhere than its new ones, and its pages know both.
func TestAnOlderClipByAGuessIsNoProof(t *testing.T) {
	t.Parallel()
	const link, older, old = "https://streamin.link/v/new", "https://streamin.link/v/old", "w-cdn.streamin.top/uploads/old.mp4"
	const og = `<meta property="og:video" content="https://w-cdn.streamin.top/uploads/old.mp4?1">`
	for name, c := range map[string]struct {
		answers map[string]string
		reason  footy.Reason
	}{
		"the page of the older one has moved, too": {map[string]string{old: film}, footy.ReasonHostFailed},
		"pages name no files any more":             {map[string]string{old: film, "streamin.link/v/old": "<p>", "streamin.link/v/new": "<p>"}, footy.ReasonHostFailed},
		"the page of the older one names its file": {map[string]string{old: film, "streamin.link/v/old": og}, footy.ReasonDeleted},
		"the page knows where it lies":             {map[string]string{old: film, "streamin.link/v/new": `<meta property="og:video" content="//x-cdn.example/new.mp4">`, "x-cdn.example/new.mp4": film}, ""},
	} {
		r := records{"streamin": {Known: []string{older}, Way: "https://w-cdn.streamin.top/uploads/{id}.mp4"}}
		f, _ := onHost(t, link, r, c.answers)
		_, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &bytes.Buffer{})
		require.Equal(t, c.reason, footy.ReasonOf(err), "%s: %v", name, err)
		if err == nil {
			require.Equal(t, "meta element og:video", r["streamin"].Way, "the way that worked goes first next time")
		}
	}
}

func TestAHostThatNoRowKnowsIsAskedForItsPointer(t *testing.T) {
	t.Parallel()
	r := records{}
	f, src := onHost(t, "https://nova.example/v/a1", r, map[string]string{"nova.example/v/a1": `<meta property="og:video" content="https://cdn.nova.example/a1.mp4">`, "cdn.nova.example/a1.mp4": film})
	found, err := src.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	require.Len(t, found.Candidates, 1)
	var out bytes.Buffer
	_, err = f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &out)
	require.NoError(t, err)
	require.Equal(t, film, out.String())
	require.Equal(t, []string{"https://nova.example/v/a1"}, r["nova.example"].Known)
	require.NoError(t, source.Probe(t.Context(), f, footy.Candidate{PostID: "t3_1"}))
}

func TestAHostThatNeverGaveAClipRestsAfterEnoughPages(t *testing.T) {
	t.Parallel()
	for body, how := range map[string]string{"410": "answers 410", "<p>a report": hosts.NoVideo} {
		r := records{}
		answers := map[string]string{"nova.example/v/a1": body}
		f, _ := onHost(t, "https://nova.example/v/a1", r, answers)
		fetch := func() error {
			_, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &bytes.Buffer{})
			return err
		}
		require.Error(t, fetch())
		require.Contains(t, r["nova.example"].How, how)
		for n := range hosts.Enough - 1 {
			r.Note(t.Context(), "nova.example", hosts.Outcome{Page: fmt.Sprint(n), Failure: r["nova.example"].How})
		}
		err := fetch()
		require.Equal(t, footy.ReasonHostFailed, footy.ReasonOf(err))
		require.ErrorContains(t, err, "is asked again after an hour")
		require.True(t, r["nova.example"].Rests(time.Now()))
		require.False(t, r["nova.example"].Rests(time.Now().Add(2*time.Hour)))
		require.False(t, r["nova.example"].Noted(hosts.Outcome{Page: "x"}, time.Now()).Rests(time.Now()))
	}
}

// TestAPageThatLeadsToAPrivateAddress, by a pointer or a redirect, leads nowhere. No host but the page's own is a stand-in here.
func TestNoPointerLeadsToAPrivateAddress(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 9)
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		_, _ = w.Write([]byte(film))
	}))
	t.Cleanup(private.Close)
	for _, at := range []string{private.URL + "/a.mp4", "https://169.254.169.254/a.mp4", "https://[::ffff:7f00:1]/a.mp4", "https://localhost/a.mp4", "https://2130706433/a.mp4", "https://10.0.0.1/a.mp4", "https://nas.local/a.mp4"} {
		f, _ := onHost(t, "https://nova.example/v/a1", nil, map[string]string{"nova.example/v/a1": `<meta property="og:video" content="` + at + `">`})
		_, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &bytes.Buffer{})
		require.Equal(t, footy.ReasonNoVideo, footy.ReasonOf(err), "%s: %v", at, err)
	}
	ask := hosts.Asker(t.Context(), httpx.Options{DenyPrivate: true})
	public := httptest.NewServer(http.RedirectHandler(private.URL+"/a.mp4", http.StatusFound))
	t.Cleanup(public.Close)
	for _, at := range []string{public.URL, private.URL} {
		_, err := ask(at, true)
		require.ErrorContains(t, err, "is not public")
	}
	require.Empty(t, asked)
}
