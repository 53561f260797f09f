package hosts_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/hosts"
)

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// TestPagesOfManyShapes: what a page of a host that no row knows points at; "" = at nothing that may be fetched.
func TestPagesOfManyShapes(t *testing.T) {
	t.Parallel()
	const link, mp4 = "https://nova.example/v/1?x=1", "https://cdn.nova.example/1.mp4"
	ld := func(json string) string { return `<script type="application/ld+json">` + json + `</script>` }
	for name, c := range map[string]struct{ page, file string }{
		"og:video":                         {`<meta property="og:video" content="` + mp4 + `">`, mp4},
		"og:video:url":                     {`<meta property=og:video:url content=` + mp4 + `>`, mp4},
		"og:video:secure_url, http beside": {`<meta property="og:video" content="http://cdn.nova.example/1.mp4"><meta property="og:video:secure_url" content="` + mp4 + `">`, mp4},
		"og:video over http alone":         {`<meta property="og:video" content="http://cdn.nova.example/1.mp4">`, ""},
		"by name in place of property":     {`<meta name="og:video" content="` + mp4 + `">`, mp4},
		"attributes reversed, no quotes":   {`<meta content=` + mp4 + ` property=og:video>`, mp4},
		"upper case":                       {`<META PROPERTY="OG:VIDEO" CONTENT="` + mp4 + `">`, mp4},
		"meta in the body":                 {`<body><div><p>x</p><meta property="og:video" content="` + mp4 + `"></div>`, mp4},
		"entities":                         {`<meta property="og:video" content="https&#58;//cdn.nova.example/1.mp4?a=1&amp;b=2">`, mp4 + "?a=1&b=2"},
		"twitter:player:stream":            {`<meta name="twitter:player:stream" content="` + mp4 + `">`, mp4},
		"protocol-relative":                {`<video src="//cdn.nova.example/1.mp4"></video>`, mp4},
		"relative to the root":             {`<video src="/f/1.mp4"></video>`, "https://nova.example/f/1.mp4"},
		"relative to the page":             {`<video src="f/1.mp4"></video>`, "https://nova.example/v/f/1.mp4"},
		"relative to base":                 {`<base href="https://cdn.nova.example/"><video src="1.mp4"></video>`, mp4},
		"relative to a relative base":      {`<base href="/files/"><video src=1.mp4></video>`, "https://nova.example/files/1.mp4"},
		"an address with blanks":           {"<meta property='og:video' content='\n  " + mp4 + "\n'>", mp4},
		"source":                           {`<video><source src="` + mp4 + `" type="video/mp4"></video>`, mp4},
		"lazy source":                      {`<video><source data-src="` + mp4 + `"></video>`, mp4},
		"lazy, with a stand-in":            {`<video src="about:blank" data-src="` + mp4 + `"></video>`, mp4},
		"play-list first, then a file":     {`<video><source src="/1.m3u8"><source src="` + mp4 + `"></video>`, mp4},
		"in noscript":                      {`<noscript><video src="` + mp4 + `"></video></noscript>`, mp4},
		"picture's and audio's sources":    {`<picture><source srcset="/a.webp" src="/a.webp" type="image/webp"></picture><audio><source src="` + mp4 + `"></audio>`, ""},
		"commented out":                    {`<!-- <video src="` + mp4 + `"></video> -->`, ""},
		"in a script":                      {`<script>var t = '<video src="` + mp4 + `"></video>';</script>`, ""},
		"contentUrl":                       {ld(`{"@type":"VideoObject","contentUrl":"` + mp4 + `"}`), mp4},
		"contentUrl in an array":           {ld(`[{"@type":"WebSite","url":"https://nova.example/x.mp4"},{"@type":"VideoObject","contentUrl":["` + mp4 + `"]}]`), mp4},
		"contentUrl in a graph":            {ld(`{"@context":"https://schema.org","@graph":[{"@type":"ImageObject","contentUrl":"https://nova.example/i.mp4"},{"@type":["Thing","VideoObject"],"contentUrl":"` + mp4 + `?a=1&amp;b=2"}]}`), mp4 + "?a=1&b=2"},
		"contentUrl deep in a page":        {ld(`{"@type":"WebPage","mainEntity":{"video":{"@type":"VideoObject","contentUrl":"https:\/\/cdn.nova.example\/1.mp4"}}}`), mp4},
		"broken JSON-LD, then a video":     {ld(`{"@type":`) + `<video src="` + mp4 + `">`, mp4},
		"itemprop":                         {`<div itemscope><link itemprop="contentUrl" href="` + mp4 + `"></div>`, mp4},
		"packed without a header":          {packed(t, `<html><video src="`+mp4+`"></video>`), mp4},
		"byte order mark":                  {"\xef\xbb\xbf<!DOCTYPE html><video src='" + mp4 + "'>", mp4},
		"a picture at og:video":            {`<meta property="og:video" content="https://cdn.nova.example/pic">`, ""},
		"a picture first, then a file":     {`<meta property="og:video" content="https://cdn.nova.example/pic"><video src="` + mp4 + `">`, mp4},
		"a GIF by its name":                {`<meta property="og:video" content="https://cdn.nova.example/1.gif">`, ""},
		"a play-list":                      {`<meta property="og:video" content="https://cdn.nova.example/1.m3u8">`, ""},
		"a play-list by another name":      {`<meta property="og:video" content="https://cdn.nova.example/stream">`, ""},
		"a frame of the same site":         {`<iframe src="https://player.nova.example/e/1"></iframe>`, mp4},
		"a lazy frame":                     {`<iframe data-src="//player.nova.example/e/1" src="about:blank"></iframe>`, mp4},
		"a frame of another site":          {`<iframe src="https://evil.example/e/1"></iframe>`, ""},
		"a frame of a look-alike":          {`<iframe src="https://notnova.example/e/1"></iframe>`, ""},
		"a frame in a frame":               {`<iframe src="/two"></iframe>`, ""},
		"a frame that is the page":         {`<iframe src="` + link + `"></iframe>`, ""},
		"og:video is a player":             {`<meta property="og:video" content="https://player.nova.example/e/1"><meta property="og:video:type" content="text/html">`, mp4},
		"og:video is an untyped player":    {`<meta property="og:video" content="https://player.nova.example/e/1">`, mp4},
		"a player, then a file":            {`<meta property="og:video" content="https://player.nova.example/e/1"><meta property="og:video:type" content="text/html"><meta property="og:video" content="` + mp4 + `"><meta property="og:video:type" content="video/mp4">`, mp4},
		"embedUrl":                         {ld(`{"@type":"VideoObject","embedUrl":"https://player.nova.example/e/1"}`), mp4},
		"twitter:player":                   {`<meta name="twitter:player" content="https://player.nova.example/e/1">`, mp4},
		"undefined":                        {`<meta property="og:video" content="https://undefined">`, ""},
		"empty pointers":                   {`<meta property="og:video" content=""><video src=""><source></video>`, ""},
		"blob, data, javascript":           {`<video src="blob:https://nova.example/1"></video><video src="data:video/mp4;base64,AA"></video><iframe src="javascript:x()"></iframe>`, ""},
		"a file on this network":           {`<meta property="og:video" content="https://192.168.1.1/1.mp4">`, ""},
		"with a password":                  {`<meta property="og:video" content="https://a:b@cdn.nova.example/1.mp4">`, ""},
		"another scheme":                   {`<video src="ftp://cdn.nova.example/1.mp4"></video><video src="file:///etc/passwd">`, ""},
		"the page points at itself":        {`<meta property="og:video" content="` + link + `">`, ""},
		"a deleted clip, with 200":         {`<title>Nova</title><p>This video has been deleted.</p>`, ""},
		"frame with a dead pointer":        {`<meta property="og:video" content="https://cdn.nova.example/gone.mp4"><iframe src="https://player.nova.example/e/1"></iframe>`, mp4},
		"JSON-LD in a comment":             {"<script type='application/ld+json'><!--\n{\"@type\":\"VideoObject\",\"contentUrl\":\"" + mp4 + "\"}\n--></script>", mp4},
		"text before the page":             {"nova\n<video src='" + mp4 + "'>", mp4},
		"an XHTML page":                    {`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><video src="` + mp4 + `"/></html>`, mp4},
	} {
		there := web{link: c.page, "https://cdn.nova.example/pic": "GIF89a", "https://cdn.nova.example/stream": "#EXTM3U\n", "https://192.168.1.1/1.mp4": video,
			"https://player.nova.example/e/1": `<video src="` + mp4 + `">`, "https://evil.example/e/1": `<video src="` + mp4 + `">`, "https://notnova.example/e/1": `<video src="` + mp4 + `">`,
			"https://nova.example/two": `<iframe src="https://player.nova.example/e/1"></iframe>`, "https://evil.example/1.mp4": video}
		for _, at := range []string{mp4, mp4 + "?a=1&b=2", "https://nova.example/f/1.mp4", "https://nova.example/v/f/1.mp4", "https://nova.example/files/1.mp4"} {
			there[at] = video
		}
		a, err := there.resolve(t, link, "")
		require.Equal(t, c.file, a.File, "%s: %v %v", name, a.Steps, err)
		if c.file == "" {
			require.True(t, err != nil || a.Gone != "", name)
		}
		hand, _ := table(t).Read(link, []byte(c.page))
		if hand.File != "" && c.file != "" && !strings.Contains(name, "first") && !strings.Contains(name, "untyped") && !strings.Contains(name, "dead") {
			require.Equal(t, c.file, hand.File, "at hand: "+name)
		}
	}
}

// TestAPageOfManyPointersIsNotAskedForAll: a page may name thousands.
func TestAPageOfManyPointersIsNotAskedForAll(t *testing.T) {
	t.Parallel()
	const link = "https://nova.example/v/1"
	asked := 0
	var b strings.Builder
	for i := range 1000 {
		b.WriteString(`<video src="/` + strings.Repeat("a", i+1) + `.mp4"></video><iframe src="/` + strings.Repeat("b", i+1) + `"></iframe>`)
	}
	there := web{link: b.String()}
	_, err := table(t).Resolve(link, "", false, func(address string, whole bool) (hosts.Asked, error) {
		asked++
		return there.ask(address, whole)
	})
	require.Error(t, err)
	require.LessOrEqual(t, asked, 12)
}
