package explain

import (
	"fmt"
	"time"
)

// Span says a length of time in one or two units.
func Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < time.Hour:
		if s := int(d.Seconds()) % 60; s != 0 && d < 10*time.Minute {
			return fmt.Sprintf("%d min %d s", int(d.Minutes()), s)
		}
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		if m := int(d.Minutes()) % 60; m != 0 {
			return fmt.Sprintf("%d h %d min", int(d.Hours()), m)
		}
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
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
