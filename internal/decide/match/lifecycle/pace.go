package lifecycle

import "time"

// Every is the time between two polls of live matches: as wanted, or so long that the calls left last until the vendor's day ends.
// left is negative where the vendor does not count; cost is the number of calls of a poll.
func Every(wanted, untilEnd time.Duration, left, cost int) time.Duration {
	if left < 0 || cost <= 0 {
		return wanted
	}
	return max(wanted, untilEnd/time.Duration(max(1, left/cost)))
}

// Midnight is when the vendor counts the day's calls anew.
func Midnight(now time.Time) time.Time {
	now = now.UTC()
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
}
