package xsite

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// timeline answers the call that the search page makes.
func (s *Site) timeline(w http.ResponseWriter, r *http.Request) {
	var v struct {
		RawQuery string `json:"rawQuery"`
		Cursor   string `json:"cursor"`
	}
	if json.Unmarshal([]byte(r.URL.Query().Get("variables")), &v) != nil || v.RawQuery == "" {
		refuse(w, http.StatusUnprocessableEntity, 336, "The following features cannot be null")
		return
	}
	token, ok := s.loggedIn(r)
	s.mu.Lock()
	s.calls++
	call := s.calls
	csrf := s.sessions[token]
	s.mu.Unlock()
	status := http.StatusOK
	defer func() {
		s.mu.Lock()
		s.requests = append(s.requests, Call{Query: v.RawQuery, Cursor: v.Cursor, Status: status})
		s.mu.Unlock()
	}()
	fault := s.opts.Fault(call, v.RawQuery, v.Cursor)
	if fault == LoggedOut {
		s.mu.Lock()
		delete(s.sessions, token)
		s.mu.Unlock()
		ok = false
	}
	switch {
	case !ok:
		status = refuse(w, http.StatusUnauthorized, 32, "Could not authenticate you.")
		return
	case r.Header.Get("X-Csrf-Token") != csrf:
		status = refuse(w, http.StatusForbidden, 353, "This request requires a matching csrf cookie and header.")
		return
	case fault == Locked:
		s.Lock()
		status = refuse(w, http.StatusForbidden, 326, "To protect our users, this account is temporarily locked.")
		return
	case fault == Hang:
		status = 0
		<-r.Context().Done()
		return
	case !s.spend(w, token, fault == RateLimited):
		status = http.StatusTooManyRequests
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, "Rate limit exceeded\n")
		return
	case fault == Unavailable:
		status = refuse(w, http.StatusServiceUnavailable, 130, "Over capacity")
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	s.renew(w, token)
	switch fault {
	case ErrorBody:
		_, _ = fmt.Fprint(w, `{"errors":[{"message":"Dependency: LoadShed","code":0,"kind":"Operational"}],"data":{}}`)
	case Drift:
		_, _ = fmt.Fprint(w, strings.NewReplacer("screen_name", "handle", "legacy", "body").Replace(s.page(v.RawQuery, v.Cursor)))
	default:
		_, _ = fmt.Fprint(w, s.page(v.RawQuery, v.Cursor))
	}
}

