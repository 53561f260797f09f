package media

import (
	"context"
	_ "embed"
	"errors"
	"os"

	"github.com/found-footy/found-footy/internal/footy"
)

// sample is a second of a test picture: H.264 in MP4, which every ffmpeg of use can decode.
//
//go:embed sample.mp4
var sample []byte

// trial has the sample probed and decoded as any file.
func (t *Tool) trial(ctx context.Context, wants Wants, recolour string) error {
	const op = "decode footy's own test clip"
	file, err := os.CreateTemp("", "sample-*.mp4")
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	defer os.Remove(file.Name())
	_, err = file.Write(sample)
	if err = errors.Join(err, file.Close()); err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	p, err := t.probe(ctx, file.Name())
	if err == nil {
		p.Recolour = recolour
		_, err = t.decode(ctx, file.Name(), p, wants)
	}
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "%s or %s cannot: %w", t.opts.FFmpeg, t.opts.FFprobe, errors.New(footy.RootCause(err)))
	}
	return nil
}

// blame lets a complaint about a file stand as a fact about it only while the sample passes in the same way: else the trouble is this machine's.
func (t *Tool) blame(ctx context.Context, err error, wants Wants, probe footy.Probe) error {
	var e *footy.Error
	if !errors.As(err, &e) || e.Code != footy.CodeRejected {
		return err
	}
	switch e.Reason {
	case footy.ReasonUnreadable, footy.ReasonTruncated, footy.ReasonNoVideo, footy.ReasonTooLarge:
		if trouble := t.trial(ctx, wants, probe.Recolour); trouble != nil {
			return trouble
		}
	}
	return err
}
