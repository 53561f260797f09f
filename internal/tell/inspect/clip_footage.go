package inspect

import (
	"context"
	"fmt"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/internal/recognize/footage"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// ClipFootage is whether a clip goes by what was read of another one, without a model.
type ClipFootage struct {
	TakenOver bool        `json:"taken_over"`
	Why       footage.Why `json:"why,omitempty"`     // a model is asked about it all the same
	Share     float64     `json:"share"`             // of the stretch that both show, how much agrees: 0..1
	Seconds   float64     `json:"seconds"`           // of the clip
	Shared    float64     `json:"shared_seconds"`    // of them, that the other shows, too
	ReadBy    string      `json:"read_by"`           // clock: the other's running clock; model: pictures of it that a model is shown
	Readings  int         `json:"readings"`          // of the other
	Shown     int         `json:"shown"`             // of them, that fall into what both show
	Overlay   *bool       `json:"overlay,omitempty"` // the same score box and clock lie over both; null: not compared
	Identical bool        `json:"identical"`         // the same file, byte for byte
}

var footageWords = map[footage.Why]string{
	footage.OtherFootage: "it is not surely the same footage", footage.MoreFootage: "it shows more than the other does",
	footage.FewReadings: "too little of what was read falls into what both show, or it does not agree there", footage.OtherOverlay: "another score box or clock lies over it, or that cannot be told",
}

// looked is a file with what its footage is recognised by.
type looked struct {
	footage.Footage
	digest string
	read   []footy.Reading
	by     string
}

// Footage tells whether a clip takes over what was read of another one that was judged. Where that has no running clock, a model is taken
// to have read what it is shown first.
func (c Clips) Footage(ctx context.Context, file, judged string) (ClipFootage, error) {
	mine, err := c.look(ctx, file)
	if err != nil {
		return ClipFootage{}, err
	}
	its, err := c.look(ctx, judged)
	if err != nil {
		return ClipFootage{}, err
	}
	if mine.digest == its.digest {
		length := rounded(float64(len(mine.Fingerprint.Frames)) * mine.Fingerprint.Interval)
		return ClipFootage{TakenOver: true, Share: 1, Seconds: length, Shared: length, ReadBy: its.by, Readings: len(its.read), Shown: len(its.read), Identical: true}, nil
	}
	t := mine.TakeOver(its.Footage, its.read)
	out := ClipFootage{TakenOver: t.Why == "", Why: t.Why, Share: rounded(t.Match.Share), Seconds: rounded(t.Length), Shared: rounded(t.Shared()), ReadBy: its.by, Readings: len(its.read), Shown: len(t.Shown)}
	if t.Why == "" || t.Why == footage.OtherOverlay {
		out.Overlay = &t.Overlay
	}
	return out, nil
}

func (c Clips) look(ctx context.Context, file string) (out looked, err error) {
	facts := ClipFacts{File: file}
	if out.digest, _, err = digest(file); err != nil {
		return out, err
	}
	probe, err := c.Media.Probe(ctx, file)
	var d media.Decoded
	if err == nil {
		d, err = c.Media.Decode(ctx, file, probe, media.Wants{Clock: true}, nil)
	}
	if err != nil {
		if err = facts.refuse(err); err == nil {
			err = facts.unusable()
		}
		return out, err
	}
	out.Footage = footage.Footage{Fingerprint: phash.Build(d.Samples), Overlay: footage.OfJPEGs(d.JPEGs())}
	if running := d.Clock.Running(); running.Sure() {
		out.read, out.by = clock.Frames(running), "clock"
		return out, nil
	}
	out.by = "model"
	for _, f := range d.Frames[min(1, len(d.Frames)):min(4, len(d.Frames))] { // the middle three
		out.read = append(out.read, footy.Reading{At: f.At, Soccer: true})
	}
	return out, nil
}

// String explains it to people.
func (a ClipFootage) String() string {
	head := "taken over: what was read of the other holds for it, no model is asked"
	switch {
	case a.Identical:
		head = "taken over: the same file, byte for byte"
	case !a.TakenOver:
		head = "a model is asked: " + footageWords[a.Why]
	}
	return fmt.Sprintf("%s\n  %.1f of its %.1f s are in the other, which agree to %.0f %%\n  %d of %d readings (by %s) fall into them\n", head, a.Shared, a.Seconds, 100*a.Share, a.Shown, a.Readings, a.ReadBy)
}
