package hosts

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/net/html"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// Answer is where a clip's file lies, step by step.
type Answer struct {
	Host    string   `json:"host"` // the row's name
	ID      string   `json:"id"`
	Ways    []Asking `json:"ways"` // in the order in which they are tried
	Steps   []string `json:"steps"`
	File    string   `json:"file"`              // "" = none is known
	Gone    string   `json:"gone,omitempty"`    // why there will be none: a suspicion about the clip
	Trouble string   `json:"trouble,omitempty"` // why it was not found: the host's trouble, or ours

	Way string `json:"-"` // the name of the one that led to the file
}

// Asking is one way of one clip.
type Asking struct {
	How     string `json:"how"`     // address, json or page
	Address string `json:"address"` // what is asked
}

// Asked is what a host answered.
type Asked struct {
	Status int
	Kind   source.Kind // by its first bytes
	Body   []byte
	At     *url.URL      // where redirects led; nil = to what was asked
	Wait   time.Duration // that it asks for
}

// Ask asks for an address: for its first bytes, or for the whole of a page.
type Ask func(address string, whole bool) (Asked, error)

// walk is the search for one clip's file.
type walk struct {
	Answer
	row    Row
	link   *url.URL
	ask    Ask
	hand   []byte // the page at hand; nil = hosts are asked
	proven bool   // the host gave a clip before

	gone     string   // a sign of a deleted clip, which counts if no way has one
	misses   []string // what is no fact about the clip, as long as a way was not asked
	troubles []string // why ways could not be asked
	wait     time.Duration
	limited  bool
	unlisted *url.URL
	player   bool // a page has a player, and names no file
	inPieces bool // a page names a play-list
	asked    map[asked]bool
}

type asked struct {
	address string
	whole   bool
}

// ways are those of the row, the one of that name before all others, and at last the page's own pointer.
func (w *walk) ways(first string) []Way {
	all := slices.Clone(w.row.Ways)
	if (w.row.unknown || !Never(w.link.String())) && !slices.ContainsFunc(all, func(way Way) bool { return way.Find.Pattern == "" && w.address(way) == w.link.String() }) {
		all = append(all, Way{Find: anyPointer})
	}
	if i := slices.IndexFunc(all, func(way Way) bool { return way.name() == first }); first != "" && i > 0 {
		all = slices.Insert(slices.Delete(slices.Clone(all), i, i+1), 0, all[i])
	}
	for _, way := range all {
		w.Ways = append(w.Ways, Asking{way.Find.how(), w.address(way)})
	}
	return all
}

func (w *walk) address(way Way) string {
	return fill(cmp.Or(way.Find.Pattern, way.Page, w.link.String()), w.ID)
}

// Resolve finds the file of a page's clip: each way is asked, the one of the name first before all others, until one answers with a video. What
// is wrong with the host, or not yet so, is an error; it is never the post's fault. pages leaves out what is only guessed.
func (t Table) Resolve(link, first string, pages bool, ask Ask) (Answer, error) {
	return t.resolve(link, first, pages, nil, ask)
}

// Read is what a page at hand says; no host is asked.
func (t Table) Read(link string, body []byte) (Answer, error) {
	head := Asked{Status: http.StatusOK, Kind: source.KindVideo}
	page := Asked{Status: http.StatusOK, Kind: source.KindOf(unpacked(body)), Body: body}
	return t.resolve(link, "", true, body, func(_ string, whole bool) (Asked, error) {
		if whole {
			return page, nil
		}
		return head, nil
	})
}

func (t Table) resolve(link, first string, pages bool, hand []byte, ask Ask) (Answer, error) {
	r, id, err := t.Lookup(link)
	if err != nil {
		return Answer{Ways: []Asking{}, Steps: []string{}}, err
	}
	u, err := join(nil, link)
	if err != nil {
		return Answer{}, footy.Wrap(footy.CodeInvalid, "", err)
	}
	if u.Fragment = ""; u.Port() == "" && !httpx.Secure(u) {
		u.Scheme = "https"
	}
	w := &walk{Answer: Answer{Host: r.Name, ID: id}, row: r, link: u, ask: ask, hand: hand, proven: first != "", asked: map[asked]bool{}}
	if r.unknown {
		w.step("no row of the table knows %s: its page is asked what it shows", u.Host+u.Path)
	} else {
		w.step("a page of %s, clip %s", r.Name, id)
	}
	for _, way := range w.ways(first) {
		switch address := w.address(way); {
		case r.unknown && Never(u.String()):
			w.miss("%s is no address of a clip: it is not asked", u.Redacted())
		case way.Find.Pattern != "" && !pages:
			w.video(address, true)
		case way.Find.Pattern == "" && (hand == nil || (way.Find.JSON != "") == gjson.ValidBytes(unpacked(hand))):
			w.page(address, way.Find, 1)
		}
		if w.Gone != "" || w.File != "" {
			w.Way = way.name()
			return w.Answer, nil
		}
	}
	return w.Answer, w.end()
}

