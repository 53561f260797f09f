package story

import (
	"maps"
	"regexp"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/coverage"
)

// unread stands for what a model that failed said.
const (
	unread  = "Not looked at yet: the model does not answer (see Health)"
	noModel = "Not looked at yet: no model is set up (see Health)"
)

var (
	// technical is what only programs say: addresses, system calls, paths.
	technical = regexp.MustCompile(`://|\b(dial|read|write|lookup) [a-z0-9.]|\btcp\b|\b\d{1,3}(\.\d{1,3}){3}\b|localhost|\[::|context (deadline|canceled)|connection re(fused|set)|\.go:\d|0x[0-9a-f]{4}|exit status|(^|[\s"'])/[a-z]+/`)
	coded     = regexp.MustCompile(`(?:^|: )(not_found|conflict|invalid|rate_limited|auth_required|unavailable|geo_blocked|rejected)(?: \(\w+\))?(?:: |$)`)
)

// Public makes rows fit for strangers: errors of our own programs become their code, and never name an address.
func Public(rows []footy.Entry) []footy.Entry {
	out := make([]footy.Entry, len(rows))
	for i, r := range rows {
		out[i] = public(r)
	}
	return out
}

func public(r footy.Entry) footy.Entry {
	if r.Kind == footy.EntryOperator || r.Reason == footy.ReasonTombstone {
		return r // an operator's words, addresses and all
	}
	if r.Reason == footy.ReasonUnvalidated {
		r.Text = unread
		if strings.Contains(coverage.Text(r.Data, "detail"), "no model is set up") {
			r.Text = noModel
		}
	}
	if r.Kind != footy.EntryCandidate {
		r.Text = sentence(r.Text)
	}
	copied := false
	for _, k := range []string{"detail", "why", "error", "cause"} {
		was, ok := r.Data[k].(string)
		now := clean(was)
		if !ok || now == was {
			continue
		}
		if !copied {
			r.Data, copied = maps.Clone(r.Data), true
		}
		r.Data[k] = now
	}
	return r
}

// clean keeps the plain end of an error, else its code.
func clean(s string) string {
	codes := coded.FindAllStringSubmatchIndex(s, -1)
	if len(codes) == 0 {
		if technical.MatchString(s) {
			return string(footy.CodeUnavailable)
		}
		return s
	}
	last := codes[len(codes)-1]
	if end := s[last[1]:]; end != "" && !technical.MatchString(end) {
		return end
	}
	return s[last[2]:last[3]]
}

// sentence cuts a sentence off where an error begins.
func sentence(s string) string {
	at := -1
	for _, re := range []*regexp.Regexp{technical, coded} {
		if m := re.FindStringIndex(s); m != nil && (at < 0 || m[0] < at) {
			at = m[0]
		}
	}
	if at < 0 {
		return s
	}
	head := s[:at]
	if end := strings.Index(head, ": "); end >= 0 {
		head = head[:end]
	}
	return strings.TrimRight(head, " :(\"'")
}
