package posting

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// errNoVideo says that the time of the call was over before a video was taken and processed.
var errNoVideo = errors.New("did not take and process the video")

const (
	// ShownWithin is how long after a post people should see its video.
	ShownWithin = 10 * time.Minute

	lookAgain = time.Hour
	lookUntil = 24 * time.Hour
)

// Processed looks at a file that a service took until it is processed, or the time of the call is over: meanwhile the next file is sent.
// look reads the answer to the upload, then asks again; it says how long to wait before the next look.
func Processed(ctx context.Context, op string, f File, look func(again bool) (done bool, wait time.Duration, err error)) error {
	f.sent()
	for again := false; ; again = true {
		done, wait, err := look(again)
		if done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return footy.Wrap(footy.CodeUnavailable, op, ctx.Err())
		case <-time.After(wait):
		}
	}
}

// attach gives the post its file, and hands it in where the service wants it before.
func (j *job) attach(ctx context.Context, p *footy.Posting) (err error) {
	if j.post.File, err = j.file(ctx, p); err != nil || j.post.File == nil || j.uploader == nil {
		return err
	}
	j.post.Handle, err = j.uploader.Upload(ctx, *j.post.File)
	if err != nil && j.post.File.Video && errors.Is(ctx.Err(), context.DeadlineExceeded) && !j.late(err) { // and not because this program ends
		return footy.Errorf(footy.CodeUnavailable, "", "%s %w within %s", j.traits.Name, errNoVideo, explain.Spoken(j.opt.Call))
	}
	return err
}

// clip is the clip that the post shows, by itself or by its picture.
func (j *job) clip() string {
	if j.post.File == nil {
		return ""
	}
	return j.s.clip.ID
}

// file is what the post shows: the clip where the service takes it, else its poster; nil where there is neither.
func (j *job) file(ctx context.Context, p *footy.Posting) (*File, error) {
	c := j.s.clip
	if c == nil {
		p.Picture = footy.PostingPicture{}
		return nil, nil //nolint:nilnil // text alone
	}
	if p.Picture.Clip != c.ID {
		p.Picture = j.tooMuch(c)
	}
	if p.Picture.Clip == "" {
		f, err := j.stored(ctx, c.Key, j.traits.MaxVideo)
		if err == nil {
			f.Name, f.Type, f.Video, f.Width, f.Height, f.Seconds = c.ID+".mp4", "video/mp4", true, c.Width, c.Height, c.Duration
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

// tooMuch says why the service would not take a clip; zero if it may.
func (j *job) tooMuch(c *footy.Clip) footy.PostingPicture {
	switch most := j.traits.MaxLength; {
	case c.Size > j.traits.MaxVideo || j.smaller > 0 && c.Size >= j.smaller:
		return footy.PostingPicture{Clip: c.ID, Reason: footy.ReasonTooLarge, Why: "the clip is larger than " + j.traits.Name + " takes"}
	case most > 0 && c.Duration > most:
		return footy.PostingPicture{Clip: c.ID, Reason: footy.ReasonTooLong,
			Why: "the clip is longer than the " + explain.Spoken(time.Duration(most)*time.Second) + " that " + j.traits.Name + " takes"}
	}
	return footy.PostingPicture{}
}

// fallBack has the clip's picture posted next. A video that stands stays where the text is the same: a picture of a better clip is none.
func (j *job) fallBack(p *footy.Posting, err error) {
	p.Picture = footy.PostingPicture{Clip: j.s.clip.ID, Why: footy.UserMessage(err)}
	if footy.ReasonOf(err) == footy.ReasonTooLarge {
		j.smaller, p.Picture.Reason = j.post.File.Size, footy.ReasonTooLarge
	}
	p.NextTry = j.opt.Now()
	told := news.Told{At: j.s.was.At, Clip: j.s.was.Clip, Text: j.s.was.Says}
	if change, _ := news.Of(j.s.event, j.s.clip, j.s.says, told, j.s.now); p.Step == footy.PostingDone && change == news.BetterClip && p.Says == digest(j.post.Text, p.Clip, true) {
		p.Refused = j.s.says
	}
}

const readClip = "read the clip"

// stored is a file as the storage has it.
func (j *job) stored(ctx context.Context, key string, most int64) (*File, error) {
	is, err := j.opt.Blob.Stat(ctx, key)
	switch {
	case err != nil:
		return nil, footy.Errorf(footy.CodeUnavailable, readClip, "%w", err)
	case is.Size > most:
		return nil, footy.Reject(readClip, footy.ReasonTooLarge, "%s is larger than %s takes", key, j.traits.Name)
	}
	return &File{Size: is.Size, About: footy.Label(*j.s.event), sent: j.sent, Open: func(from int64) (io.ReadCloser, error) {
		o, err := j.opt.Blob.Open(ctx, key)
		if err != nil {
			return nil, footy.Errorf(footy.CodeUnavailable, readClip, "%w", err)
		}
		if _, err := o.Seek(from, io.SeekStart); err != nil {
			o.Close()
			return nil, footy.Errorf(footy.CodeUnavailable, readClip, "%w", err)
		}
		return &object{o, &j.unread}, nil
	}}, nil
}

// object tells faults of the storage from those of the service.
type object struct {
	io.ReadCloser
	unread *atomic.Bool
}

// Read implements io.Reader.
func (o *object) Read(p []byte) (int, error) {
	o.unread.Store(true)
	n, err := o.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		return n, footy.Errorf(footy.CodeUnavailable, readClip, "%w", err)
	}
	o.unread.Store(false)
	return n, err
}

// late reports whether the time of the call was over because the storage did not answer.
func (j *job) late(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && j.unread.Load()
}

// watch looks whether people see the video of a post; a post that stands is not made again.
func (j *job) watch(ctx context.Context) error {
	p, now := j.s.was, j.opt.Now()
	seen, err := j.watcher.Seen(ctx, Ref{p.ID, p.URL})
	var row *footy.Evidence
	switch {
	case err != nil: // nobody knows
		j.opt.Logger.InfoContext(ctx, "whether people see the video of a post is not known", "module", "posting", "action", "watch", "target", j.traits.Name, "error", err)
		p.LookAt = now.Add(ShownWithin)
	case seen:
		p.LookAt, p.Unseen = time.Time{}, ""
	default:
		p.LookAt = now.Add(lookAgain)
		if p.Unseen == "" {
			p.Unseen = j.traits.Name + " has not processed its video; delete the post there, or leave it: its link leads to the clip"
			row = &footy.Evidence{Step: p.Step, URL: p.URL, Unseen: p.Unseen}
		}
	}
	if now.Sub(p.At) > lookUntil {
		p.LookAt = time.Time{}
	}
	return j.write(ctx, p, row)
}
