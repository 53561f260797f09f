package media

import (
	"context"
	"fmt"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/footy"
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
	limited, cancel := t.within(ctx, t.opts.DecodeTimeout)
	defer cancel()
	args := []string{"-nostdin", "-v", "error", "-hide_banner", "-y", "-max_alloc", fmt.Sprint(t.opts.MaxAlloc)}
	args = append(append(append(args, t.input()...), "-i", arg(video)), t.input()...)
	args = append(args, "-i", arg(audio), "-map", "0:V:0", "-map", "1:a:0", "-c", "copy", "-fflags", "+bitexact", "-map_metadata", "-1",
		"-movflags", "+faststart", "-f", "mp4", arg(out))
	cmd, said := program.Command(limited, t.opts.FFmpeg, args...)
	if err := t.startWithin(cmd, t.pieceFence(uint64(total)+uint64(total)/8)); err != nil { //nolint:gosec // sizes of files
		return footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	if err := cmd.Wait(); err != nil {
		return failure(ctx, limited, op, said)
	}
	return nil
}
