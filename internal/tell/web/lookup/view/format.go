package view

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// ZoneAt is the zone that is always so many seconds ahead of UTC; its name is like "UTC+05:30".
func ZoneAt(seconds int) *time.Location {
	if seconds == 0 {
		return time.UTC
	}
	sign, minutes := '+', seconds/60
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	return time.FixedZone(fmt.Sprintf("UTC%c%02d:%02d", sign, minutes/60, minutes%60), seconds)
}

// InZone is a time in the zone of that name.
func InZone(zone string, t time.Time) time.Time {
	if at, err := time.Parse("UTC-07:00", zone); err == nil {
		return t.In(at.Location())
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return t.UTC()
	}
	return t.In(loc)
}

// Score is one side's goals.
func Score(n *int) string {
	if n == nil {
		return "–"
	}
	return fmt.Sprint(*n)
}

// Length is a clip's length: 0:07, 1:02.
func Length(seconds float64) string {
	s := int(math.Round(seconds))
	if s <= 0 {
		return ""
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// SafeURL passes web addresses only: posts and feeds may hold anything.
func SafeURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" {
		return ""
	}
	return u.String()
}

// initials are up to two letters that stand for a name until its badge is there.
func initials(name string) string {
	out := ""
	for word := range strings.FieldsSeq(name) {
		for _, r := range word {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				out += string(unicode.ToUpper(r))
				break
			}
		}
		if len([]rune(out)) == 2 {
			break
		}
	}
	return url.QueryEscape(out)
}
