// Package social has stand-ins for the places where goals are posted. Each speaks its service's protocol, with its limits and no call
// that the service does not have, and can be told to be in trouble.
package social

import (
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Fault is how a call goes wrong.
type Fault int

// The faults.
const (
	None     Fault = iota
	Busy           // 429 with the time to wait
	Closed         // 503: nothing was done
	Failed         // 500: nothing was done
	LostWord       // it was done, and 502 said
	Cut            // it was done, and the connection cut
)

// VideoManner is what becomes of a video that is handed in. Pictures are always taken.
type VideoManner int

// The manners.
const (
	Takes         VideoManner = iota
	Refuses                   // it is refused
	CannotProcess             // it is taken, and its processing fails; where nothing is processed, it is refused
	NeverEnds                 // it is taken, and its processing never ends; where nothing is processed, it is posted
)

// Message is what stands, or stood, at a place.
type Message struct {
	ID      string
	Text    string
	File    string // its type; "" without one
	Size    int
	Edits   int
	Deleted bool
	At      time.Time
	Direct  bool // seen by nobody else
}

// Place keeps messages and decides about trouble.
type Place struct {
	// Asked is told of each call as it arrives, before anything is done. nil: nobody is.
	Asked func(call string)

	// Now is the service's clock; nil: the real one.
	Now func() time.Time

	mu       sync.Mutex
	trouble  func(call string) Fault
	video    VideoManner
	next     int
	messages []Message
}

// Messages are all that ever stood, oldest first.
func (p *Place) Messages() []Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Message(nil), p.messages...)
}

// Standing are those that people see.
func (p *Place) Standing() []Message {
	var out []Message
	for _, m := range p.Messages() {
		if !m.Deleted {
			out = append(out, m)
		}
	}
	return out
}

// Remove deletes a message, as a moderator does.
func (p *Place) Remove(id string) {
	p.change(id, func(m *Message) { m.Deleted = true })
}

// add puts a message there and names it.
func (p *Place) add(m Message) Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next++
	if m.ID == "" {
		m.ID = strconv.Itoa(1000 + p.next)
	}
	m.At = time.Now()
	if p.Now != nil {
		m.At = p.Now()
	}
	p.messages = append(p.messages, m)
	return m
}

// change changes a message that stands; false if there is none.
func (p *Place) change(id string, f func(*Message)) (Message, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.messages {
		if m := &p.messages[i]; m.ID == id && !m.Deleted {
			f(m)
			return *m, true
		}
	}
	return Message{}, false
}

// SetTrouble sets what is asked before each call that changes something, by its name: post, edit, delete, upload. nil: there is none. Who was
// cut off may set it while the service has not done with the call.
func (p *Place) SetTrouble(f func(call string) Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trouble = f
}

// SetVideo sets what becomes of videos from now on.
func (p *Place) SetVideo(m VideoManner) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.video = m
}

// treats reports whether a file of this type is a video that is treated so.
func (p *Place) treats(kind string, as ...VideoManner) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.HasPrefix(kind, "video/") && slices.Contains(as, p.video)
}

// act does a call that changes something, or goes wrong as it is told to. do answers.
func (p *Place) act(w http.ResponseWriter, call string, busy func(http.ResponseWriter), do func(http.ResponseWriter)) {
	if p.Asked != nil {
		p.Asked(call)
	}
	p.mu.Lock()
	trouble := p.trouble
	p.mu.Unlock()
	fault := None
	if trouble != nil {
		fault = trouble(call)
	}
	switch fault {
	case Busy:
		busy(w)
	case Closed:
		http.Error(w, "<html>Service Unavailable</html>", http.StatusServiceUnavailable)
	case Failed:
		http.Error(w, "<html>Internal Server Error</html>", http.StatusInternalServerError)
	case LostWord:
		do(discard{})
		http.Error(w, "<html>Bad Gateway</html>", http.StatusBadGateway)
	case Cut:
		do(discard{})
		panic(http.ErrAbortHandler)
	default:
		do(w)
	}
}

// discard is an answer that nobody hears.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// part is a file of a form.
type part struct {
	name, kind string
	size       int
}

// form reads a multipart body: its fields, and its files by their field's name.
func form(r *http.Request) (fields map[string]string, files map[string]part, err error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(kind, "multipart/") {
		return nil, nil, http.ErrNotMultipart
	}
	fields, files = map[string]string{}, map[string]part{}
	for m := multipart.NewReader(r.Body, params["boundary"]); ; {
		p, err := m.NextPart()
		if err == io.EOF { //nolint:errorlint // as documented
			return fields, files, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if p.FileName() != "" { // a clip is counted, not kept
			size, err := io.Copy(io.Discard, p)
			if err != nil {
				return nil, nil, err
			}
			files[p.FormName()] = part{p.FileName(), p.Header.Get("Content-Type"), int(size)}
			continue
		}
		body, err := io.ReadAll(p)
		if err != nil {
			return nil, nil, err
		}
		fields[p.FormName()] = string(body)
	}
}
