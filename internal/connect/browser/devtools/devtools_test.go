package devtools_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/devtools"
)

// chromium is the other end of the pipes, played by the test.
type chromium struct {
	*devtools.Browser
	t        *testing.T
	commands *os.File
	reads    *bufio.Reader
	answers  *os.File
}

func open(t *testing.T, hear devtools.Listener) *chromium {
	t.Helper()
	b, theirs, err := devtools.Open(hear)
	require.NoError(t, err)
	t.Cleanup(func() {
		b.Close()
		for _, f := range theirs {
			_ = f.Close()
		}
	})
	return &chromium{b, t, theirs[0], bufio.NewReader(theirs[0]), theirs[1]}
}

// command is the next that comes.
func (c *chromium) command() (got struct {
	ID                int
	SessionID, Method string
	Params            map[string]any
}) {
	c.t.Helper()
	raw, err := c.reads.ReadBytes(0)
	require.NoError(c.t, err)
	require.NoError(c.t, json.Unmarshal(raw[:len(raw)-1], &got))
	return got
}

func (c *chromium) says(format string, args ...any) {
	c.t.Helper()
	_, err := fmt.Fprintf(c.answers, format+"\x00", args...)
	require.NoError(c.t, err)
}

// call gives a command in the background.
func call(ctx context.Context, s devtools.Session, result any) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- s.Call(ctx, "Page.navigate", devtools.Params{"url": "about:blank"}, result) }()
	return ended
}

func TestAnswersFindTheirCommands(t *testing.T) {
	t.Parallel()
	c := open(t, nil)
	var one, two struct{ FrameID string }
	first := call(t.Context(), c.Session, &one)
	a := c.command()
	second := call(t.Context(), c.Session, &two)
	b := c.command()
	require.Equal(t, "Page.navigate", a.Method)
	require.Equal(t, map[string]any{"url": "about:blank"}, a.Params)
	require.Empty(t, a.SessionID)
	c.says(`{"id":%d,"result":{"frameId":"second"}}`, b.ID)
	require.NoError(t, <-second)
	c.says(`nonsense`)
	c.says(`{"id":%d,"result":{"frameId":"first"}}`, a.ID)
	require.NoError(t, <-first)
	require.Equal(t, []string{"first", "second"}, []string{one.FrameID, two.FrameID})

	failed := call(t.Context(), c.Session, nil)
	c.says(`{"id":%d,"error":{"code":-32000,"message":"no such page"}}`, c.command().ID)
	require.EqualError(t, <-failed, "Page.navigate: no such page")
}

func TestEventsComeInTheirOrderToTheirSession(t *testing.T) {
	t.Parallel()
	heard := make(chan string, 9)
	hear := func(who string) devtools.Listener {
		return func(method string, params json.RawMessage) { heard <- who + " " + method + " " + string(params) }
	}
	c := open(t, hear("browser"))
	attached := make(chan error, 1)
	go func() {
		s, err := c.Attach(t.Context(), "p1", hear("page"))
		if err == nil {
			err = s.Call(t.Context(), "Page.enable", nil, nil)
		}
		attached <- err
	}()
	got := c.command()
	require.Equal(t, map[string]any{"targetId": "p1", "flatten": true}, got.Params)
	c.says(`{"id":%d,"result":{"sessionId":"S"}}`, got.ID)
	got = c.command()
	require.Equal(t, "S", got.SessionID)
	require.Nil(t, got.Params)
	c.says(`{"sessionId":"S","method":"A","params":{"n":1}}`)
	c.says(`{"method":"B"}`)
	c.says(`{"sessionId":"another","method":"C"}`)
	c.says(`{"sessionId":"S","id":%d,"result":{}}`, got.ID)
	require.NoError(t, <-attached)
	require.Equal(t, []string{`page A {"n":1}`, "browser B "}, []string{<-heard, <-heard})
}

func TestACommandEndsWithItsContextAndSaysWhy(t *testing.T) {
	t.Parallel()
	c := open(t, nil)
	why := errors.New("the page died")
	ctx, end := context.WithCancelCause(t.Context())
	pending := call(ctx, c.Session, nil)
	c.command()
	end(why)
	require.ErrorIs(t, <-pending, why)
	require.ErrorIs(t, c.Call(ctx, "Page.enable", nil, nil), why)
	answer := call(t.Context(), c.Session, nil)
	require.Equal(t, "Page.navigate", c.command().Method, "what was not asked for any more was not sent")
	c.Close()
	require.ErrorIs(t, <-answer, devtools.ErrEnded)
}

func TestABrowserThatEndsEndsItsCommands(t *testing.T) {
	t.Parallel()
	c := open(t, nil)
	pending := call(t.Context(), c.Session, nil)
	c.command()
	require.NoError(t, c.answers.Close())
	require.ErrorIs(t, <-pending, devtools.ErrEnded)
	require.ErrorIs(t, context.Cause(c.Life), devtools.ErrEnded)
	require.NoError(t, c.commands.Close())
	require.ErrorIs(t, c.Call(t.Context(), "Page.enable", nil, nil), devtools.ErrEnded)
}
