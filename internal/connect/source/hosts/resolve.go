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
	row  Row
	link *url.URL
	ask  Ask

	gone     string   // the row's sign of a deleted clip
	misses   []string // what is no fact about the clip, as long as a way was not asked
	troubles []string // why ways could not be asked
	wait     time.Duration
	limited  bool
	unlisted *url.URL
	player   bool // a page has a player, and names no file
	inPieces bool // a page names a play-list
	asked    map[string]bool
}

func (t Table) walk(link string, ask Ask) (*walk, error) {
	r, id, err := t.Lookup(link)
	if err != nil {
		return &walk{Answer: Answer{Ways: []Asking{}, Steps: []string{}}}, err
	}
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "", err)
	}
	if u.Fragment = ""; u.Port() == "" && !httpx.Secure(u) {
		u.Scheme = "https"
	}
	w := &walk{Answer: Answer{Host: r.Name, ID: id}, row: r, link: u, ask: ask, asked: map[string]bool{}}
	if r.unknown {
		w.step("no row of the table knows %s: its page is asked what it shows", u.Host+u.Path)
	} else {
		w.step("a page of %s, clip %s", r.Name, id)
	}
	return w, nil
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

// address is what a way asks.
func (w *walk) address(way Way) string {
	return fill(cmp.Or(way.Find.Pattern, way.Page, w.link.String()), w.ID)
}