// anyPointer is what is tried at last.
var anyPointer = Find{Any: true}

// end says what it means that no way had a video.
func (w *walk) end() error {
	all := strings.Join(append(w.troubles, w.misses...), "; ")
	switch {
	case w.unlisted != nil:
		return w.row.unlisted(w.unlisted)
	case len(w.troubles) > 0:
		e := w.row.trouble("%s", all)
		if w.limited {
			e.Code, e.RetryAfter = footy.CodeRateLimited, w.wait
		}
		return e
	case w.gone == "" && (w.inPieces || w.hand != nil) && !w.row.unknown:
		return w.row.trouble("%s", cmp.Or(all, "what is at hand fits no way of it"))
	case w.gone != "" || !w.row.unknown:
		w.Gone = cmp.Or(w.gone, all)
	case w.player && !w.inPieces:
		e := w.row.trouble("its page has a player and names no file: %s", "add a row to "+File+" in STATE_DIR that says where it lies")
		e.Reason = footy.ReasonUnknownHost
		return e
	default:
		return &footy.Error{Code: footy.CodeRejected, Op: "fetch a clip", Reason: footy.ReasonNoVideo, Err: failure{w.row.Name, errors.New(all)}}
	}
	return nil
}

func (w *walk) step(format string, args ...any) string {
	w.Steps = append(w.Steps, fmt.Sprintf(format, args...))
	return w.Steps[len(w.Steps)-1]
}

func (w *walk) miss(format string, args ...any) string {
	s := w.step(format, args...)
	if !slices.Contains(w.misses, s) {
		w.misses = append(w.misses, s)
	}
	return s
}

func (w *walk) trouble(format string, args ...any) {
	if s := w.step(format, args...); !slices.Contains(w.troubles, s) {
		w.troubles = append(w.troubles, s)
	}
}

// passing are refusals that say nothing of a guess.
var passing = []int{http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, http.StatusUnavailableForLegalReasons}

// answer asks for an address. What it says of all addresses alike is noted; else what came is given back.
func (w *walk) answer(address string, whole, guess bool) (got Asked, at *url.URL, ok bool) {
	u, err := join(nil, address)
	if err != nil {
		w.miss("%q is no address", address)
		return got, u, false
	}
	w.asked[asked{address, whole}] = true
	got, err = w.ask(address, whole)
	at = cmp.Or(hop(err), got.At, u)
	switch status := got.Status; {
	case strings.Contains(at.Hostname(), abused):
		w.Gone = w.step("another film stands in its place, at %s", at.Host)
	case err != nil:
		w.trouble("%s: %s", at.Host, cause(err))
	case got.Kind == source.KindVideo && standIn.MatchString(path.Base(at.Path)):
		w.gone = w.miss("another film stands in its place, %s", at.Host+at.Path)
	case status == http.StatusOK || status == http.StatusPartialContent:
		return got, at, true
	case status == http.StatusNotFound || status == http.StatusGone:
		if miss := w.miss("%s answers %d", u.Host, status); w.row.unknown && address == w.link.String() {
			w.gone = miss
		}
	case guess && status >= 400 && status < 500 && !slices.Contains(passing, status):
		w.miss("%s answers %d", u.Host, status)
	default:
		w.limited, w.wait = w.limited || status == http.StatusTooManyRequests, max(w.wait, got.Wait)
		w.trouble("%s answers %d", u.Host, status)
	}
	return got, at, false
}

// video asks whether a video lies at an address.
func (w *walk) video(address string, guess bool) source.Kind {
	u, err := join(nil, address)
	if err != nil || w.asked[asked{address, false}] {
		return ""
	}
	if len(w.row.Files) > 0 && (!httpx.Secure(u) || !httpx.Allowed(u.Host, w.row.Files)) {
		w.unlisted = u
		return ""
	}
	got, at, ok := w.answer(address, false, guess)
	switch {
	case !ok:
	case len(w.row.Files) > 0 && !httpx.Allowed(at.Host, w.row.Files):
		w.unlisted = at
	case got.Kind == source.KindVideo:
		if w.File = address; w.hand == nil {
			w.step("a video lies at %s", u.Host)
		}
	case got.Kind == source.KindPlaylist:
		w.inPieces = true
		w.miss("%s has %s, which is not fetched", u.Host, got.Kind)
	case guess || w.row.unknown:
		w.miss("%s has %s where a video was looked for", u.Host, cmp.Or(got.Kind, "something"))
	default: // its own pages point there, and not at a video
		w.trouble("%s has %s where its page points at a video", u.Host, cmp.Or(got.Kind, "something"))
	}
	return got.Kind
}

