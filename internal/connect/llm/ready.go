package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
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
	res, err := c.http.Do(req) //nolint:bodyclose // httpx.Drain closes it
	if err != nil {
		return 0, nil, err
	}
	defer httpx.Drain(res)
	body, err := httpx.ReadBody(res, 1<<20)
	return res.StatusCode, body, err
}

func (c *Client) sign(req *http.Request) {
	if c.o.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+c.o.APIKey)
	}
}

// lookUp asks for the name of the model: servers with several models insist on one, so "default" must become a real name.
func (c *Client) lookUp(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	code, body, err := c.get(ctx, c.api+"/models")
	if err != nil {
		return "", err
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil || code != http.StatusOK || len(list.Data) != 1 {
		return "", fmt.Errorf("the server lists %d models, not one", len(list.Data))
	}
	return list.Data[0].ID, nil
}
