package hosts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/footy"
)

// TestWordsOfAPage: it says that its clip is gone where it says nothing else; in its furniture these words say nothing.
func TestWordsOfAPage(t *testing.T) {
	t.Parallel()
	const link, words = "https://nova.example/v/1", "Video not found"
	const app = `<title>Nova</title><div id="root"></div><video id="player"></video>`
	for name, c := range map[string]struct {
		page string
		gone bool
	}{
		"heading":                          {`<h1>` + words + `</h1>`, true},
		"heading in pieces":                {`<h1><span>Sorry,</span> this <b>clip</b> has been removed.</h1>`, true},
		"title":                            {`<title>404 - Not Found | Nova</title><div id="root"></div>`, true},
		"title behind the site's name":     {`<title>Nova :: This video is no longer available</title>`, true},
		"a short page":                     {`<title>Nova</title><p>The clip you want was deleted</p>`, true},
		"a heading over a film":            {`<h1>no longer available</h1><video src="/deleted.mp4" autoplay></video>`, true},
		"a heading over another film":      {`<h1>This video has been removed by the uploader</h1><video controls src="/intro.mp4"></video>`, true},
		"a heading over a frame":           {`<h1>Video unavailable</h1><iframe src="/e/1"></iframe>`, true},
		"a film that says so by its name":  {`<video controls src="/static/video-not-found.mp4"></video>`, true},
		"og:video that says so":            {`<meta property="og:video" content="https://cdn.nova.example/removed.mp4">`, true},
		"a heading within noscript":        {`<noscript><h1>Video not found</h1></noscript>`, true},
		"doubled blanks":                   {"<h1>The  video\n you requested  could not be found</h1>", true},
		"in a script":                      {app + `<script>var errors = {missing: "` + words + `"}</script>`, false},
		"in a script's template":           {app + `<script type="text/x-template"><h1>` + words + `</h1></script>`, false},
		"in a template":                    {app + `<template><h1>` + words + `</h1></template>`, false},
		"a film in a template":             {`<h1>Nova</h1><template><video src="/x.mp4"></video></template>`, false},
		"hidden":                           {app + `<h1 hidden>` + words + `</h1>`, false},
		"in something hidden":              {app + `<div style="display: none"><div><h1>` + words + `</h1></div></div>`, false},
		"hidden for readers":               {app + `<div aria-hidden="true"><p>` + words + `</p></div>`, false},
		"hidden by a class":                {app + `<p class="error d-none">` + words + `</p>`, false},
		"a dialog that is closed":          {app + `<dialog><h1>` + words + `</h1></dialog>`, false},
		"among related items":              {app + `<div class="related"><p>Keeper: ` + words + `</p></div>`, false},
		"in an aside":                      {app + `<aside><h1>` + words + `</h1></aside>`, false},
		"in a link":                        {app + `<a href="/v/2">` + words + `</a>`, false},
		"in the footer":                    {app + `<footer>Has your content been removed? Write to us.</footer>`, false},
		"in a comment of a reader":         {app + `<ul class="comments"><li>` + words + ` for me</li></ul>`, false},
		"where the video cannot be played": {`<title>Nova</title><video id="player">This video is not available in your browser</video>`, false},
		"beside a player":                  {app + `<div class="overlay">` + words + `</div>`, false},
		"in a picture's words":             {app + `<img alt="` + words + `"><svg><title>` + words + `</title></svg>`, false},
		"in a form":                        {app + `<select><option>` + words + `</option></select><button>` + words + `</button><textarea>` + words + `</textarea>`, false},
		"in a style":                       {app + `<style>p::after { content: "` + words + `" }</style>`, false},
		"commented out":                    {app + `<!-- <h1>` + words + `</h1> -->`, false},
		"in a long text":                   {`<title>A report</title>` + app + `<p>` + report + ` The clip was later deleted. ` + report + `</p>`, false},
		"a headline that only has them":    {`<h1>Why the video was removed: UEFA speaks</h1>` + app, false},
	} {
		there := web{link: c.page}
		for _, at := range []string{"/deleted.mp4", "/intro.mp4", "/static/video-not-found.mp4", "/e/1", "/x.mp4"} {
			there["https://nova.example"+at] = video
		}
		there["https://cdn.nova.example/removed.mp4"] = video
		a, err := there.resolve(t, link, "")
		require.Empty(t, a.File, name)
		require.Equal(t, c.gone, a.Gone != "", "%s: %q %v", name, a.Gone, err)
		hand, _ := table(t).Read(link, []byte(c.page))
		require.Equal(t, c.gone, hand.Gone != "", "at hand, %s: %q", name, hand.Gone)
		require.Empty(t, hand.File, name)
	}
}