// Resolve finds the file of a page's clip: each way is asked, the one of the name first before all others, until one answers with a video. What
// is wrong with the host, or not yet so, is an error; it is never the post's fault. pages leaves out what is only guessed.
func (t Table) Resolve(link, first string, pages bool, ask Ask) (Answer, error) {
	w, err := t.walk(link, ask)
	if err != nil {
		return w.Answer, err
	}
	for _, way := range w.ways(first) {
		switch {
		case w.row.unknown && Never(w.link.String()):
			w.miss("%s is no address of a clip: it is not asked", w.link.Redacted())
		case way.Find.Pattern == "":
			w.page(w.address(way), way.Find, 1)
		case !pages:
			w.video(w.address(way), true)
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
	case w.gone == "" && w.inPieces && !w.row.unknown:
		return w.row.trouble("%s", all)
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

func (w *walk) step(format string, args ...any) {
	w.Steps = append(w.Steps, fmt.Sprintf(format, args...))
}

func (w *walk) miss(format string, args ...any) {
	w.step(format, args...)
	if s := w.Steps[len(w.Steps)-1]; !slices.Contains(w.misses, s) {
		w.misses = append(w.misses, s)
	}
}

func (w *walk) trouble(format string, args ...any) {
	w.step(format, args...)
	if s := w.Steps[len(w.Steps)-1]; !slices.Contains(w.troubles, s) {
		w.troubles = append(w.troubles, s)
	}
}

// answer asks for an address. What it says of all addresses alike is noted; else what came is given back.
func (w *walk) answer(address string, whole, guess bool) (Asked, bool) {
	u, err := url.Parse(address)
	if err != nil {
		w.miss("%q is no address", address)
		return Asked{}, false
	}
	w.asked[address] = true
	got, err := w.ask(address, whole)
	at := cmp.Or(hop(err), got.At, u)
	switch status := got.Status; {
	case strings.Contains(at.Hostname(), abused):
		w.Gone = "another film stands in its place, at " + at.Host
		w.step("%s", w.Gone)
	case err != nil:
		w.trouble("%s: %s", at.Host, cause(err))
	case status == http.StatusOK || status == http.StatusPartialContent:
		return got, true
	case status == http.StatusNotFound || status == http.StatusGone:
		w.miss("%s answers %d", u.Host, status)
		if w.row.unknown && address == w.link.String() {
			w.gone = w.misses[len(w.misses)-1]
		}
	case guess && status >= 400 && status < 500 && !slices.Contains(passing, status):
		w.miss("%s answers %d", u.Host, status)
	default:
		w.limited, w.wait = w.limited || status == http.StatusTooManyRequests, max(w.wait, got.Wait)
		w.trouble("%s answers %d", u.Host, status)
	}
	return got, false
}

// passing are refusals that say nothing of a guess.
var passing = []int{http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, http.StatusUnavailableForLegalReasons}

// video asks whether a video lies at an address.
func (w *walk) video(address string, guess bool) source.Kind {
	u, err := url.Parse(address)
	if err != nil || w.asked[address] {
		return ""
	}
	if len(w.row.Files) > 0 && (!httpx.Secure(u) || !httpx.Allowed(u.Host, w.row.Files)) {
		w.unlisted = u
		w.trouble("the file is at %s, and the row names others that may serve it", u.Host)
		return ""
	}
	got, ok := w.answer(address, false, guess)
	switch {
	case !ok:
	case len(w.row.Files) > 0 && got.At != nil && !httpx.Allowed(got.At.Host, w.row.Files):
		w.unlisted = got.At
		w.trouble("the file is at %s, and the row names others that may serve it", got.At.Host)
	case got.Kind == source.KindVideo:
		w.File = address
		w.step("a video lies at %s", u.Host)
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
	if w.asked[address] {
		return
	}
	got, ok := w.answer(address, true, false)
	if !ok {
		return
	}
	if got.Kind == source.KindVideo {
		w.File = address
		w.step("%s is a video itself", address)
		return
	}
	base := got.At
	if base == nil {
		base, _ = url.Parse(address) // it was asked
	}
	found, silent := w.read(base, got.Body, find)
	if w.Gone != "" || silent != nil {
		return
	}
	before := len(w.troubles)
	for _, p := range found.files {
		kind := w.video(p.address, false)
		if w.File != "" || w.Gone != "" {
			return
		}
		if at, err := url.Parse(p.address); err == nil && kind == source.KindText && sameSite(at, base) { // a player by the name of a file
			found.frames = append(found.frames, p.address)
		}
	}
	for _, frame := range found.frames {
		if hops > 0 && (!w.asked[frame] || len(found.files) > 0) {
			w.step("looks into the player %s", frame)
			delete(w.asked, frame)
			w.page(frame, anyPointer, hops-1)
			break
		}
	}
	if w.File == "" && len(found.files) == 0 && len(w.troubles) == before {
		w.names(base.Host, find, found)
	}
}

// names says what it means that a page names no file.
func (w *walk) names(host string, find Find, found pointers) {
	w.player, w.inPieces = w.player || found.player, w.inPieces || found.inPieces
	what := fmt.Sprintf("%s has no %s", host, find.by())
	switch {
	case found.deleted != "":
		w.gone = fmt.Sprintf("%s says %q", host, found.deleted)
		w.miss("%s", w.gone)
	case found.inPieces:
		w.miss("%s names only a play-list of pieces (HLS or DASH), which is not fetched", host)
	case !slices.ContainsFunc(w.row.Ways, func(own Way) bool { return own.Find == find }): // nothing was promised
		w.miss("%s", what)
	case w.row.Missing == Deleted:
		w.gone = what + ", which the page of every clip has that is there"
		w.miss("%s", w.gone)
	default:
		w.trouble("%s: %s", what, w.row.missing())
	}
}

var errNotReady = errors.New("not ready")

// read finds what an answer points at: what the row says first. An error says that it is too early, or that the clip is gone.
func (w *walk) read(base *url.URL, body []byte, find Find) (pointers, error) {
	body = unpacked(body)
	if w.row.Gone != nil && w.row.Gone.Match(body) {
		w.Gone = "its answer says that the clip is gone"
		w.step("%s", w.Gone)
		return pointers{}, nil
	}
	if w.row.Ready != nil && find.JSON != "" && gjson.ValidBytes(body) {
		if is := gjson.GetBytes(body, w.row.Ready.JSON).String(); is != w.row.Ready.Is {
			w.trouble("%s is %q and not %q: %s", w.row.Ready.JSON, is, w.row.Ready.Is, w.row.missing())
			return pointers{}, errNotReady
		}
	}
	var found pointers
	if !find.Any {
		found.add(w.row, base, find.in(body), find.by())
	}
	if kind := source.KindOf(body); find.JSON == "" && (kind == source.KindText || kind == "") && !gjson.ValidBytes(body) {
		found.read(w.row, base, body)
	}
	for _, p := range found.files {
		w.step("found %s at %s", p.how, p.address)
	}
	for _, why := range found.refused {
		w.step("%s", why)
	}
	return found, nil
}

// Read is what a page at hand says; no host is asked.
func (t Table) Read(link string, body []byte) (Answer, error) {
	w, err := t.walk(link, nil)
	if err != nil {
		return w.Answer, err
	}
	if source.KindOf(body) == source.KindVideo {
		w.ways("")
		w.File = w.link.String()
		return w.Answer, nil
	}
	var found pointers
	fits, json := anyPointer, gjson.ValidBytes(unpacked(body))
	for _, way := range w.ways("") {
		base, err := url.Parse(w.address(way))
		if way.Find.Pattern != "" || err != nil || (way.Find.JSON != "") != json {
			continue
		}
		var ended error
		if found, ended = w.read(base, body, way.Find); ended != nil || w.Gone != "" || len(found.files) > 0 {
			break
		}
		if fits.Any {
			fits = way.Find
		}
	}
	switch {
	case w.Gone != "":
		return w.Answer, nil
	case len(found.files) > 0:
		w.File = found.files[0].address
		if u, err := url.Parse(w.File); err == nil && len(w.row.Files) > 0 && !httpx.Allowed(u.Host, w.row.Files) {
			return w.Answer, w.row.unlisted(u)
		}
		return w.Answer, nil
	case len(w.troubles) == 0:
		w.names("the page", fits, found)
	}
	if w.Gone = w.gone; w.Gone != "" {
		return w.Answer, nil
	}
	return w.Answer, w.row.trouble("%s", strings.Join(append(w.troubles, w.misses...), "; "))
}

// Guess is what the first way says without being asked; "" if only an answer can say.
func (t Table) Guess(link string) (Answer, error) {
	w, err := t.walk(link, nil)
	if err != nil {
		return w.Answer, err
	}
	if way := w.ways("")[0]; way.Find.Pattern != "" {
		w.File = w.address(way)
	}
	return w.Answer, nil
}

// fileless are endings of paths that are no file of a video.
var fileless = regexp.MustCompile(`(?i)^\.(?:jpe?g|png|gif|webp|svg|avif|heic|ico|bmp|pdf|html?|php|js|css|json|vtt|srt|mp3|m4a|aac|swf)$`)

// pieces are endings of play-lists.
var pieces = regexp.MustCompile(`(?i)^\.(?:m3u8|mpd)$`)

// Never reports whether an address surely leads to no clip: Reddit's own pages, sites that hand out no files, pictures and documents.
func Never(address string) bool {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || !public(u.Hostname()) {
		return true
	}
	end := path.Ext(u.Path)
	return fileless.MatchString(end) && !strings.EqualFold(end, ".html") && !strings.EqualFold(end, ".htm") && !strings.EqualFold(end, ".php") ||
		httpx.Allowed(u.Host, never)
}
