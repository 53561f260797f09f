package inspect

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/source/snowflake"
	"github.com/found-footy/found-footy/internal/source/tweet"
)

// TweetAnswer is what a saved tweet-result says. Its JSON is an agreed shape; the rest is for people.
type TweetAnswer struct {
	Outcome tweet.Outcome  `json:"outcome"`
	Best    *tweet.Variant `json:"best"`
	Detail  string         `json:"-"`
	Quoted  string         `json:"-"` // address of the quoted post that the video belongs to; "" = of the post itself
}

// Token computes the token of a post, named by its id or its address.
func Token(post string) (string, error) {
	if id := snowflake.FromURL(post); id != "" {
		post = id
	}
	if strings.Trim(post, "0123456789") != "" || strings.Trim(post, "0") == "" {
		return "", footy.Errorf(footy.CodeInvalid, "compute token", "%q is no post; give its id, a number above 0, or its address", post)
	}
	return tweet.Token(post)
}

// Tweet reads a saved tweet-result.
func Tweet(file string) (TweetAnswer, error) {
	raw, err := readSaved(file)
	if err != nil {
		return TweetAnswer{}, err
	}
	if string(bytes.TrimSpace(raw)) == "null" { // live it says that the post is gone; saved it says nothing of any post
		return TweetAnswer{}, footy.Errorf(footy.CodeInvalid, "read "+file, "JSON at offset 0 is no tweet-result, but null")
	}
	t, err := tweet.Decode(raw)
	if err != nil {
		return TweetAnswer{}, footy.Errorf(footy.CodeInvalid, "read "+file, "%w", err)
	}
	a := TweetAnswer{Outcome: t.Outcome, Detail: t.Detail}
	if t.Quoted {
		a.Quoted = source.PostURL(t.Author, t.ID)
	}
	if best, ok := t.Best(); ok {
		a.Best = &best
	}
	return a, nil
}

// String explains the answer to people.
func (a TweetAnswer) String() string {
	if a.Best == nil {
		return fmt.Sprintf("%s: %s\n", a.Outcome, a.Detail)
	}
	where := ""
	if a.Quoted != "" {
		where = " (of the post it quotes, " + a.Quoted + ")"
	}
	return fmt.Sprintf("%s%s: %dx%d, %d kbit/s, %.1f s\n  %s\n", a.Outcome, where, a.Best.Width, a.Best.Height, a.Best.Bitrate/1000, float64(a.Best.DurationMS)/1000, a.Best.URL)
}
