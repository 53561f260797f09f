package social

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Telegram is a channel that a bot may post to. The bot cannot read it.
type Telegram struct{ Place }

// The bot and its channel.
const (
	BotToken = "4711:a-simulated-bot"
	Channel  = "@goals"
)

// ServeHTTP implements http.Handler.
func (t *Telegram) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method, ok := strings.CutPrefix(r.URL.Path, "/bot"+BotToken+"/")
	if !ok {
		telegramError(w, http.StatusUnauthorized, "Unauthorized")
		return
	}
	fields, files, err := form(r)
	if err != nil || fields["chat_id"] != Channel {
		telegramError(w, http.StatusBadRequest, "Bad Request: chat not found")
		return
	}
	text, media := fields["text"]+fields["caption"], struct{ Media, Caption string }{}
	if fields["media"] != "" {
		_ = json.Unmarshal([]byte(fields["media"]), &media)
		text = media.Caption
	}
	var file part
	for name, f := range files {
		if name == "video" || name == "photo" || media.Media == "attach://"+name {
			file = f
		}
	}
	busy := func(w http.ResponseWriter) {
		answer(w, http.StatusTooManyRequests, map[string]any{"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 1", "parameters": map[string]any{"retry_after": 1}})
	}
	refusal := func() (int, string) {
		switch units := len(utf16.Encode([]rune(text))); {
		case file.size > 50<<20:
			return http.StatusRequestEntityTooLarge, "Request Entity Too Large"
		case t.treats(file.kind, Refuses, CannotProcess):
			return http.StatusBadRequest, "Bad Request: VIDEO_CONTENT_TYPE_INVALID"
		case file.size > 0 && units > 1024:
			return http.StatusBadRequest, "Bad Request: message caption is too long"
		case units > 4096:
			return http.StatusBadRequest, "Bad Request: message is too long"
		}
		return 0, ""
	}
	switch method {
	case "sendMessage", "sendVideo", "sendPhoto":
		t.act(w, "post", busy, func(w http.ResponseWriter) {
			if status, says := refusal(); says != "" {
				telegramError(w, status, says)
				return
			}
			telegramResult(w, telegramMessage(t.add(Message{Text: text, File: file.kind, Size: file.size})))
		})
	case "editMessageText", "editMessageMedia", "editMessageCaption":
		t.act(w, "edit", busy, func(w http.ResponseWriter) {
			if status, says := refusal(); says != "" {
				telegramError(w, status, says)
				return
			}
			t.edit(w, fields["message_id"], method, text, file)
		})
	case "deleteMessage":
		t.act(w, "delete", busy, func(w http.ResponseWriter) {
			if _, there := t.change(fields["message_id"], func(m *Message) { m.Deleted = true }); !there {
				telegramError(w, http.StatusBadRequest, "Bad Request: message to delete not found")
				return
			}
			telegramResult(w, true)
		})
	case "getChat":
		telegramResult(w, telegramChat())
	default:
		telegramError(w, http.StatusNotFound, "Not Found")
	}
}

func (t *Telegram) edit(w http.ResponseWriter, id, method, text string, file part) {
	says := ""
	m, there := t.change(id, func(m *Message) {
		switch {
		case method == "editMessageText" && m.File != "":
			says = "Bad Request: there is no text in the message to edit"
		case file.size == 0 && m.Text == text:
			says = "Bad Request: message is not modified: specified new message content and reply markup are exactly the same"
		default:
			m.Text = text
			m.Edits++
			if file.size > 0 {
				m.File, m.Size = file.kind, file.size
			}
		}
	})
	switch {
	case !there:
		telegramError(w, http.StatusBadRequest, "Bad Request: message to edit not found")
	case says != "":
		telegramError(w, http.StatusBadRequest, says)
	default:
		telegramResult(w, telegramMessage(m))
	}
}

func telegramMessage(m Message) any {
	id, _ := strconv.Atoi(m.ID)
	return map[string]any{"message_id": id, "date": m.At.Unix(), "chat": telegramChat()}
}

func telegramChat() any {
	return map[string]any{"id": -1004711, "username": strings.TrimPrefix(Channel, "@"), "type": "channel"}
}

func telegramResult(w http.ResponseWriter, result any) {
	answer(w, http.StatusOK, map[string]any{"ok": true, "result": result})
}

func telegramError(w http.ResponseWriter, status int, says string) {
	answer(w, status, map[string]any{"ok": false, "error_code": status, "description": says})
}
