// Package blobtest is the conformance suite of the blob port: every adapter runs it.
package blobtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

// Traits say what the server under an adapter does not do.
type Traits struct {
	// LooseWords: of concurrent writers one may give the bytes and another the metadata. Such a server passes for
	// tests; the product writes one key with one content only.
	LooseWords bool
	// ByName: nothing travels with an object; its content type follows from its name.
	ByName bool
}

// kept is what comes back of what was put beside the bytes.
func (t Traits) kept(key string, info blob.Info) blob.Info {
	if t.ByName {
		info = blob.Info{ContentType: "application/octet-stream"}
		if strings.HasSuffix(key, ".mp4") {
			info.ContentType = "video/mp4"
		}
	}
	return info
}

// Run checks an adapter. open returns a store that shares nothing with other calls.
func Run(t *testing.T, open func(t *testing.T) blob.Store, traits Traits) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, blob.Store){
		"what was put comes back":                        func(t *testing.T, s blob.Store) { roundTrip(t, s, traits) },
		"empty objects":                                  empty,
		"missing objects are not found":                  missing,
		"a second put replaces bytes and words":          func(t *testing.T, s blob.Store) { overwrite(t, s, traits) },
		"of several who create one object one does":      created,
		"metadata may hold any UTF-8":                    func(t *testing.T, s blob.Store) { metadata(t, s, traits) },
		"metadata that cannot travel is refused":         badMetadata,
		"keys that leave the store are refused":          badKeys,
		"byte ranges":                                    ranges,
		"ranges through net/http":                        served,
		"delete":                                         remove,
		"a copy has its own words and its own life":      func(t *testing.T, s blob.Store) { copied(t, s, traits) },
		"tidying leaves what is whole":                   tidied,
		"list in key order, over 1,000 keys":             listMany,
		"list ends where the callback ends it":           listStop,
		"list by prefix":                                 listPrefix,
		"big objects and unknown sizes":                  big,
		"a body that breaks off leaves what was there":   func(t *testing.T, s blob.Store) { broken(t, s, traits) },
		"a body of another size is refused":              wrongSize,
		"concurrent puts of one key never mix":           func(t *testing.T, s blob.Store) { concurrent(t, s, traits) },
		"a reader keeps the version it opened, or fails": replacedWhileRead,
		"ping":                  ping,
		"a cancelled call ends": cancelled,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, open(t))
		})
	}
}

func put(t *testing.T, s blob.Store, key, body string) {
	t.Helper()
	require.NoError(t, s.Put(t.Context(), key, strings.NewReader(body), int64(len(body)), blob.Info{ContentType: "text/plain"}))
}

func read(t *testing.T, s blob.Store, key string) (string, blob.Attributes) {
	t.Helper()
	o, err := s.Open(t.Context(), key)
	require.NoError(t, err)
	defer func() { require.NoError(t, o.Close()) }()
	body, err := io.ReadAll(o)
	require.NoError(t, err)
	return string(body), o.Attributes()
}

func keys(t *testing.T, s blob.Store, prefix string) []string {
	t.Helper()
	var out []string
	require.NoError(t, s.List(t.Context(), prefix, func(a blob.Attributes) error {
		out = append(out, a.Key)
		return nil
	}))
	return out
}

func roundTrip(t *testing.T, s blob.Store, traits Traits) {
	info := blob.Info{ContentType: "video/mp4", Metadata: map[string]string{"event": "5000_1_2_Goal_1", "post": "1790000000000000001"}}
	require.NoError(t, s.Put(t.Context(), "clips/5000/a.mp4", strings.NewReader("moving pictures"), 15, info))
	info = traits.kept("clips/5000/a.mp4", info)
	body, attrs := read(t, s, "clips/5000/a.mp4")
	require.Equal(t, "moving pictures", body)
	require.Equal(t, "clips/5000/a.mp4", attrs.Key)
	require.EqualValues(t, 15, attrs.Size)
	require.Equal(t, info, attrs.Info)
	require.NotEmpty(t, attrs.ETag)
	require.NotContains(t, attrs.ETag, `"`)
	require.False(t, attrs.ModTime.IsZero())
	stat, err := s.Stat(t.Context(), "clips/5000/a.mp4")
	require.NoError(t, err)
	require.Equal(t, info, stat.Info)
	require.Equal(t, attrs.ETag, stat.ETag)
}

func empty(t *testing.T, s blob.Store) {
	for range 50 { // one request that leaves bytes on a connection fails only some of the next ones
		require.NoError(t, s.Put(t.Context(), "empty", strings.NewReader(""), 0, blob.Info{}))
		body, attrs := read(t, s, "empty")
		require.Empty(t, body)
		require.Zero(t, attrs.Size)
	}
}

