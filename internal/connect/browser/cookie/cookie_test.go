package cookie_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
	"github.com/found-footy/found-footy/internal/footy"
)

const netscape = "# Netscape HTTP Cookie File\r\n\r\n" +
	"#HttpOnly_.x.com\tTRUE\t/\tTRUE\t1900000000\tauth_token\tsecret\r\n" +
	".x.com\tTRUE\t/\tTRUE\t0\tct0\tproof\r\n" +
	".bank.example\tTRUE\t/\tTRUE\t1900000000\tsession\tnot-yours\r\n" +
	".notx.com\tTRUE\t/\tTRUE\t1900000000\tauth_token\tfake\r\n"

func TestNetscapeExport(t *testing.T) {
	t.Parallel()
	got, err := cookie.Import([]byte(netscape), "x.com")
	require.NoError(t, err)
	require.Equal(t, []cookie.Cookie{
		{Name: "auth_token", Value: "secret", Domain: ".x.com", Path: "/", Expires: 1900000000, HTTPOnly: true, Secure: true},
		{Name: "ct0", Value: "proof", Domain: ".x.com", Path: "/", Secure: true},
	}, got, "other sites' cookies, also of names that merely end alike, are left out")
	require.Equal(t, time.Unix(1900000000, 0).UTC(), cookie.ValidUntil(got))
}

func TestJSONExports(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"an array of an extension": `[{"domain":".x.com","expirationDate":1900000000.5,"httpOnly":true,"name":"auth_token","path":"/","sameSite":"no_restriction","secure":true,"value":"secret"},{"domain":"mail.example","name":"a","value":"b"}]`,
		"an object of a tool":      `{"cookies":[{"name":"auth_token","value":"secret","domain":".twitter.com","path":"/","expires":1900000000.5,"httpOnly":true,"secure":true,"sameSite":"None"}],"origins":[]}`,
	} {
		got, err := cookie.Import([]byte("\xef\xbb\xbf "+raw), "x.com")
		require.NoError(t, err, name)
		require.Equal(t, []cookie.Cookie{{Name: "auth_token", Value: "secret", Domain: ".x.com", Path: "/", Expires: 1900000000.5, HTTPOnly: true, Secure: true, SameSite: "None"}}, got, name)
	}
}

func TestExportsThatAreNoneSayWhy(t *testing.T) {
	t.Parallel()
	for raw, says := range map[string]string{
		"":               "no auth_token cookie of x.com among 0",
		"[]":             "no auth_token",
		`[{"name":`:      "cookie JSON",
		`{"cookies": 7}`: "cookie JSON",
		"hello":          "line 1 is no cookie",
		".x.com\tTRUE\t/\tTRUE\tsoon\tauth_token\tv":                             "soon",
		`[{"name":"auth_token","value":"v","domain":"x.com.evil.example"}]`:      "no auth_token cookie of x.com among 1",
		`[{"name":"auth_token","value":"a\r\nSet-Cookie: b","domain":".x.com"}]`: "no auth_token",
	} {
		_, err := cookie.Import([]byte(raw), "x.com")
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), raw)
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestTheFileIsPrivateAndReplacedWhole(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x", "cookies.json")
	none, err := cookie.Load(path)
	require.NoError(t, err)
	require.Empty(t, none)
	brought, err := cookie.Import([]byte(netscape), "x.com")
	require.NoError(t, err)
	want := brought
	for range 2 {
		require.NoError(t, cookie.Save(path, want))
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	got, err := cookie.Load(path)
	require.NoError(t, err)
	require.Equal(t, want, got)
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing but the file stays")

	earlier, err := json.Marshal(map[string]any{"made_with": map[string]string{"by": "import"}, "cookies": brought})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, earlier, 0o600))
	got, err = cookie.Load(path)
	require.NoError(t, err)
	require.Equal(t, brought, got, "a file of release 1.2")

	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	_, err = cookie.Load(path)
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	require.ErrorContains(t, err, path)
}

func TestAFileThatOthersMayWriteIsNotRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cookies.json")
	require.NoError(t, cookie.Save(path, []cookie.Cookie{{Name: "a"}}))
	_, err := cookie.Load(path)
	require.NoError(t, err)
	require.NoError(t, os.Chmod(path, 0o606))
	_, err = cookie.Load(path)
	require.ErrorContains(t, err, "every user may change")
}

func TestExpiredCookiesAreDropped(t *testing.T) {
	t.Parallel()
	all := []cookie.Cookie{{Name: "a"}, {Name: "b", Expires: 100}, {Name: "c", Expires: 300}}
	got := cookie.Unexpired(all, time.Unix(200, 0))
	require.Len(t, got, 2)
	require.True(t, cookie.Has([]cookie.Cookie{{Name: "a", Value: "v"}}, "a"))
	require.False(t, cookie.Has(got, "a"), "a blank cookie is none")
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(netscape))
	f.Add([]byte(`[{"domain":".x.com","name":"auth_token","value":"s"}]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := cookie.Import(raw, "x.com")
		if err != nil {
			return
		}
		for _, c := range got {
			d := strings.TrimPrefix(c.Domain, ".")
			if d != "x.com" && !strings.HasSuffix(d, ".x.com") || strings.ContainsAny(c.Value, "\r\n;") {
				t.Fatalf("took %+v", c)
			}
		}
	})
}
