package media

import (
	"context"
	"slices"
)

// AddSound puts the picture of one file and the sound of another into a third, as they are. The same two files always make the same third.
func (t *Tool) AddSound(ctx context.Context, video, audio, out string) error {
	const op = "add sound to a video"
	total := int64(1 << 20)
	for _, path := range []string{video, audio} {
		size, err := stat(op, path)
		if err != nil {
			return err
		}
		total += size
	}
	_, err := t.Run(ctx, Job{Op: op, Limit: t.opts.DecodeTimeout, File: total + total/8, Args: slices.Concat([]string{"-v", "error"}, t.Input(video), t.Input(audio),
		[]string{"-map", "0:V:0", "-map", "1:a:0", "-c", "copy", "-fflags", "+bitexact", "-map_metadata", "-1", "-movflags", "+faststart", "-f", "mp4", arg(out)})})
	return err
}
