// Package tweet reads tweet-result, X's public answer about one post: pure, bytes in, value out.
package tweet

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/network/loose"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/footy"
)

// Outcome says what the answer is.
type Outcome string

// The outcomes. Deleted and Tombstone both mean that the post cannot be had; a tombstone does not say that it was deleted.
const (
	OutcomeOK         Outcome = "ok"
	OutcomeDeleted    Outcome = "deleted"
	OutcomeTombstone  Outcome = "tombstone"
	OutcomeNoVideo    Outcome = "no_video"
	OutcomeGeoBlocked Outcome = "geo_blocked"
)

// Variant is one file of a video. Its size is 0 where its address does not say it.
type Variant struct {
	URL           string
	Width, Height int

	bitrate int // 0 = unknown
}

// Tweet is a decoded answer.
type Tweet struct {
	Outcome  Outcome
	Detail   string    // the tombstone's words, or why there is no video
	Variants []Variant // MP4 files, best first
}

// Decode reads a body that came with HTTP 200, for the post's video of that number, from 1. "Not available" has many shapes: {}, null, an empty tombstone, one with
// a text. An error means that the body is not of this kind at all.
func Decode(raw []byte, video int) (Tweet, error) {
	v, err := loose.Parse(raw)
	if err != nil {
		return Tweet{}, err
	}
	if !v.IsObject() && v.Present() {
		return Tweet{}, errNotTweet
	}
	if v.Get("__typename").Text() == "TweetTombstone" || v.Get("tombstone").Present() {
		return tombstone(v.Get("tombstone")), nil
	}
	if v.Empty() {
		return Tweet{Outcome: OutcomeDeleted, Detail: "the post is not available"}, nil
	}
	if !v.Get("id_str").Present() && !v.Get("mediaDetails").Present() && !v.Get("video").Present() {
		return Tweet{}, errNotTweet
	}
	t := of(v, video)
	if quoted := v.Get("quoted_tweet"); t.Outcome == OutcomeNoVideo && quoted.IsObject() {
		if q := of(quoted, video); q.Outcome != OutcomeNoVideo {
			return q, nil
		}
	}
	return t, nil
}

var errNotTweet = errors.New("JSON at offset 0 is no tweet-result: no id_str, mediaDetails or tombstone")

var deletedWords = regexp.MustCompile(`(?i)\b(deleted|removed|no longer exists?|doesn.t exist|suspended)\b`)

func tombstone(v loose.Value) Tweet {
	text := v.Get("text", "text").Or(v.Get("text")).Text()
	t := Tweet{Outcome: OutcomeTombstone, Detail: strings.TrimSpace(strings.TrimSuffix(text, "Learn more"))}
	if deletedWords.MatchString(text) {
		t.Outcome = OutcomeDeleted
	}
	t.Detail = cmp.Or(t.Detail, "the post is not available")
	return t
}

// of takes the video of that number: the search counts them likewise.
func of(v loose.Value, video int) Tweet {
	t := Tweet{Outcome: OutcomeNoVideo, Detail: "the post has no video"}
	for _, m := range v.Get("mediaDetails").List() {
		switch m.Get("type").Text() {
		case "video":
			if video--; video != 0 {
				continue
			}
		case "animated_gif":
			t.Detail = "the post has only a GIF"
			continue
		default:
			continue
		}
		if out, why, ok := withheld(m); ok {
			t.Outcome, t.Detail = out, why
			return t
		}
		if t.Variants = Variants(m.Get("video_info", "variants")); len(t.Variants) > 0 {
			t.Outcome, t.Detail = OutcomeOK, ""
			return t
		}
		t.Detail = "the video has no MP4 file"
	}
	gif := v.Get("video", "contentType").Text() == "gif"
	if v.Get("mediaDetails").Empty() && !gif && video == 1 {
		if t.Variants = Variants(v.Get("video", "variants")); len(t.Variants) > 0 {
			t.Outcome, t.Detail = OutcomeOK, ""
		}
	}
	return t
}

