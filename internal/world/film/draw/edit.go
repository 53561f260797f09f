package draw

import (
	"context"
	"fmt"
	"image/png"
	"os"
	"strconv"

	"github.com/found-footy/found-footy/internal/world/film/clip"
	"github.com/found-footy/found-footy/internal/world/script"
)

// edit makes a re-upload out of finished films.
func edit(ctx context.Context, c clip.Clip, sources []string, path string) error {
	filter, crf, fast := "null", 31+c.Take, true
	var in []string
	for _, s := range sources {
		in = append(in, "-i", s)
	}
	card := ""
	switch c.Edit {
	case script.Reencode:
		crf = 34 + c.Take
	case script.Small:
		filter = fmt.Sprintf("scale=%d:%d", c.Width, c.Height)
	case script.Trimmed:
		filter = fmt.Sprintf("trim=start=%g:duration=%g,setpts=PTS-STARTPTS", clip.TrimHead, c.Seconds)
	case script.TwoSecond:
		filter = fmt.Sprintf("trim=start=1:duration=%g,setpts=PTS-STARTPTS", c.Seconds)
	case script.Cropped:
		filter = "crop=iw*0.92:ih*0.92:iw*0.045:ih*0.035,scale=640:360"
	case script.Mirrored:
		filter = "hflip"
	case script.Portrait:
		filter = "crop=202:360,scale=360:640"
	case script.Compilation:
		filter = "[0:v][1:v]concat=n=2:v=1"
	case script.CutFile:
		fast = false
	case script.Watermarked:
		card = path + ".png"
		filter = "[0:v][1:v]overlay=440:64"
	case script.IntroCard:
		card = path + ".png"
		filter = fmt.Sprintf("[1:v]loop=loop=%d:size=1:start=0,setpts=N/(%d*TB),fps=%d,format=yuv420p,setsar=1[k];[0:v]setsar=1[v];[k][v]concat=n=2:v=1", int(clip.CardSeconds*fps)-1, fps, fps)
	}
	if card != "" {
		defer os.Remove(card)
		if err := still(c, card); err != nil {
			return err
		}
		in = append(in, "-i", card)
	}
	sound := len(in) / 2 // behind the pictures
	args := append(append(in, crowd(c)...), "-filter_complex", filter+"[out]", "-map", "[out]", "-map", fmt.Sprintf("%d:a", sound), "-r", strconv.Itoa(fps))
	args = append(append(args, encoder...), "-crf", strconv.Itoa(crf))
	if fast {
		args = append(args, "-movflags", "+faststart")
	}
	if err := ffmpeg(ctx, append(args, path), nil); err != nil {
		return err
	}
	if !fast {
		return cutShort(path)
	}
	return nil
}

// still draws the picture an edit lays over or before the film.
func still(c clip.Clip, path string) error {
	r := newChance("brand", c.Take)
	pic := newCanvas(150, 44)
	pic.rect(0, 0, pic.w, pic.h, r.colour(20, 120))
	if c.Edit == script.IntroCard {
		pic = newCanvas(clip.Width, clip.Height)
		pic.rect(0, 0, pic.w, pic.h, r.colour(10, 90))
		pic.rect(110, 110, 530, 230, r.colour(100, 220))
		pic.text(164, 150, 6, "GOALS TV", rgb{250, 250, 250})
	}
	if c.Edit == script.Watermarked {
		pic.text(10, 14, 2, "@GOALSTV"+strconv.Itoa(c.Take), rgb{255, 255, 255})
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("draw still: %w", err)
	}
	if err := png.Encode(f, pic); err != nil {
		f.Close()
		return fmt.Errorf("draw still: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("draw still: %w", err)
	}
	return nil
}

// Lower makes the small variant of a film for the CDN's second rendition.
func Lower(ctx context.Context, src, path string) error {
	args := append([]string{"-i", src, "-vf", "scale=trunc(iw/4)*2:trunc(ih/4)*2"}, encoder...)
	tmp := path + ".part"
	if err := ffmpeg(ctx, append(args, "-crf", "33", "-movflags", "+faststart", tmp), nil); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("keep small rendition: %w", err)
	}
	return nil
}
