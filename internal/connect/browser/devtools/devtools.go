// Package devtools speaks Chromium's protocol over the two pipes of a browser that this process started. A debugging port would be open to
// every user of the machine, and whoever reaches it can read the session's cookies. Commands and fields have the protocol's own names, so no
// version of it is built in. Nothing is switched on in a page but what is asked for: a page is slower for each, and can tell some.
package devtools

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// ErrEnded is the error of commands whose browser has ended.
var ErrEnded = errors.New("the browser has ended")

// Params are those of a command.
type Params map[string]any

// Listener hears the events of a session, in the order in which they came. It must not wait: nothing else is read meanwhile.
type Listener func(method string, params json.RawMessage)

// Browser is a connection, and the session of the browser as a whole. Life ends with it.
type Browser struct {
	Session
	Life context.Context

	end       context.CancelCauseFunc
	in, out   *os.File
	writing   sync.Mutex
	last      atomic.Int64
	answers   sync.Map // by the command's number, a channel with room for its answer
	listeners sync.Map // by session
}

// Session takes commands for a page, or for the browser as a whole.
type Session struct {
	browser *Browser
	name    string // "" = the browser's
}

// Open makes the pipes; theirs are for the browser, as its files 3 and 4. The connection ends when the browser closes them, or by Close.
func Open(hear Listener) (b *Browser, theirs []*os.File, err error) {
	commands, out, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	in, answers, err := os.Pipe()
	if err != nil {
		return nil, nil, errors.Join(err, commands.Close(), out.Close())
	}
	b = &Browser{in: in, out: out}
	b.Session = Session{browser: b}
	b.Life, b.end = context.WithCancelCause(context.Background())
	b.listeners.Store("", hear)
	go b.read()
	return b, []*os.File{commands, answers}, nil
}

// Close ends the connection. A browser that does not hang ends with it.
func (b *Browser) Close() {
	b.end(ErrEnded)
	_ = b.in.Close()
	_ = b.out.Close()
}

// Attach opens a session with a page, whose events are heard until ctx ends.
func (b *Browser) Attach(ctx context.Context, page string, hear Listener) (Session, error) {
	var attached struct{ SessionID string }
	if err := b.Call(ctx, "Target.attachToTarget", Params{"targetId": page, "flatten": true}, &attached); err != nil {
		return Session{}, err
	}
	b.listeners.Store(attached.SessionID, hear)
	context.AfterFunc(ctx, func() { b.listeners.Delete(attached.SessionID) })
	return Session{b, attached.SessionID}, nil
}

// message is an answer to a command, or an event. It ends with a zero byte.
type message struct {
	ID        int64
	SessionID string
	Method    string
	Params    json.RawMessage
	Result    json.RawMessage
	Error     *struct{ Message string }
}

func (b *Browser) read() {
	defer b.Close()
	for messages := bufio.NewReader(b.in); ; {
		raw, err := messages.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(raw[:len(raw)-1], &m) != nil {
			continue // a command that this answered fails by its time-out
		}
		if answer, ok := b.answers.Load(m.ID); ok {
			answer.(chan message) <- m
		} else if hear, ok := b.listeners.Load(m.SessionID); ok && m.Method != "" {
			hear.(Listener)(m.Method, m.Params)
		}
	}
}

// Call gives a command and decodes its result, unless result is nil. The cause of a ctx that ends is the error.
func (s Session) Call(ctx context.Context, method string, params Params, result any) error {
	b, answer := s.browser, make(chan message, 1)
	id := b.last.Add(1)
	b.answers.Store(id, answer)
	defer b.answers.Delete(id)
	if err := b.write(ctx, struct {
		ID        int64  `json:"id"`
		SessionID string `json:"sessionId,omitempty"`
		Method    string `json:"method"`
		Params    Params `json:"params,omitempty"`
	}{id, s.name, method, params}); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-b.Life.Done():
		return ErrEnded
	case m := <-answer:
		switch {
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	}
}

// Evaluate decodes into result what a script, or its promise, comes to in the page.
func (s Session) Evaluate(ctx context.Context, script string, result any) error {
	var is struct {
		Result           struct{ Value any }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	is.Result.Value = result
	err := s.Call(ctx, "Runtime.evaluate", Params{"expression": script, "returnByValue": true, "awaitPromise": true}, &is)
	if failed := is.ExceptionDetails; err == nil && failed != nil {
		err = fmt.Errorf("the script failed: %s %s", failed.Text, failed.Exception.Description)
	}
	return err
}

// writeTimeout is how long a browser may leave what it is sent; a pipe holds some hundred commands.
const writeTimeout = 10 * time.Second

func (b *Browser) write(ctx context.Context, command any) error {
	raw, err := json.Marshal(command)
	if err != nil {
		return err
	}
	b.writing.Lock()
	defer b.writing.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	_ = b.out.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err = b.out.Write(append(raw, 0)); err != nil {
		b.Close() // after half a message nothing is understood
		return ErrEnded
	}
	return nil
}
