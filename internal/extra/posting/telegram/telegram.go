// Package telegram posts through a bot to a channel or group. A bot cannot see what it posted, so the delivery of a post whose answer was lost is unknown.
package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options of a bot and its chat.
type Options struct {
	URL    string // of the Bot API
	Token  string
	Chat   string // @channel or a number
	Client *http.Client
}

// Bot implements target.Service.
type Bot struct {
	target.API
	opt Options
}

const (
	maxCaption = 1024
	maxVideo   = 50 << 20
	maxPicture = 10 << 20
	remedy     = "write the bot's token as @BotFather shows it in POST_TELEGRAM_TOKEN, and make the bot an administrator of the channel in POST_TELEGRAM_CHAT"
)

// New makes a client.
func New(o Options) *Bot {
	o.URL = strings.TrimRight(o.URL, "/")
	return &Bot{target.NewAPI(o.Client, remedy, nil, refused), o}
}

// Traits implements target.Service.
func (b *Bot) Traits() target.Traits {
	return target.Traits{Name: "Telegram", Target: b.opt.Token + " " + b.opt.Chat, Text: rule.Limit{Max: maxCaption, Unit: rule.UTF16},
		MaxVideo: maxVideo, MaxPicture: maxPicture}
}

// message as Telegram tells of it.
type message struct {
	ID   int64 `json:"message_id"`
	Chat chat  `json:"chat"`
}

type chat struct {
	ID       int64  `json:"id"`
	Username string `json:"username"`
}

// ref of a message. The address of one in a channel without a name works for its members only; a group's messages have none.
func (c chat) ref(id string) target.Ref {
	inner, channel := strings.CutPrefix(strconv.FormatInt(c.ID, 10), "-100")
	switch {
	case c.Username != "":
		return target.Ref{ID: id, URL: "https://t.me/" + c.Username + "/" + id}
	case channel:
		return target.Ref{ID: id, URL: "https://t.me/c/" + inner + "/" + id}
	}
	return target.Ref{ID: id}
}

// Create implements target.Service.
func (b *Bot) Create(ctx context.Context, p target.Post) (target.Ref, error) {
	const op = "post at Telegram"
	f := p.File
	switch {
	case f == nil:
		return b.message(ctx, op, "sendMessage", map[string]string{"text": p.Text}, "", nil)
	case f.Video:
		return b.message(ctx, op, "sendVideo", map[string]string{"caption": p.Text, "supports_streaming": "true", "width": strconv.Itoa(f.Width),
			"height": strconv.Itoa(f.Height), "duration": strconv.Itoa(int(f.Seconds))}, "video", f)
	}
	return b.message(ctx, op, "sendPhoto", map[string]string{"caption": p.Text}, "photo", f)
}

// Edit implements target.Editor. A clip takes the place of a text or of another clip; nothing takes a clip away.
func (b *Bot) Edit(ctx context.Context, at target.Ref, p target.Post) (target.Ref, error) {
	const op = "edit a post at Telegram"
	fields := map[string]string{"message_id": at.ID}
	if p.File == nil {
		fields["text"] = p.Text
		return b.edited(ctx, op, "editMessageText", at, fields, nil)
	}
	kind := "photo"
	if p.File.Video {
		kind = "video"
	}
	media, err := json.Marshal(map[string]any{"type": kind, "media": "attach://file", "caption": p.Text})
	if err != nil {
		return target.Ref{}, footy.Wrap(footy.CodeInvalid, op, err)
	}
	fields["media"] = string(media)
	return b.edited(ctx, op, "editMessageMedia", at, fields, p.File)
}

func (b *Bot) edited(ctx context.Context, op, method string, at target.Ref, fields map[string]string, f *target.File) (target.Ref, error) {
	if _, err := b.message(ctx, op, method, fields, "file", f); err != nil {
		return target.Ref{}, err
	}
	return at, nil
}

// Delete implements target.Service.
func (b *Bot) Delete(ctx context.Context, at target.Ref) error {
	_, err := b.call(ctx, "delete a post at Telegram", "deleteMessage", map[string]string{"message_id": at.ID}, "", nil)
	return err
}

// Test implements target.Service.
func (b *Bot) Test(ctx context.Context) (string, error) {
	_, err := b.message(ctx, "test Telegram", "sendMessage", map[string]string{"text": "⚽ Found Footy: this is a test. Goals are posted here."}, "", nil)
	return "a test message was posted", err
}

// message makes a call whose answer is a message. An edit that changes nothing counts as success.
func (b *Bot) message(ctx context.Context, op, method string, fields map[string]string, name string, f *target.File) (target.Ref, error) {
	got, err := b.call(ctx, op, method, fields, name, f)
	if errors.Is(err, errUnchanged) {
		return target.Ref{}, nil
	}
	if err != nil {
		return target.Ref{}, err
	}
	var answer struct {
		Result message `json:"result"`
	}
	if err := got.Into(op, &answer); err != nil {
		return target.Ref{}, err
	}
	return answer.Result.Chat.ref(strconv.FormatInt(answer.Result.ID, 10)), nil
}

func (b *Bot) call(ctx context.Context, op, method string, fields map[string]string, name string, f *target.File) (target.Answer, error) {
	fields["chat_id"] = b.opt.Chat
	req, err := target.Form(ctx, http.MethodPost, b.opt.URL+"/bot"+b.opt.Token+"/"+method, fields, name, f)
	if err != nil {
		return target.Answer{}, err
	}
	return b.Send(req, op)
}

var errUnchanged = errors.New("the message is as it was")

func refused(a *target.Answer) (string, error) {
	var answer struct {
		Description string `json:"description"`
		Parameters  struct {
			RetryAfter int `json:"retry_after"`
		} `json:"parameters"`
	}
	_ = json.Unmarshal(a.Body, &answer) // a proxy answers in HTML
	a.Wait = time.Duration(answer.Parameters.RetryAfter) * time.Second
	says := strings.ToLower(answer.Description)
	switch {
	case strings.Contains(says, "message is not modified"):
		return "", errUnchanged
	case strings.Contains(says, "not found") && strings.Contains(says, "message"):
		a.Status = http.StatusNotFound
	case a.Status == http.StatusNotFound, strings.Contains(says, "chat not found"), strings.Contains(says, "not enough rights"): // a wrong token is a wrong path
		a.Status = http.StatusUnauthorized
	}
	return answer.Description, nil
}
