package target

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Processed looks at a file that a service took until it is processed, or the time of the call is over. look reads the answer to the
// upload, then asks again; it says how long to wait before the next look.
func Processed(ctx context.Context, op string, look func(again bool) (done bool, wait time.Duration, err error)) error {
	for again := false; ; again = true {
		done, wait, err := look(again)
		if done || err != nil {
			return err
		}
		if err := network.Pause(ctx, wait); err != nil {
			return footy.Wrap(footy.CodeUnavailable, op, err)
		}
	}
}

// attach gives the post its file, and hands it in where the service wants it before. A video that is not taken and processed in time is as
// good as refused.
func (j *job) attach(ctx context.Context, p *rule.Posting) (err error) {
	if j.post.File, err = j.file(ctx, p); err != nil || j.post.File == nil || j.uploader == nil {
		return err
	}
	j.post.Handle, err = j.uploader.Upload(ctx, *j.post.File)
	if err != nil && j.post.File.Video && errors.Is(ctx.Err(), context.DeadlineExceeded) { // and not because this program ends
		return footy.Errorf(footy.CodeRejected, "", "%s did not take and process the video within %s", j.traits.Name, explain.Spoken(j.opt.Call))
	}
	return err
}

// clip is the clip that the post shows, by itself or by its picture.
func (j *job) clip() string {
	if j.post.File == nil {
		return ""
	}
	return j.s.Clip.ID
}

// file is what the post shows: the clip where the service takes it, else its poster; nil where there is neither.
func (j *job) file(ctx context.Context, p *rule.Posting) (*File, error) {
	c, most := j.s.Clip, j.traits.MaxVideo
	if c == nil || p.Picture.Clip != c.ID {
		p.Picture = rule.Picture{}
	}
	switch {
	case c == nil:
		return nil, nil //nolint:nilnil // text alone
	case most > 0 && c.Size > most:
		p.Picture = rule.Picture{Clip: c.ID, Reason: footy.ReasonTooLarge, Why: "the clip is larger than " + j.traits.Name + " takes"}
	case most > 0 && p.Picture.Clip == "":
		f, err := j.stored(ctx, c.Key, most)
		if err == nil {
			f.Name, f.Type, f.Video, f.Width, f.Height, f.Seconds = c.ID+footy.VideoKind(c.Key), footy.VideoType(c.Key), true, c.Width, c.Height, c.Duration
		}
		return f, err
	}
	if c.PosterKey == "" {
		return nil, nil //nolint:nilnil // idem
	}
	f, err := j.stored(ctx, c.PosterKey, j.traits.MaxPicture)
	if err == nil {
		f.Name, f.Type = c.ID+".jpg", "image/jpeg"
	}
	return f, err
}

const readClip = "read the clip"

func (j *job) stored(ctx context.Context, key string, most int64) (*File, error) {
	is, err := j.opt.Blob.Stat(ctx, key)
	switch {
	case err != nil:
		return nil, footy.Errorf(footy.CodeUnavailable, readClip, "%w", err)
	case is.Size > most:
		return nil, footy.Reject(readClip, footy.ReasonTooLarge, "%s is larger than %s takes", key, j.traits.Name)
	}
	return &File{Size: is.Size, About: footy.Label(*j.s.Event), Open: func(from int64) (io.ReadCloser, error) {
		o, err := j.opt.Blob.Open(ctx, key)
		if err == nil {
			_, err = o.Seek(from, io.SeekStart)
		}
		if err != nil {
			return nil, footy.Errorf(footy.CodeUnavailable, readClip, "%w", err)
		}
		return object{o}, nil
	}}, nil
}

// object marks faults of the storage, which are none of the service.
type object struct{ io.ReadCloser }

// Read implements io.Reader.
func (o object) Read(p []byte) (int, error) {
	n, err := o.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = footy.Errorf(footy.CodeUnavailable, readClip, "%w", err)
	}
	return n, err
}
