package explain

import (
	"fmt"
	"time"
)

// Span says a length of time, as exactly as a person wants to know it.
func Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < 10*time.Minute, d >= time.Hour && d < 48*time.Hour:
		return units(d)
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// Spoken writes 3m30s as 3 min 30 s.
func Spoken(d time.Duration) string { return units(d.Round(time.Second)) }

// units writes whole hours and minutes, or minutes and seconds.
func units(d time.Duration) string {
	big, of, small, rest := int(d.Hours()), "h", "min", int(d.Minutes())%60
	if d < time.Hour {
		big, of, small, rest = int(d.Minutes()), "min", "s", int(d.Seconds())%60
	}
	switch {
	case big == 0:
		return fmt.Sprintf("%d %s", rest, small)
	case rest == 0:
		return fmt.Sprintf("%d %s", big, of)
	}
	return fmt.Sprintf("%d %s %d %s", big, of, rest, small)
}

// Plural counts things.
func Plural(n int, one, many string) string { return fmt.Sprintf("%d %s", n, verb(n, one, many)) }

// verb takes the form that goes with the number.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Size is a number of bytes for people.
func Size(bytes int64) string {
	switch {
	case bytes >= 10<<30:
		return fmt.Sprintf("%d GB", bytes>>30)
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
	case bytes > 0:
		return fmt.Sprintf("%d kB", (bytes+1023)/1024)
	}
	return ""
}
