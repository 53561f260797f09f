package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/footy"
)

// Picker chooses the words people use for a team from a list; what is not on the list is dropped.
type Picker struct {
	Client *Client
	Limit  time.Duration // of a choice, waiting included; 0 = 45 s
}

var _ alias.Picker = Picker{}

var aliasSchema = map[string]any{
	"type":                 "object",
	"properties":           map[string]any{"aliases": map[string]any{"type": "array", "items": map[string]any{"type": "string"}}},
	"required":             []string{"aliases"},
	"additionalProperties": false,
}

const aliasSystem = `You choose search words for a football team. From the list you are given, keep the words and short names
that fans type when they post about exactly this team: nicknames, abbreviations, short forms. Drop words that also mean
other teams or everyday things. Copy words unchanged and never add one.`

// Pick implements alias.Picker. It answers invalid if nothing the model chose was on the list.
func (p Picker) Pick(ctx context.Context, team string, candidates []string) ([]string, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(p.Limit, 45*time.Second))
	defer cancel()
	list, err := json.Marshal(candidates)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "pick aliases", "%w", err)
	}
	var out struct {
		Aliases []string `json:"aliases"`
	}
	err = p.Client.JSON(ctx, Request{System: aliasSystem, Prompt: fmt.Sprintf("Team: %s\nWords: %s", team, list),
		SchemaName: "aliases", Schema: aliasSchema, MaxTokens: 64 + 16*len(candidates)}, &out)
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, "pick aliases", err)
	}
	var chosen []string
	for _, word := range out.Aliases {
		i := slices.IndexFunc(candidates, func(c string) bool { return strings.EqualFold(c, strings.TrimSpace(word)) })
		if i >= 0 && !slices.Contains(chosen, candidates[i]) {
			chosen = append(chosen, candidates[i])
		}
	}
	if len(chosen) == 0 && len(out.Aliases) > 0 {
		return nil, footy.Errorf(footy.CodeInvalid, "pick aliases", "%s invented all of its %d words", p.Client.Name(), len(out.Aliases))
	}
	return chosen, nil
}
