// Package snowflake reads X's post ids: 64-bit numbers kept as strings, with the time of posting inside.
package snowflake

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// epoch is the zero of X's clock, in milliseconds of Unix time.
const epoch = 1288834974657

// Digits below which an id is broken: ids lose digits where something took them for a float.
const minDigits = 18

// Split takes the number of a post's video from its id; the first has none.
func Split(id string) (post string, video int) {
	post, n, further := strings.Cut(id, "_")
	if video, err := strconv.Atoi(n); further && err == nil && video > 1 && n == strconv.Itoa(video) {
		return post, video
	}
	return id, 1
}

// Video is the id of a post's n-th video.
func Video(post string, n int) string {
	if n < 2 {
		return post
	}
	return post + "_" + strconv.Itoa(n)
}

// Parse checks an id; broken ids are told from good ones by their length.
func Parse(id string) (uint64, error) {
	id, _ = Split(id)
	n, err := strconv.ParseUint(id, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("post id %q is no 63-bit number", id)
	}
	if len(id) < minDigits || id[0] == '0' {
		return 0, fmt.Errorf("post id %q is too short: it lost digits", id)
	}
	return n, nil
}

// Valid reports whether id is a whole snowflake.
func Valid(id string) bool {
	_, err := Parse(id)
	return err == nil
}

// Time is when the post with this id was made.
func Time(id string) (time.Time, error) {
	n, err := Parse(id)
	if err != nil {
		return time.Time{}, err
	}
	return time.UnixMilli(int64(n>>22) + epoch).UTC(), nil
}

// At is the lowest id of a moment; the sequence separates ids of one millisecond.
func At(t time.Time, sequence int) string {
	return strconv.FormatInt((t.UnixMilli()-epoch)<<22|int64(sequence&0x3fffff), 10)
}

// FromURL finds the id in a post's address, or takes a bare id; "" if there is none.
func FromURL(s string) string {
	s = strings.TrimSpace(s)
	if Valid(s) {
		return s
	}
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	parts := strings.Split(u.Path, "/")
	for i := 0; i+1 < len(parts); i++ {
		if (parts[i] == "status" || parts[i] == "statuses") && Valid(parts[i+1]) {
			if id := parts[i+1] + "_" + parts[min(i+3, len(parts)-1)]; i+3 < len(parts) && parts[i+2] == "video" && Valid(id) {
				return id
			}
			return parts[i+1]
		}
	}
	return ""
}
