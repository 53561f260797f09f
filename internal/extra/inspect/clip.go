package inspect

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/validate/gate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// Clips runs the rules about video files.
type Clips struct {
	Media *media.Tool
}

// ClipFacts is what is known of one file.
type ClipFacts struct {
	File        string       `json:"file"`
	Size        int64        `json:"size,omitempty"`
	Digest      string       `json:"digest,omitempty"`
	Probe       *footy.Probe `json:"probe,omitempty"`
	Gate        string       `json:"gate"` // "passed", or the reason it was refused
	Detail      string       `json:"detail,omitempty"`
	Shown       string       `json:"shown,omitempty"` // what becomes of it, so that browsers play it
	Fingerprint *ClipSummary `json:"fingerprint,omitempty"`
}

// ClipSummary sums a fingerprint up.
type ClipSummary struct {
	Version  string  `json:"version"`
	Interval float64 `json:"interval_s"`
	Samples  int     `json:"samples"`
	Telling  int     `json:"telling_samples"` // samples that carry at least half the full weight
	Seconds  float64 `json:"seconds"`
	Bytes    int     `json:"bytes"`
	Text     string  `json:"text,omitempty"` // the dense: form, if asked for
}

// passed is the gate's answer to a clip that may go on.
const passed = "passed"

// Facts examines one file. A video that the gate refuses is a finding; a file that is no video is an error beside its
// facts.
func (c Clips) Facts(ctx context.Context, file string, text bool) (ClipFacts, error) {
	facts, fp, err := c.examine(ctx, file)
	if err != nil {
		return ClipFacts{File: file}, err
	}
	if fp.Empty() {
		if facts.Probe != nil && facts.Gate != string(footy.ReasonUnreadable) && facts.Gate != string(footy.ReasonTruncated) {
			return facts, nil // a video, refused before it was decoded
		}
		return facts, facts.unusable()
	}
	s := &ClipSummary{Version: fp.Version, Interval: fp.Interval, Samples: len(fp.Frames), Seconds: fp.Duration, Bytes: footy.FrameBytes * len(fp.Frames)}
	for _, f := range fp.Frames {
		if f.Weight >= 128 {
			s.Telling++
		}
	}
	if text {
		s.Text = phash.Format(fp)
	}
	facts.Fingerprint = s
	return facts, nil
}

// unusable is the error of a file without a fingerprint: it names the file and the reason.
func (f ClipFacts) unusable() error {
	return footy.Errorf(footy.CodeInvalid, "examine clip", "%s cannot be used: %s (%s)", f.File, f.Gate, f.Detail)
}

// usable examines a file that must have a fingerprint.
func (c Clips) usable(ctx context.Context, file string) (ClipFacts, footy.Fingerprint, error) {
	facts, fp, err := c.examine(ctx, file)
	if err == nil && fp.Empty() {
		err = facts.unusable()
	}
	return facts, fp, err
}

// examined is a file of a directory.
type examined struct {
	ClipFacts
	print footy.Fingerprint
}

// all examines the files of a directory, in order of name, one on each core at a time.
func (c Clips) all(ctx context.Context, dir string) ([]examined, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, unopened(dir, err)
	}
	var out []examined
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, examined{ClipFacts: ClipFacts{File: filepath.Join(dir, e.Name())}})
		}
	}
	if len(out) == 0 {
		return nil, footy.Errorf(footy.CodeNotFound, "list clips", "%s holds no files (directories in it are not searched)", dir)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for i := range out {
		g.Go(func() (err error) {
			out[i].ClipFacts, out[i].print, err = c.examine(ctx, out[i].File)
			return err
		})
	}
	return out, g.Wait()
}

// examine probes, gates, decodes. The fingerprint is empty where the file cannot be decoded; a file that the gate refuses
// is decoded all the same.
func (c Clips) examine(ctx context.Context, file string) (ClipFacts, footy.Fingerprint, error) {
	facts := ClipFacts{File: file, Gate: passed}
	none := footy.Fingerprint{}
	if fp, found, err := written(file); found || err != nil {
		facts.Gate = "not asked: a written fingerprint, no video"
		return facts, fp, err
	}
	var err error
	if facts.Digest, facts.Size, err = digest(file); err != nil {
		return facts, none, err
	}
	probe, err := c.Media.Probe(ctx, file)
	if err != nil {
		return facts, none, facts.refuse(err)
	}
	facts.Probe = &probe
	refusal := gate.File(probe, facts.Size)
	if probe.Duration > 2*gate.MaxDuration {
		return facts, none, facts.refuse(refusal) // hours of video are not worth a fingerprint
	}
	d, err := c.Media.Decode(ctx, file, probe, media.Wants{SamplesOnly: true})
	if err != nil {
		return facts, none, facts.refuse(err)
	}
	probe = d.Of(probe)
	facts.Shown = c.Media.Shows(ctx, file, probe)
	return facts, phash.Build(d.Samples), facts.refuse(cmp.Or(refusal, gate.Decoded(d.Length)))
}

// refuse notes a rejection; any other error is returned.
func (f *ClipFacts) refuse(err error) error {
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*footy.Error](err)
	if !ok || e.Code != footy.CodeRejected {
		return err
	}
	f.Gate, f.Detail = string(e.Reason), strings.TrimPrefix(e.Err.Error(), "file:"+f.File+": ")
	return nil
}

func digest(file string) (string, int64, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", 0, unopened(file, err)
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return "", 0, unopened(file, err)
	}
	return hex.EncodeToString(h.Sum(nil)), n, nil
}

// mostText is the most that a written fingerprint has, in bytes.
const mostText = 16 << 20

// written reads a file that holds a fingerprint in its dense: form in place of a video, as --text prints it.
func written(file string) (fp footy.Fingerprint, found bool, err error) {
	f, err := os.Open(file)
	if err != nil {
		return fp, false, nil // to open it as a video says what is wrong with it
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, mostText))
	_, dense, found := strings.Cut(string(data), "dense:")
	if !found || bytes.ContainsRune(data, 0) {
		return fp, false, nil
	}
	line, _, _ := strings.Cut(dense, "\n")
	fp, err = phash.Parse("dense:" + line)
	return fp, true, footy.Wrap(footy.CodeInvalid, "read "+file, err)
}
