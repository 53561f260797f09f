package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// readyTimeout is how long a server may take to say that it is well.
const readyTimeout = 5 * time.Second

// Ready answers whether the server would take a request now. llama.cpp and vLLM say at /health whether a model is loaded. Ollama and hosted
// services have none, but all list their models, which many a server that says it is well does not.
func (c *Client) Ready(ctx context.Context) error {
	const op = "check model"
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	well := false
	if c.root != "" {
		code, body, err := c.get(ctx, c.root+"/health")
		switch {
		case err != nil:
			return unreachable(op, c.api, err)
		case code == http.StatusServiceUnavailable:
			return refused(code, body).asError(op, c.api)
		}
		well = code == http.StatusOK
	}
	code, body, err := c.get(ctx, c.api+"/models")
	switch {
	case err != nil && well:
		return nil // it just said so
	case err != nil:
		return unreachable(op, c.api, err)
	case code == http.StatusOK && !json.Valid(body):
		return &footy.Error{Code: footy.CodeInvalid, Op: op, Reason: footy.ReasonModelUnreachable,
			Err: fmt.Errorf("what answers at %s is no model server: its list of models is not JSON", c.api)}
	case code == http.StatusOK || well && code != http.StatusNotFound && code != http.StatusUnauthorized && code != http.StatusForbidden:
		return nil
	}
	return refused(code, body).asError(op, c.api)
}

func (c *Client) get(ctx context.Context, url string) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	c.sign(req)
	res, body, err := httpx.Read(c.http, req, 1<<20) //nolint:bodyclose // it closes it
	if err != nil {
		return 0, nil, err
	}
	return res.StatusCode, body, nil
}

func (c *Client) sign(req *http.Request) {
	if c.o.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+c.o.APIKey)
	}
}

// lookUp lists the models of the server that may answer questions. Those that compare or rank texts, hear, speak or draw do not.
func (c *Client) lookUp(ctx context.Context) (names []string) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	code, body, err := c.get(ctx, c.api+"/models")
	var list struct {
		Data []struct {
			ID   string `json:"id"`
			Type string `json:"type"` // LM Studio: llm, vlm, embeddings
		} `json:"data"`
	}
	if err != nil || code != http.StatusOK || json.Unmarshal(body, &list) != nil {
		return nil
	}
	for _, m := range list.Data {
		if m.ID != "" && !noTalker.MatchString(m.ID+" "+m.Type) {
			names = append(names, m.ID)
		}
	}
	return names
}

var noTalker = regexp.MustCompile(`(?i)embed|rerank|whisper|minilm|parakeet|kokoro|diffusion|speech|transcri|\b(bge|e5|gte|tts|stt|asr|sdxl|flux|piper)\b`)
