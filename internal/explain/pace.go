package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/rule/lifecycle"
)

// Pace says why and how far polling is stretched.
func Pace(p lifecycle.Pace) string {
	why := "The plan's calls would not last until midnight UTC"
	if p.MinuteLimit > 0 {
		why = fmt.Sprintf("The plan allows %d calls a minute", p.MinuteLimit)
	}
	if p.LiveEvery == 0 {
		return why + "."
	}
	return fmt.Sprintf("%s: waiting matches are asked every %s, live ones every %s.", why, short(p.StagingEvery), short(p.LiveEvery))
}

// short writes 1h30m0s as people do: 1h30m.
func short(d time.Duration) string {
	s := d.Round(time.Second).String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}
