package social

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"unicode/utf16"
)

// Discord is a channel with one webhook: messages are posted, changed and deleted through it; it cannot list them.
type Discord struct {
	Place
	MaxFile int // bytes; 0: ten megabytes
}

// Hook is the path of its webhook.
const Hook = "/api/webhooks/4711/a-simulated-token"

// ServeHTTP implements http.Handler.
func (d *Discord) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rest, ok := strings.CutPrefix(r.URL.Path, Hook)
	if !ok {
		answer(w, http.StatusNotFound, map[string]any{"message": "Unknown Webhook", "code": 10015})
		return
	}
	busy := func(w http.ResponseWriter) {
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset-After", "0.05")
		answer(w, http.StatusTooManyRequests, map[string]any{"message": "You are being rate limited.", "retry_after": 0.05, "global": false})
	}
	id, of := strings.CutPrefix(rest, "/messages/")
	switch {
	case r.Method == http.MethodGet && rest == "":
		answer(w, http.StatusOK, map[string]any{"id": "4711", "type": 1, "guild_id": "77", "channel_id": "88", "name": "goals"})
	case r.Method == http.MethodPost && rest == "":
		body, status, refused := d.read(r)
		d.act(w, "post", busy, func(w http.ResponseWriter) {
			if refused != nil {
				answer(w, status, refused)
				return
			}
			m := d.add(body.message(Message{}))
			if r.URL.Query().Get("wait") != "true" {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			answer(w, http.StatusOK, shown(m))
		})
	case r.Method == http.MethodGet && of:
		m, there := d.change(id, func(*Message) {})
		if !there {
			answer(w, http.StatusNotFound, map[string]any{"message": "Unknown Message", "code": 10008})
			return
		}
		answer(w, http.StatusOK, shown(m))
	case r.Method == http.MethodPatch && of:
		body, status, refused := d.read(r)
		d.act(w, "edit", busy, func(w http.ResponseWriter) {
			if refused != nil {
				answer(w, status, refused)
				return
			}
			m, there := d.change(id, func(m *Message) {
				*m = body.message(*m)
				m.Edits++
			})
			if !there {
				answer(w, http.StatusNotFound, map[string]any{"message": "Unknown Message", "code": 10008})
				return
			}
			answer(w, http.StatusOK, shown(m))
		})
	case r.Method == http.MethodDelete && of:
		d.act(w, "delete", busy, func(w http.ResponseWriter) {
			if _, there := d.change(id, func(m *Message) { m.Deleted = true }); !there {
				answer(w, http.StatusNotFound, map[string]any{"message": "Unknown Message", "code": 10008})
				return
			}
			w.WriteHeader(http.StatusNoContent)
		})
	default:
		answer(w, http.StatusMethodNotAllowed, map[string]any{"message": "405: Method Not Allowed", "code": 0})
	}
}

// discordBody is what a client sends.
type discordBody struct {
	Content     *string `json:"content"`
	Attachments *[]struct {
		ID       json.Number `json:"id"`
		Filename string      `json:"filename"`
	} `json:"attachments"`

	file part
}

// read takes a body; refused is what Discord says of one it does not take.
func (d *Discord) read(r *http.Request) (body discordBody, status int, refused any) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, 1))
	r.Body = io.NopCloser(io.MultiReader(strings.NewReader(string(raw)), r.Body))
	text := ""
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") && err == nil {
		var fields map[string]string
		var files map[string]part
		if fields, files, err = form(r); err == nil {
			text, body.file = fields["payload_json"], files["files[0]"]
		}
	} else if err == nil {
		var all []byte
		all, err = io.ReadAll(r.Body)
		text = string(all)
	}
	most := cmp.Or(d.MaxFile, 10<<20)
	switch {
	case err != nil || json.Unmarshal([]byte(text), &body) != nil:
		return body, http.StatusBadRequest, map[string]any{"message": "The request body contains invalid JSON.", "code": 50109}
	case body.file.size > most:
		return body, http.StatusRequestEntityTooLarge, map[string]any{"message": "Request entity too large", "code": 40005}
	case d.treats(body.file.kind, Refuses, CannotProcess):
		return body, http.StatusBadRequest, map[string]any{"message": "Invalid Form Body", "code": 50035}
	case body.Content != nil && len(utf16.Encode([]rune(*body.Content))) > 2000:
		return body, http.StatusBadRequest, map[string]any{"message": "Invalid Form Body", "code": 50035}
	case (body.Content == nil || *body.Content == "") && body.file.size == 0:
		return body, http.StatusBadRequest, map[string]any{"message": "Cannot send an empty message", "code": 50006}
	}
	return body, 0, nil
}

// message is what becomes of one: attachments that a list leaves out go, and without a list they stay.
func (b discordBody) message(m Message) Message {
	if b.Content != nil {
		m.Text = *b.Content
	}
	if b.Attachments != nil {
		m.File, m.Size = "", 0
	}
	if b.file.size > 0 {
		m.File, m.Size = b.file.kind, b.file.size
	}
	return m
}

func shown(m Message) map[string]any {
	return map[string]any{"id": m.ID, "channel_id": "88", "webhook_id": "4711", "content": m.Text, "type": 0}
}
