package explain

import "strings"

// WithoutMentions lets a text call nobody by name at any service: names of teams, scorers and posts come from strangers. Behind each sign that
// begins a mention (@everyone, <@id>, <!channel>, @user@host, @room) it puts a space without width, which services do not read past.
func WithoutMentions(text string) string {
	const signs, gap = "@＠﹫<＜", '\u200b'
	var out strings.Builder
	sign := false
	for _, c := range text {
		if sign && c != gap {
			out.WriteRune(gap)
		}
		out.WriteRune(c)
		sign = strings.ContainsRune(signs, c)
	}
	return out.String()
}