func refuse(w http.ResponseWriter, status, code int, message string) int {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"errors":[{"code":%d,"message":%q}]}`, code, message)
	return status
}

// spend takes one call of the session's window and tells the page what is left.
func (s *Site) spend(w http.ResponseWriter, token string, refuse bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	win := s.windows[token]
	if win == nil || !win.reset.After(now) {
		win = &window{reset: now.Add(s.opts.Window)}
		s.windows[token] = win
	}
	if refuse {
		win.used = s.opts.Calls
	}
	ok := win.used < s.opts.Calls
	if ok {
		win.used++
	}
	h := w.Header()
	h.Set("x-rate-limit-limit", strconv.Itoa(s.opts.Calls))
	h.Set("x-rate-limit-remaining", strconv.Itoa(s.opts.Calls-win.used))
	h.Set("x-rate-limit-reset", strconv.FormatInt(win.reset.Unix()+1, 10))
	return ok
}

// renew gives the session a new ct0, as X does now and then.
func (s *Site) renew(w http.ResponseWriter, token string) {
	if !s.opts.Renew {
		return
	}
	csrf := random()
	s.mu.Lock()
	s.sessions[token] = csrf
	s.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: "ct0", Value: csrf, Path: "/", Expires: time.Now().AddDate(1, 0, 0)})
}

// page is the JSON of one page of the results; the cursor is where it begins.
func (s *Site) page(query, cursor string) string {
	posts := s.opts.Search(query)
	from, _ := strconv.Atoi(strings.TrimPrefix(cursor, "from-"))
	from = min(max(from, 0), len(posts))
	to := min(from+s.opts.PageSize, len(posts))
	var entries []any
	for i, p := range posts[from:to] {
		entries = append(entries, entry(p, from+i))
	}
	top, bottom := cursorEntry("Top", fmt.Sprintf("top-%d", from)), cursorEntry("Bottom", fmt.Sprintf("from-%d", to))
	var instructions []any
	if cursor == "" {
		instructions = []any{object{"type": "TimelineAddEntries", "entries": append(entries, top, bottom)}}
	} else { // later pages replace the cursors instead of adding new ones
		instructions = []any{object{"type": "TimelineAddEntries", "entries": append([]any{}, entries...)},
			object{"type": "TimelineReplaceEntry", "entry_id_to_replace": "cursor-top-9223372036854775807", "entry": top},
			object{"type": "TimelineReplaceEntry", "entry_id_to_replace": "cursor-bottom-0", "entry": bottom}}
	}
	raw, _ := json.Marshal(object{"data": object{"search_by_raw_query": object{"search_timeline": object{"timeline": object{"instructions": instructions}}}}})
	return string(raw)
}

type object = map[string]any

func cursorEntry(kind, value string) object {
	return object{"entryId": "cursor-" + strings.ToLower(kind), "sortIndex": "0", "content": object{
		"entryType": "TimelineTimelineCursor", "__typename": "TimelineTimelineCursor", "cursorType": kind, "value": value}}
}

// entry is the JSON of one post. The author stands at its old place in every other post and at its new one in the rest, and
// every fifth post is wrapped in limits, so that nothing can rely on one shape.
func entry(p Post, n int) object {
	result := tweet(p, n)
	if p.Quotes != nil {
		result["quoted_status_result"] = object{"result": tweet(*p.Quotes, n+1)}
	}
	if n%5 == 4 {
		result = object{"__typename": "TweetWithVisibilityResults", "tweet": result, "limitedActionResults": object{"limited_actions": []any{}}}
	}
	item := object{"itemType": "TimelineTweet", "__typename": "TimelineTweet", "tweetDisplayType": "Tweet", "tweet_results": object{"result": result}}
	id := "tweet-" + p.ID
	if p.Kind == Promoted {
		id = "promoted-tweet-" + p.ID
		item["promotedMetadata"] = object{"disclosureType": "NoDisclosure"}
	}
	return object{"entryId": id, "sortIndex": p.ID, "content": object{
		"entryType": "TimelineTimelineItem", "__typename": "TimelineTimelineItem", "itemContent": item}}
}

func tweet(p Post, n int) object {
	user := object{"__typename": "User", "rest_id": "1", "legacy": object{"screen_name": p.Author, "name": p.Author}}
	if n%2 == 1 {
		user = object{"__typename": "User", "rest_id": "1", "core": object{"screen_name": p.Author, "name": p.Author}, "legacy": object{}}
	}
	legacy := object{"id_str": p.ID, "full_text": p.Text, "created_at": p.At.UTC().Format(time.RubyDate),
		"entities": object{}, "is_quote_status": p.Kind == Quoted}
	if m := media(p); m != nil {
		legacy["entities"], legacy["extended_entities"] = object{"media": []any{m}}, object{"media": []any{m}}
	}
	return object{"__typename": "Tweet", "rest_id": p.ID, "core": object{"user_results": object{"result": user}}, "legacy": legacy}
}

func media(p Post) object {
	m := object{"id_str": p.ID, "original_info": object{"width": p.Width, "height": p.Height}}
	file := object{"bitrate": 2176000, "content_type": "video/mp4", "url": p.VideoURL}
	switch p.Kind {
	case Quoted, Text:
		return nil
	case Photo:
		m["type"] = "photo"
	case GIF:
		m["type"], m["video_info"] = "animated_gif", object{"aspect_ratio": []int{16, 9}, "variants": []any{file}}
	default:
		info := object{"aspect_ratio": []int{16, 9}, "variants": []any{
			object{"content_type": "application/x-mpegURL", "url": strings.TrimSuffix(p.VideoURL, ".mp4") + ".m3u8"}, file}}
		if p.DurationMS > 0 {
			info["duration_millis"] = p.DurationMS
		}
		m["type"], m["video_info"] = "video", info
	}
	return m
}
