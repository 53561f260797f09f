package xpost

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // OAuth 1.0a is made of it
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// sign puts the account's signature on a request, as RFC 5849 says. Bodies are JSON or multipart, and no part of it.
func (a *Account) sign(req *http.Request) {
	oauth := map[string]string{"oauth_consumer_key": a.opt.Key, "oauth_token": a.opt.Token, "oauth_nonce": rand.Text(),
		"oauth_timestamp": strconv.FormatInt(a.opt.Now().Unix(), 10), "oauth_signature_method": "HMAC-SHA1", "oauth_version": "1.0"}
	oauth["oauth_signature"] = Signature(req, oauth, a.opt.KeySecret, a.opt.TokenSecret)
	parts := make([]string, 0, len(oauth))
	for k, v := range oauth {
		parts = append(parts, fmt.Sprintf(`%s="%s"`, k, escape(v)))
	}
	slices.Sort(parts)
	req.Header.Set("Authorization", "OAuth "+strings.Join(parts, ", "))
}

// Signature of a request with these parameters beside those of its query.
func Signature(req *http.Request, oauth map[string]string, keySecret, tokenSecret string) string {
	var pairs []string
	for k, v := range oauth {
		pairs = append(pairs, escape(k)+"="+escape(v))
	}
	for k, values := range req.URL.Query() {
		for _, v := range values {
			pairs = append(pairs, escape(k)+"="+escape(v))
		}
	}
	slices.Sort(pairs)
	where := *req.URL
	where.RawQuery = ""
	mac := hmac.New(sha1.New, []byte(escape(keySecret)+"&"+escape(tokenSecret)))
	mac.Write([]byte(req.Method + "&" + escape(where.String()) + "&" + escape(strings.Join(pairs, "&"))))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// escape writes everything but letters, digits and -._~ in hexadecimal.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
