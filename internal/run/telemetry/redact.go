package telemetry

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"unicode"
)

const hidden = "[hidden]"

// redactor hides secrets twice over: by their value wherever it appears, and by the name of what holds them, for
// secrets that are in no setting (cookies, tokens of answers).
type redactor struct {
	values *strings.Replacer
}

func newRedactor(secrets []string) redactor {
	// Longest first, so that one secret inside another leaves no rest behind.
	secrets = slices.Clone(secrets)
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, s := range secrets {
		if len(s) >= 4 { // shorter ones would blot out ordinary words
			pairs = append(pairs, s, hidden)
		}
	}
	return redactor{values: strings.NewReplacer(pairs...)}
}

// secretKeys that name a secret, as the last word of a key.
var secretKeys = []string{"token", "secret", "password", "cookie", "cookies", "authorization", "ct0", "apikey"}

func namesSecret(key string) bool {
	key = strings.ToLower(key)
	last := key[strings.LastIndexFunc(key, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })+1:]
	return slices.Contains(secretKeys, last) || strings.HasSuffix(key, "api_key") || strings.HasSuffix(key, "access_key")
}

func (r redactor) attr(a slog.Attr) slog.Attr {
	a.Value = a.Value.Resolve()
	if namesSecret(a.Key) {
		return slog.String(a.Key, hidden)
	}
	switch a.Value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, r.text(a.Value.String()))
	case slog.KindAny:
		switch v := a.Value.Any().(type) {
		case error:
			return slog.String(a.Key, r.text(v.Error()))
		case fmt.Stringer:
			return slog.String(a.Key, r.text(v.String()))
		case []string:
			out := make([]string, len(v))
			for i := range v {
				out[i] = r.text(v[i])
			}
			return slog.Any(a.Key, out)
		default:
			if text := fmt.Sprintf("%+v", v); r.text(text) != text {
				return slog.String(a.Key, r.text(text))
			}
		}
	}
	return a
}

func (r redactor) text(s string) string { return r.values.Replace(s) }
