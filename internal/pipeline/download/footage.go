package download

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// footageFile is what a post's footage is recognised by, as it is stored.
type footageFile struct {
	Fingerprint footy.Fingerprint `json:"fingerprint"`
}

// remember keeps what a post's footage is recognised by, for as long as the goal itself is kept: staging is swept earlier.
func (a *Activities) remember(ctx context.Context, eventUID, digest string, print footy.Fingerprint) (string, error) {
	text, err := json.Marshal(footageFile{print})
	if err != nil {
		return "", footy.Wrap(footy.CodeInvalid, "encode footage", err)
	}
	key := blob.FootageKey(eventUID, digest)
	return key, a.put(ctx, key, "application/json", text)
}

// recall reads what a post's footage is recognised by. Without it (nil) the model is asked: what was taken down is forgotten.
func (a *Activities) recall(ctx context.Context, m footy.Media) (*phash.Prepared, error) {
	if m.FootageKey == "" {
		return nil, nil
	}
	ctx, done := context.WithTimeout(ctx, longestRead)
	defer done()
	if kept := a.Prints.Known(m.Digest); kept != nil {
		if _, err := a.Blob.Stat(ctx, m.FootageKey); err == nil {
			return kept, nil
		}
	}
	var text bytes.Buffer
	err := blob.Read(ctx, a.Blob, m.FootageKey, &text)
	if footy.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, because(footy.ReasonStorage, "read "+m.FootageKey, err)
	}
	var file footageFile
	if json.Unmarshal(text.Bytes(), &file) != nil {
		return nil, nil // it is asked about
	}
	return a.Prints.Prepare(m.Digest, file.Fingerprint), nil
}
