package tweet

import (
	"math"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/footy"
)

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