const report = `The match was decided late. Both sides had their chances in the first half, and the keeper of the guests was the best man on the pitch until the hour. `

// TestARowsOwnPointerIsBelievedBeforeWords that stand beside it; other pointers of an error page are not.
func TestARowsOwnPointerIsBelievedBeforeWords(t *testing.T) {
	t.Parallel()
	there := web{"https://streamain.com/embed/a": `<h1>Not found</h1><video data-link="https://media.sportits.com/a.mp4">`, "https://media.sportits.com/a.mp4": video,
		"https://dropr.co/v/k2": `<h1>Not found</h1><video src="/x.mp4">`, "https://dropr.co/x.mp4": video}
	a, err := there.resolve(t, "https://streamain.com/a", "")
	require.NoError(t, err)
	require.Equal(t, "https://media.sportits.com/a.mp4", a.File)
	a, err = there.resolve(t, "https://dropr.co/v/k2", "")
	require.NoError(t, err)
	require.Contains(t, a.Gone, `says "Not found"`)
}

// TestWhichVideoOfAPage: the one that the page is about.
func TestWhichVideoOfAPage(t *testing.T) {
	t.Parallel()
	const link, mp4 = "https://nova.example/v/1", "https://cdn.nova.example/1.mp4"
	const loop = `<video autoplay muted loop playsinline src="/bg.mp4"></video>`
	const ld = `<script type="application/ld+json">{"@type":"VideoObject","contentUrl":"` + mp4 + `"}</script>`
	const frame, ad = `<iframe src="https://player.nova.example/e/1"></iframe>`, `<video src="https://ads.example/spot.mp4"></video>`
	for name, c := range map[string]struct{ page, file string }{
		"a background, then the player":           {loop + `<video controls src="` + mp4 + `"></video>`, mp4},
		"a background, then JSON-LD":              {loop + ld, mp4},
		"a background, then a plain video":        {loop + `<video id="player" src="` + mp4 + `"></video>`, mp4},
		"a background, then a frame":              {loop + frame, mp4},
		"a background alone":                      {loop, "https://nova.example/bg.mp4"},
		"an upper-case background, then a player": {`<VIDEO AUTOPLAY MUTED LOOP SRC="/bg.mp4"></VIDEO><video CONTROLS><source src="` + mp4 + `"></video>`, mp4},
		"a thumbnail, then the player":            {`<a href="/v/2"><video src="/bg.mp4" poster="/2.jpg"></video></a><video src="` + mp4 + `" controls></video>`, mp4},
		"a thumbnail, then a plain video":         {`<a href="/v/2"><video src="/bg.mp4"></video></a><video src="` + mp4 + `"></video>`, mp4},
		"posters alone, then a frame":             {`<a href="/v/2"><video poster="/2.jpg"></video></a>` + frame, mp4},
		"a preview on a poster, then JSON-LD":     {`<video poster="/2.jpg" preload="none" data-src="/bg.mp4"></video>` + ld, mp4},
		"related items before":                    {`<div class="video-related"><video controls src="/bg.mp4"></video></div><video controls src="` + mp4 + `"></video>`, mp4},
		"related items in JSON-LD":                {`<script type="application/ld+json">{"@type":"ItemList","itemListElement":[{"@type":"VideoObject","contentUrl":"/bg.mp4"}]}</script><video src="` + mp4 + `"></video>`, mp4},
		"hidden, then seen":                       {`<div hidden><video controls src="/bg.mp4"></video></div><video src="` + mp4 + `"></video>`, mp4},
		"in a template, then the page's":          {`<template><video controls src="/bg.mp4"></video></template><video src="` + mp4 + `"></video>`, mp4},
		"og:video in a template":                  {`<template><meta property="og:video" content="/bg.mp4"></template><video src="` + mp4 + `"></video>`, mp4},
		"an ad, then a frame":                     {ad + frame, mp4},
		"an ad with controls, then a frame":       {`<video controls src="https://ads.example/spot.mp4"></video>` + frame, mp4},
		"an ad, then the page's own":              {ad + `<video src="` + mp4 + `"></video>`, mp4},
		"an ad, then JSON-LD":                     {ad + ld, mp4},
		"an ad and a frame without a video":       {`<iframe src="/chat"></iframe><video src="https://files.example/1.mp4"></video>`, "https://files.example/1.mp4"},
		"an ad's frame, then the player's":        {`<div class="ad-slot"><iframe src="/chat"></iframe></div>` + frame, mp4},
		"a chat's frame, then the player's":       {`<iframe src="/chat"></iframe><iframe allowfullscreen src="https://player.nova.example/e/1"></iframe>`, mp4},
		"a tracker's frame, then the player's":    {`<iframe src="/chat" width="1" height="1" style="display:none"></iframe>` + frame, mp4},
		"og:video before all others":              {`<video controls src="/bg.mp4"></video><meta property="og:video" content="` + mp4 + `">`, mp4},
		"a file of another site alone":            {`<video src="https://files.example/1.mp4"></video>`, "https://files.example/1.mp4"},
		"an article's frame and its ad":           {`<meta property="og:type" content="article"><div>` + ad + frame + `</div>`, ""},
		"an article's own player":                 {`<meta property="og:type" content="article"><video controls src="` + mp4 + `"></video>`, mp4},
		"an article by JSON-LD":                   {`<script type="application/ld+json">{"@type":"NewsArticle","headline":"x"}</script>` + loop, ""},
		"an article with og:video":                {`<meta property="og:type" content="article"><meta property="og:video" content="` + mp4 + `">`, mp4},
	} {
		there := web{link: c.page, mp4: video, "https://nova.example/bg.mp4": video, "https://ads.example/spot.mp4": video, "https://files.example/1.mp4": video,
			"https://player.nova.example/e/1": `<video src="` + mp4 + `">`, "https://nova.example/chat": "<p>chat</p>"}
		a, err := there.resolve(t, link, "")
		require.Equal(t, c.file, a.File, "%s: %v %v", name, a.Steps, err)
		if c.file == "" {
			require.Equal(t, footy.ReasonNoVideo, footy.ReasonOf(err), name)
		}
	}
	article := web{link: `<meta property="og:type" content="article">` + frame, mp4: video, "https://player.nova.example/e/1": `<video src="` + mp4 + `">`}
	a, err := article.resolve(t, link, "pointer to a video")
	require.NoError(t, err)
	require.Equal(t, mp4, a.File, "of a host that gave a clip so")
}

