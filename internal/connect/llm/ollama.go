package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
)

// Ollama is what an Ollama server tells of itself and of the model (docs.ollama.com/api).
type Ollama struct {
	Version   string
	Context   int      // tokens that question and answer may have together; 0 = the model is not loaded, or it was not told
	Abilities []string // "completion", "vision", "thinking", ...; nil = not told
}

// Ollama asks whether the server is one; false: it is another, or does not answer.
func (c *Client) Ollama(ctx context.Context) (is Ollama, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	var version struct {
		Version string `json:"version"`
	}
	if !c.tell(ctx, "/api/version", nil, &version) || version.Version == "" {
		return is, false
	}
	is.Version = version.Version
	var show struct {
		Capabilities []string `json:"capabilities"`
	}
	c.tell(ctx, "/api/show", map[string]string{"model": c.Name()}, &show)
	is.Abilities = show.Capabilities
	var loaded struct {
		Models []struct {
			Name    string `json:"name"`
			Context int    `json:"context_length"`
		} `json:"models"`
	}
	c.tell(ctx, "/api/ps", nil, &loaded)
	for _, m := range loaded.Models {
		if m.Name == c.Name() || strings.TrimSuffix(m.Name, ":latest") == c.Name() {
			is.Context = m.Context
		}
	}
	return is, true
}

// tell gets what the server tells at a path, or in answer to a question; false: nothing of use.
func (c *Client) tell(ctx context.Context, path string, question, out any) bool {
	if c.root == "" {
		return false
	}
	method, body := http.MethodGet, []byte(nil)
	if question != nil {
		method = http.MethodPost
		body, _ = json.Marshal(question) // texts
	}
	req, err := http.NewRequestWithContext(ctx, method, c.root+path, bytes.NewReader(body))
	if err != nil {
		return false
	}
	c.sign(req)
	res, err := c.http.Do(req) //nolint:bodyclose // httpx.Drain closes it
	if err != nil {
		return false
	}
	defer httpx.Drain(res)
	data, err := httpx.ReadBody(res, maxBody)
	return err == nil && res.StatusCode == http.StatusOK && json.Unmarshal(data, out) == nil
}