func missing(t *testing.T, s blob.Store) {
	put(t, s, "clips/a/b", "x")
	for _, key := range []string{"clips/none", "clips/a", "clips/a/b/c", "none"} {
		_, err := s.Stat(t.Context(), key)
		require.Equal(t, footy.CodeNotFound, footy.CodeOf(err), "stat %s: %v", key, err)
		o, err := s.Open(t.Context(), key)
		require.Equal(t, footy.CodeNotFound, footy.CodeOf(err), "open %s: %v", key, err)
		require.Nil(t, o)
		require.NoError(t, s.Delete(t.Context(), key), "delete %s", key)
	}
	require.Empty(t, keys(t, s, "posters/"))
}

func overwrite(t *testing.T, s blob.Store, traits Traits) {
	for i, body := range []string{"first", "second, longer", "3"} {
		words := map[string]string{"number": fmt.Sprint(i)}
		require.NoError(t, s.Put(t.Context(), "k", strings.NewReader(body), int64(len(body)), blob.Info{ContentType: "text/plain", Metadata: words}))
		got, attrs := read(t, s, "k")
		require.Equal(t, body, got)
		require.Equal(t, traits.kept("k", blob.Info{Metadata: words}).Metadata, attrs.Info.Metadata)
	}
	require.Equal(t, []string{"k"}, keys(t, s, ""))
}

func metadata(t *testing.T, s blob.Store, traits Traits) {
	words := map[string]string{
		"scorer": "Rasmus Højlund", "team": "Đinamo Łódź 東京", "text": "GOOOL ⚽️ 100% \"sure\"\nline two", "plain": "a+b=c&d",
		"spaces": "  kept  ", "event_id": "5000_40_7_Goal_1",
	}
	require.NoError(t, s.Put(t.Context(), "clips/ü-ключ.mp4", strings.NewReader("x"), 1, blob.Info{ContentType: "video/mp4", Metadata: words}))
	attrs, err := s.Stat(t.Context(), "clips/ü-ключ.mp4")
	require.NoError(t, err)
	require.Equal(t, traits.kept("", blob.Info{Metadata: words}).Metadata, attrs.Info.Metadata)
	require.Equal(t, []string{"clips/ü-ключ.mp4"}, keys(t, s, "clips/"))
}

func badMetadata(t *testing.T, s blob.Store) {
	for name, words := range map[string]map[string]string{
		"key with capitals": {"PostID": "1"}, "empty key": {"": "1"}, "header break": {"a\r\nb": "1"},
		"too much": {"a": strings.Repeat("x", 4000)}, "not UTF-8": {"a": "\xff\xfe"},
	} {
		err := s.Put(t.Context(), "k", strings.NewReader("x"), 1, blob.Info{Metadata: words})
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "%s: %v", name, err)
	}
	require.Empty(t, keys(t, s, ""))
}

func badKeys(t *testing.T, s blob.Store) {
	for _, key := range []string{
		"", ".", "..", "/etc/passwd", "../x", "a/../../x", "a//b", "a/", "a/./b", `a\b`, "a\x00b", ".meta/x", "a/.b",
		"\xff", strings.Repeat("long/", 300) + "x", strings.Repeat("x", 250),
	} {
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(s.Put(t.Context(), key, strings.NewReader("x"), 1, blob.Info{})), "put %q", key)
		_, err := s.Open(t.Context(), key)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "open %q", key)
		_, err = s.Stat(t.Context(), key)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "stat %q", key)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(s.Delete(t.Context(), key)), "delete %q", key)
	}
	require.Empty(t, keys(t, s, ""))
}

func remove(t *testing.T, s blob.Store) {
	put(t, s, "clips/1/a", "x")
	put(t, s, "clips/1/b", "y")
	require.NoError(t, s.Delete(t.Context(), "clips/1/a"))
	require.NoError(t, s.Delete(t.Context(), "clips/1/a"), "twice")
	require.Equal(t, []string{"clips/1/b"}, keys(t, s, ""))
	require.NoError(t, s.Delete(t.Context(), "clips/1/b"))
	require.Empty(t, keys(t, s, ""))
	put(t, s, "clips/1/a", "again")
	body, _ := read(t, s, "clips/1/a")
	require.Equal(t, "again", body)
}

func ping(t *testing.T, s blob.Store) {
	put(t, s, "clips/a", "x")
	require.NoError(t, s.Ping(t.Context()))
	require.Equal(t, []string{"clips/a"}, keys(t, s, ""), "it leaves nothing behind")
}

func cancelled(t *testing.T, s blob.Store) {
	put(t, s, "k", "before")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Open(ctx, "k")
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "could not look is not \"not found\": %v", err)
	require.Error(t, s.Put(ctx, "k", strings.NewReader("after"), 5, blob.Info{}))
	require.Error(t, s.List(ctx, "", func(blob.Attributes) error { return nil }))
	body, _ := read(t, s, "k")
	require.Equal(t, "before", body)
}

// noise is n bytes that differ everywhere.
func noise(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		sum := sha256.Sum256([]byte(fmt.Sprint(i)))
		b.Write(sum[:])
	}
	return b.Bytes()[:n]
}