// page asks a page what it points at; hops is how many frames of its own site may be looked into.
func (w *walk) page(address string, find Find, hops int) {
	if w.asked[asked{address, true}] {
		return
	}
	if w.hand != nil && hops == 0 {
		w.Ways = append(w.Ways, Asking{find.how(), address})
		w.trouble("the page's player is not at hand: %s", address)
		return
	}
	got, base, ok := w.answer(address, true, false)
	switch {
	case !ok:
		return
	case got.Kind == source.KindVideo:
		w.File = address
		w.step("%s is a video itself", address)
		return
	}
	found, ok := w.read(base, got.Body, find)
	if !ok {
		return
	}
	before, files := len(w.troubles), false
	for i := 0; i < len(found.all) && w.File == "" && w.Gone == ""; i++ {
		switch p := found.all[i]; {
		case !p.frame:
			files = true
			if kind := w.video(p.address, false); kind == source.KindText && p.own { // a player by the name of a file
				p.frame = true
				found.all = append(found.all, p)
			}
		case hops > 0:
			hops--
			w.step("looks into the player %s", p.address)
			w.page(p.address, anyPointer, hops)
		}
	}
	if w.File == "" && w.Gone == "" && !files && len(w.troubles) == before {
		w.names(base.Host, find, found)
	}
}

// names says what it means that a page names no file.
func (w *walk) names(host string, find Find, found pointers) {
	w.player, w.inPieces = w.player || found.player, w.inPieces || found.inPieces
	what := fmt.Sprintf("%s has no %s", host, find.by())
	switch {
	case found.deleted != "":
		w.gone = w.miss("%s says %q", host, found.deleted)
	case found.inPieces:
		w.miss("%s names only a play-list of pieces (HLS or DASH), which is not fetched", host)
	case found.article:
		w.miss("%s: it is a report", what)
	case !slices.ContainsFunc(w.row.Ways, func(own Way) bool { return own.Find == find }): // nothing was promised
		w.miss("%s", what)
	case w.row.Missing == Deleted:
		w.gone = w.miss("%s, which the page of every clip has that is there", what)
	default:
		w.trouble("%s: %s", what, w.row.missing())
	}
}

// read finds what an answer points at: what the row says first. It reports false where it is too early, or the clip is gone.
func (w *walk) read(base *url.URL, body []byte, find Find) (found pointers, ok bool) {
	body = unpacked(body)
	structured := gjson.ValidBytes(body)
	switch ready := w.row.Ready; {
	case w.row.Gone != nil && w.row.Gone.Match(body):
		w.Gone = w.step("its answer says that the clip is gone")
		return found, false
	case ready != nil && find.JSON != "" && structured:
		is := gjson.GetBytes(body, ready.JSON).String()
		if is != "" && is == ready.Never {
			w.gone = w.miss("%s is %q: there will be no file", ready.JSON, is)
			return found, false
		}
		if is != ready.Is {
			w.trouble("%s is %q and not %q: %s", ready.JSON, is, ready.Is, w.row.missing())
			return found, false
		}
	}
	page := &html.Node{}
	if kind := source.KindOf(body); find.JSON == "" && (kind == source.KindText || kind == "") && !structured {
		page = parsed(body)
	}
	found.add(w.row, base, pointer{address: find.in(body, page), how: find.by()})
	found.read(w.row, base, page, w.proven)
	for _, p := range found.all {
		if !p.frame {
			w.step("found %s at %s", p.how, p.address)
		}
	}
	for _, why := range found.refused[:min(len(found.refused), maxPointers)] {
		w.step("%s", why)
	}
	return found, true
}

// fileless are endings of paths that are no file of a video.
var fileless = regexp.MustCompile(`(?i)^\.(?:jpe?g|png|gif|webp|svg|avif|heic|ico|bmp|pdf|html?|php|js|css|json|vtt|srt|mp3|m4a|aac|swf)$`)

// pieces are endings of play-lists.
var pieces = regexp.MustCompile(`(?i)^\.(?:m3u8|mpd)$`)

// never are networks that show nothing without a log-in or a script: asking them costs, and gives no file.
var never = []string{".reddit.com", ".redd.it", ".x.com", ".twitter.com", ".t.co", ".youtube.com", ".youtu.be", ".facebook.com", ".fb.watch", ".instagram.com", ".threads.net", ".tiktok.com"}

// Never reports whether an address surely leads to no clip: those networks, what is not public, pictures and documents.
func Never(address string) bool {
	u, err := join(nil, address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || !httpx.PublicName(u.Hostname()) {
		return true
	}
	end := strings.ToLower(path.Ext(u.Path))
	return fileless.MatchString(end) && !slices.Contains([]string{".html", ".htm", ".php"}, end) || httpx.Allowed(u.Host, never)
}
