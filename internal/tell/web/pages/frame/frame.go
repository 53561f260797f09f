// Package frame is what all pages share: their layout, the card of a match, the files of the browser, and the places where a
// part of the product shows itself on pages of others.
package frame

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"hash"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"path"
	"regexp"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/session"
	"github.com/found-footy/found-footy/internal/tell/words"
)

//go:embed *.html
var templates embed.FS

// icons are the symbols that "icon" shows, drawn once in each page.
//
//go:embed icons.svg
var icons string

// Options of the frame.
type Options struct {
	Site      session.Site
	Operators *session.Operators
	Timing    explain.Timing
	Now       func() time.Time
	Log       *slog.Logger
}

// Frame surrounds pages. It is complete before the first page is shown.
type Frame struct {
	opt      Options
	common   *template.Template // cloned for each Pages, never executed
	cards    translated
	fixtures *cache.Cache // rendered
	files    map[string]*answer.Answer
	spoken   []string // keys of the catalogue that scripts use
	version  string   // of the files
	links    []Link
	sections []Section
}

// renderedFixtures bounds the rendered fixtures that are kept.
const renderedFixtures = 4000

// New parses the templates that all pages share.
func New(opt Options) (*Frame, error) {
	f := &Frame{opt: opt, files: map[string]*answer.Answer{},
		fixtures: cache.New(cache.Options{Limit: renderedFixtures, Patience: time.Minute, Now: time.Now})}
	var err error
	if f.common, err = template.New("layout.html").Funcs(f.funcs(words.English())).ParseFS(templates, "*.html"); err != nil {
		return nil, err
	}
	f.cards.master, err = f.common.Clone()
	return f, err
}

// Base is what every page needs.
type Base struct {
	Title       string
	Description string
	Origin      string // https://host, for links that leave the page
	Path        string
	Zone        string
	Admin       bool
	AdminOn     bool
	CSRF        string
	Card        *Card
	Picture     string          // path of one that shows what the page is about
	Language    *words.Language // the reader's

	request *http.Request
	shared  bool
}

// Card is what other sites show of a page.
type Card struct {
	Title, Description, URL, Image, Video, OEmbed string
	Width, Height                                 int
}

// ShareCard is what other sites show of the page; nil for a page that nobody shares, or whose address is not public.
func (b Base) ShareCard() *Card {
	if b.Card != nil || !b.shared || b.Origin == "" {
		return b.Card
	}
	c := &Card{Title: cmp.Or(b.Title, "Found Footy"), Description: b.Description, URL: b.Origin + b.Path}
	if b.Picture != "" {
		c.Image = b.Origin + b.Picture
	}
	return c
}

// Base of the page that r asks for.
func (f *Frame) Base(r *http.Request, title string) Base {
	o := f.opt.Operators
	return Base{
		Title: title, Origin: f.opt.Site.Origin(r), Path: r.URL.Path, Zone: lookup.Zone(r).String(), AdminOn: o.Enabled(),
		Admin: o.Sees(r), CSRF: o.FormToken(r), Description: everyGoal, Language: words.Of(r), request: r,
	}
}

const everyGoal = "Every goal of the day with its best clip, live."

// SharedBase is that of a page that is the same for all readers of a zone and language.
func (f *Frame) SharedBase(r *http.Request, title string, zone *time.Location) Base {
	return Base{Title: title, Origin: f.opt.Site.BaseURL, Path: r.URL.Path, Zone: zone.String(), AdminOn: f.opt.Operators.Enabled(), Description: everyGoal,
		Language: words.Of(r), shared: true}
}

// TypeOf is the media type of a file by its ending; fixed, because the tables of systems differ.
func TypeOf(file string) string {
	return cmp.Or(map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}[path.Ext(file)], "image/png")
}

// addFiles keeps the files of assets/, compressed once. All parts' files have one version in their path, so that modules can import each
// other by relative path and every file can be cached for ever.
func (f *Frame) addFiles(files fs.FS) error {
	sum := sha256.New()
	sum.Write([]byte(f.version))
	entries, err := fs.ReadDir(files, "assets")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		body, err := fs.ReadFile(files, "assets/"+name)
		if err != nil {
			return footy.Wrap(footy.CodeInvalid, "read "+name, err)
		}
		if f.files[name] != nil {
			return footy.Errorf(footy.CodeInvalid, "add files", "two parts have a file %s", name)
		}
		sum.Write([]byte(name))
		sum.Write(body)
		f.files[name] = answer.New(http.StatusOK, TypeOf(name), body)
		for _, key := range spoken.FindAllSubmatch(body, -1) {
			f.spoken = append(f.spoken, string(key[1]))
		}
	}
	f.addWords(sum)
	f.version = hex.EncodeToString(sum.Sum(nil)[:5])
	return footy.Wrap(footy.CodeInvalid, "list files", err)
}

// spoken finds what scripts take from the catalogue.
var spoken = regexp.MustCompile(`\bt\("([^"\\]+)"`)

// addWords makes the files of words that scripts use, one a language.
func (f *Frame) addWords(sum hash.Hash) {
	for _, l := range words.All() {
		name, body := "words-"+l.Tag+".js", l.Script(f.spoken)
		sum.Write(body)
		f.files[name] = answer.New(http.StatusOK, TypeOf(name), body)
	}
}

// Version of the files.
func (f *Frame) Version() string { return f.version }

// URL of a file.
func (f *Frame) URL(file string) string { return "/assets/" + f.version + "/" + file }

// Asset serves a file.
func (f *Frame) Asset(w http.ResponseWriter, r *http.Request) error {
	a, ok := f.files[r.PathValue("file")]
	if !ok {
		return footy.Errorf(footy.CodeNotFound, "asset", "There is no such file.")
	}
	if r.PathValue("version") == f.version {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	a.Send(w, r) // an old page asks for an old version: it gets the present file, which must not be cached
	return nil
}