func TestAPageAtHandNamesItsPlayer(t *testing.T) {
	t.Parallel()
	a, err := table(t).Read("https://nova.example/v/1", []byte(`<iframe src="//player.nova.example/e/1"></iframe>`))
	require.ErrorContains(t, err, "https://player.nova.example/e/1")
	require.Contains(t, a.Steps, "looks into the player https://player.nova.example/e/1")
	require.Equal(t, []hosts.Asking{{How: "page", Address: "https://nova.example/v/1"}, {How: "page", Address: "https://player.nova.example/e/1"}}, a.Ways)
	require.Empty(t, a.File)
	require.Empty(t, a.Gone)
}

// TestHostsBeyondASCII have one name, however it is written.
func TestHostsBeyondASCII(t *testing.T) {
	t.Parallel()
	const ascii = "https://xn--mnchen-3ya.example/v/1"
	for _, link := range []string{"https://münchen.example/v/1", "https://MÜNCHEN.example/v/1", "https://m%C3%BCnchen.example/v/1", ascii} {
		there := web{ascii: `<video src="//cdn.münchen.example/1.mp4">`, "https://cdn.xn--mnchen-3ya.example/1.mp4": video}
		a, err := there.resolve(t, link, "")
		require.NoError(t, err, link)
		require.Equal(t, []string{"xn--mnchen-3ya.example", "https://cdn.xn--mnchen-3ya.example/1.mp4", ascii}, []string{a.Host, a.File, a.Ways[0].Address}, link)
	}
}

// TestStreamablesFailedClips: it was not able to encode one, which is not a clip that is still to come.
func TestStreamablesFailedClips(t *testing.T) {
	t.Parallel()
	const link, api = "https://streamable.com/moo", "https://api.streamable.com/videos/moo"
	for body, gone := range map[string]bool{
		`{"status":3}`: true, `{"status": 3, "message": "error"}`: true,
		`{"status":0}`: false, `{"status":1,"files":{"mp4-mobile":{"status":3}}}`: false, `{"status":2,"files":{"mp4":{"status":3}}}`: false,
	} {
		a, err := web{api: body}.resolve(t, link, "")
		require.Equal(t, gone, a.Gone != "", body)
		require.Equal(t, gone, err == nil, body)
	}
	a, err := web{api: `{"status":3}`, link: "503"}.resolve(t, link, "")
	require.ErrorContains(t, err, "503", "a way could not be asked")
	require.Empty(t, a.Gone)
}
