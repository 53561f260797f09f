// Package words is the catalogue of what fans read. The key of a sentence is its English form; LANGUAGE.json has its translation, or its forms
// by plural category of the first argument ({"one": "%d gol", "other": "%d goles"}). en.json has English plurals only.
package words

import (
	"cmp"
	"embed"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"
)

//go:embed *.json
var files embed.FS

// Language is one of those that pages are shown in.
type Language struct {
	Tag  string // as in <html lang>: de
	Name string // its own: Deutsch
	Key  string // of what is kept in it: de, or en12 with hours of a.m. and p.m.

	printer *message.Printer
	words   map[string]entry
	dates   *strings.Replacer // English names of months and days
	twelve  *Language         // with hours of a.m. and p.m.; nil of that itself
}

// entry is a translation: a sentence, or its plural forms.
type entry struct {
	text  string
	forms map[string]string
}

func (e *entry) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		return json.Unmarshal(raw, &e.text)
	}
	return json.Unmarshal(raw, &e.forms)
}

func (e entry) MarshalJSON() ([]byte, error) {
	if e.forms != nil {
		return json.Marshal(e.forms)
	}
	return json.Marshal(e.text)
}

// message is the entry for the printer, which needs the form "other".
func (e entry) message() catalog.Message {
	if e.forms == nil {
		return catalog.String(e.text)
	}
	var cases []any
	for _, form := range []string{"zero", "one", "two", "few", "many"} {
		if s, ok := e.forms[form]; ok {
			cases = append(cases, form, s)
		}
	}
	return plural.Selectf(1, "%d", append(cases, "other", e.forms["other"])...)
}

// all is built on first use; the first is the one for readers whose language is not there.
var all = sync.OnceValue(func() []*Language {
	b := catalog.NewBuilder(catalog.Fallback(language.English))
	out := []*Language{{Tag: "en", Name: "English"}, {Tag: "es", Name: "Español"}, {Tag: "pt", Name: "Português"}, {Tag: "de", Name: "Deutsch"},
		{Tag: "fr", Name: "Français"}, {Tag: "it", Name: "Italiano"}}
	for _, l := range out {
		raw, err := files.ReadFile(l.Tag + ".json")
		if err == nil {
			err = json.Unmarshal(raw, &l.words)
		}
		tag := language.MustParse(l.Tag)
		for key, e := range l.words {
			if err == nil {
				err = b.Set(tag, key, e.message())
			}
		}
		if err != nil {
			panic("words: " + l.Tag + ".json: " + err.Error()) // embedded: a test would have failed
		}
		l.printer = message.NewPrinter(tag, message.Catalog(b))
		l.dates, l.Key = strings.NewReplacer(l.names()...), l.Tag
		twelve := *l
		twelve.Key += "12"
		l.twelve = &twelve
	}
	return out
})

// names are pairs of English names in dates and their translations, long ones first.
func (l *Language) names() (pairs []string) {
	add := func(long string) { pairs = append(pairs, long, l.T(long), long[:3], l.T(long[:3])) }
	for m := time.January; m <= time.December; m++ {
		add(m.String())
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		add(d.String())
	}
	return pairs
}

// All languages, English first.
func All() []*Language { return all() }

// English is that of programs, and of readers whose language is not there.
func English() *Language { return all()[0] }

var matcher = sync.OnceValue(func() language.Matcher {
	var tags []language.Tag
	for _, l := range all() {
		tags = append(tags, language.MustParse(l.Tag))
	}
	return language.NewMatcher(tags)
})

// Named is the language of a tag; English where there is none.
func Named(tag string) *Language { return cmp.Or(find(tag), English()) }

func find(tag string) *Language {
	if i := slices.IndexFunc(all(), func(l *Language) bool { return l.Tag == tag }); i >= 0 {
		return all()[i]
	}
	return nil
}

// twelveHours are the languages of regions where hours are those of a.m. and p.m.
var twelveHours = strings.Fields("en-US en-CA en-AU en-NZ en-IN en-PH en-PK en-SG en-MY en-HK en-JM es-US es-CO es-PR es-PA es-VE es-DO")

// Of is the reader's language: asked for in the address, else chosen in the settings, else the browser's. Its hours are as chosen, else as where
// the browser says it is.
func Of(r *http.Request) *Language {
	cookie := func(name string) string {
		if c, err := r.Cookie(name); err == nil {
			return c.Value
		}
		return ""
	}
	wanted, _, _ := language.ParseAcceptLanguage(r.Header.Get("Accept-Language")) // broken: none
	l, clock := find(cmp.Or(r.URL.Query().Get("lang"), cookie("lang"))), cookie("clock")
	if len(wanted) > 0 {
		_, i, _ := matcher().Match(wanted...)
		l = cmp.Or(l, all()[i])
		if clock == "" && slices.Contains(twelveHours, wanted[0].String()) {
			clock = "12"
		}
	}
	if l = cmp.Or(l, English()); clock == "12" {
		return l.twelve
	}
	return l
}

// T is a sentence in the language: the English one where it has no translation. The first number among args chooses the plural.
func (l *Language) T(key string, args ...any) string {
	if len(args) > 0 {
		return l.printer.Sprintf(key, args...)
	}
	if e, ok := l.words[key]; ok {
		return e.text
	}
	return key
}

var amPM = strings.NewReplacer("15:04:05", "3:04:05\u00a0PM", "15:04", "3:04\u00a0PM")

// Time writes t as an English layout of package time says, whose translation may order it differently.
func (l *Language) Time(t time.Time, layout string) string {
	if l.twelve == nil {
		layout = amPM.Replace(layout)
	}
	return l.dates.Replace(t.Format(l.T(layout)))
}

// Has reports whether the language has its own words for a key.
func (l *Language) Has(key string) bool { _, ok := l.words[key]; return ok }

// Keys are all that the language has, sorted.
func (l *Language) Keys() []string { return slices.Sorted(maps.Keys(l.words)) }

// Script is the file that gives scripts their words for keys.
func (l *Language) Script(keys []string) []byte {
	own := map[string]entry{}
	for _, key := range keys {
		if e, ok := l.words[key]; ok {
			own[key] = e
		}
	}
	body, _ := json.Marshal(own) // strings only: cannot fail
	return slices.Concat([]byte("window.footyWords="), body, []byte(";\n"))
}