func withheld(m loose.Value) (Outcome, string, bool) {
	a := m.Get("ext_media_availability")
	status := a.Get("status").Text()
	if status == "" || strings.EqualFold(status, "available") {
		return "", "", false
	}
	reason := a.Get("reason").Text()
	if strings.Contains(strings.ToLower(reason), "geo") {
		return OutcomeGeoBlocked, "the video is blocked in this country", true
	}
	return OutcomeDeleted, strings.TrimSpace("the video is withheld " + reason), true
}

var sizeInURL = regexp.MustCompile(`/(\d{2,5})x(\d{2,5})/`)

// Variants are the MP4 files of a list, best first. The two lists of a tweet-result name their fields differently; X writes
// "content_type"/"url" in one and "type"/"src" without bitrate in the other.
func Variants(list loose.Value) []Variant {
	var out []Variant
	for _, v := range list.List() {
		kind, url := v.Get("content_type").Or(v.Get("type")).Text(), v.Get("url").Or(v.Get("src")).Text()
		if kind != "video/mp4" || url == "" {
			continue
		}
		x := Variant{URL: url, bitrate: v.Get("bitrate").Or(v.Get("bit_rate")).Natural()}
		if m := sizeInURL.FindStringSubmatch(url); m != nil {
			x.Width, _ = strconv.Atoi(m[1])
			x.Height, _ = strconv.Atoi(m[2])
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b Variant) int {
		return cmp.Or(cmp.Compare(b.bitrate, a.bitrate), cmp.Compare(b.Width*b.Height, a.Width*a.Height))
	})
	return out
}

const digits = "0123456789abcdefghijklmnopqrstuvwxyz"

// Token is the token tweet-result wants with an id: (id / 1e15 * pi) in base 36 without zeros and dot, as JavaScript
// prints it: the shortest digits that give the same float again, so a fixed number of digits would be another token.
func Token(id string) (string, error) {
	if id == "" || strings.Trim(id, "0123456789") != "" {
		return "", footy.Errorf(footy.CodeInvalid, "compute token", "post id %q is no number", id)
	}
	n, err := strconv.ParseFloat(id, 64)
	if err != nil || n > math.MaxInt64 {
		return "", footy.Errorf(footy.CodeInvalid, "compute token", "post id %q is no 63-bit number", id)
	}
	return strings.NewReplacer("0", "", ".", "").Replace(base36(n / 1e15 * math.Pi)), nil
}

// TokenOf is the token of a post, named by its id or its address.
func TokenOf(post string) (string, error) {
	if id := snowflake.FromURL(post); id != "" {
		post = id
	}
	if strings.Trim(post, "0123456789") != "" || strings.Trim(post, "0") == "" {
		return "", footy.Errorf(footy.CodeInvalid, "compute token", "%q is no post; give its id, a number above 0, or its address", post)
	}
	return Token(post)
}

// base36 prints x >= 0 as Number.prototype.toString(36) does.
func base36(x float64) string {
	whole := math.Floor(x)
	fraction := x - whole
	delta := max(0.5*(math.Nextafter(x, math.Inf(1))-x), math.SmallestNonzeroFloat64)
	var tail []byte
	for fraction >= delta {
		fraction *= 36
		delta *= 36
		d := int(fraction)
		tail = append(tail, digits[d])
		fraction -= float64(d)
		if (fraction > 0.5 || (fraction == 0.5 && d&1 == 1)) && fraction+delta > 1 {
			var carry bool
			if tail, carry = roundUp(tail); carry {
				whole++
			}
			break
		}
	}
	head := strconv.FormatUint(uint64(whole), 36)
	if len(tail) == 0 {
		return head
	}
	return head + "." + string(tail)
}

// roundUp adds one to the last digit; digits that overflow fall away, and carry says that all did.
func roundUp(tail []byte) (rest []byte, carry bool) {
	for len(tail) > 0 {
		last := len(tail) - 1
		if d := strings.IndexByte(digits, tail[last]); d+1 < 36 {
			tail[last] = digits[d+1]
			return tail, false
		}
		tail = tail[:last]
	}
	return nil, true
}
