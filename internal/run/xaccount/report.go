package xaccount

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
)

// Report tells how searching stands.
type Report struct {
	searchapi.Status
	Service string         `json:"service"`
	Running bool           `json:"running"`
	Canary  *source.Canary `json:"canary,omitempty"`
	API     string         `json:"api,omitempty"` // what is left of the paid API
}

// Works tells whether a search can be made now, or could be once the service runs.
func (r Report) Works() bool {
	return r.Login == source.LoginOK || r.Login == source.LoginUnknown && !r.Running && r.ValidUntil != nil || r.API != "" && !r.hasAccount()
}

func (r Report) hasAccount() bool { return r.Login != source.LoginMissing }

// String tells a person.
func (r Report) String() string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-9s "+format+"\n", append([]any{name}, args...)...)
	}
	words := map[source.Login]string{source.LoginOK: "ok", source.LoginMissing: "none", source.LoginExpired: "expired",
		source.LoginChallenged: "X wants a person to look at the account", source.LoginUnknown: "not verified yet"}
	login := words[r.Login]
	if login == "" {
		login = string(r.Login)
	}
	if r.Account != "" {
		login += ", as @" + strings.TrimPrefix(r.Account, "@")
	}
	if r.ValidUntil != nil && r.Login != source.LoginMissing && time.Until(*r.ValidUntil).Abs() > time.Minute {
		login += ", until " + r.ValidUntil.Local().Format("2006-01-02 15:04")
	}
	line("login", "%s", login)
	if r.Detail != "" {
		line("", "%s", r.Detail)
	}
	switch {
	case r.Budget == nil:
		line("budget", "known once the service runs")
	case r.Budget.ResetAt != nil:
		line("budget", "%d of %d calls left, the next come back at %s", r.Budget.Remaining, r.Budget.Limit, r.Budget.ResetAt.Local().Format("15:04:05"))
	default:
		line("budget", "%d of %d calls left", r.Budget.Remaining, r.Budget.Limit)
	}
	if r.Canary == nil {
		line("canary", "never run; footy x canary")
	} else {
		line("canary", "%s, %s", r.Canary.At.Local().Format("2006-01-02 15:04"), CanaryText(*r.Canary))
	}
	if r.API != "" {
		line("paid API", "%s", r.API)
	}
	if r.Running {
		line("service", "%s", r.Service)
	} else {
		line("service", "not running (%s)", r.Service)
	}
	return b.String()
}
