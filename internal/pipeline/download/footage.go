package download

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/jpeg"
	"io"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/recognize/footage"
)

// footageFile is a footage.Footage as it is stored: what is kept of the overlay's frames packed into one JPEG.
type footageFile struct {
	Fingerprint footy.Fingerprint `json:"fingerprint"`
	Known       bool              `json:"overlay_known,omitempty"`
	W           int               `json:"w,omitempty"`
	H           int               `json:"h,omitempty"`
	Kept        []byte            `json:"kept,omitempty"` // a bit for each block
	Frames      int               `json:"frames,omitempty"`
	Packed      []byte            `json:"packed,omitempty"`
}

// overlayQuality leaves the edges of small digits as they are.
const overlayQuality = 60

// remember keeps what a post's footage is recognised by, for as long as the goal itself is kept: staging is swept earlier.
func (a *Activities) remember(ctx context.Context, eventUID, digest string, d media.Decoded, print footy.Fingerprint) (string, error) {
	var o footage.Overlay
	if err := guard("find overlay", func() error { o = footage.OfJPEGs(d.JPEGs()); return nil }); err != nil {
		return "", err
	}
	f := footageFile{Fingerprint: print, Known: o.Known, W: o.W, H: o.H, Kept: o.Kept}
	if len(o.Frames) > 0 {
		p := o.Packed()
		var out bytes.Buffer
		if err := jpeg.Encode(&out, &image.Gray{Pix: p.Pix, Stride: p.W, Rect: image.Rect(0, 0, p.W, p.H)}, &jpeg.Options{Quality: overlayQuality}); err != nil {
			return "", footy.Wrap(footy.CodeInvalid, "encode overlay", err)
		}
		f.Frames, f.Packed = len(o.Frames), out.Bytes()
	}
	text, err := json.Marshal(f)
	if err != nil {
		return "", footy.Wrap(footy.CodeInvalid, "encode footage", err)
	}
	key := blob.FootageKey(eventUID, digest)
	return key, a.put(ctx, key, "application/json", text)
}

// recall reads what a post's footage is recognised by. Without it, known is false and the model is asked: what was taken down is
// forgotten.
func (a *Activities) recall(ctx context.Context, m footy.Media) (f footage.Footage, known bool, err error) {
	if m.FootageKey == "" {
		return f, false, nil
	}
	ctx, done := reading(ctx)
	defer done()
	o, err := a.Blob.Open(ctx, m.FootageKey)
	if footy.IsNotFound(err) {
		return f, false, nil
	}
	if err != nil {
		return f, false, because(footy.ReasonStorage, "read "+m.FootageKey, err)
	}
	defer o.Close()
	text, err := io.ReadAll(blob.Cancellable(ctx, o))
	if err != nil {
		return f, false, because(footy.ReasonStorage, "read "+m.FootageKey, err)
	}
	f, known = decoded(text)
	return f, known, nil
}

func decoded(text []byte) (f footage.Footage, known bool) {
	var file footageFile
	if json.Unmarshal(text, &file) != nil {
		return f, false
	}
	f = footage.Footage{Fingerprint: file.Fingerprint, Overlay: footage.Overlay{Known: file.Known, W: file.W, H: file.H, Kept: file.Kept}}
	if file.Frames == 0 {
		return f, true
	}
	img, err := jpeg.Decode(bytes.NewReader(file.Packed))
	if err != nil {
		return f, false
	}
	f.Overlay, known = f.Overlay.Unpack(footage.Grey(img), file.Frames)
	return f, known
}
