package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// shelf keeps fingerprints in a file, as a database does: none is in memory but those that are asked for.
type shelf struct {
	file   *os.File
	out    *bufio.Writer
	ends   []int64
	failed error
}

func newShelf(path string) (*shelf, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &shelf{file: f, out: bufio.NewWriterSize(f, 1<<20)}, nil
}

func (s *shelf) len() int { return len(s.ends) }

// put returns the place of what it keeps.
func (s *shelf) put(p printed) int {
	end := int64(0)
	if n := len(s.ends); n > 0 {
		end = s.ends[n-1]
	}
	s.failed = errors.Join(s.failed, binary.Write(s.out, binary.LittleEndian, p.Frames))
	s.ends = append(s.ends, end+int64(binary.Size(p.Frames)))
	return len(s.ends) - 1
}

func (s *shelf) get(i int) printed {
	if s.out.Buffered() > 0 {
		s.failed = errors.Join(s.failed, s.out.Flush())
	}
	begin := int64(0)
	if i > 0 {
		begin = s.ends[i-1]
	}
	raw := make([]byte, s.ends[i]-begin)
	if _, err := s.file.ReadAt(raw, begin); err != nil {
		panic(err) // it was written by this process
	}
	p := printed{Version: footy.FingerprintVersion, Interval: footy.SampleInterval, Frames: make([]footy.Frame, len(raw)/frameSize)}
	for k := range p.Frames {
		at := raw[k*frameSize:]
		for w := range p.Frames[k].Bits {
			p.Frames[k].Bits[w] = binary.LittleEndian.Uint64(at[8*w:])
		}
		p.Frames[k].Detail, p.Frames[k].Weight = binary.LittleEndian.Uint64(at[32:]), at[40]
	}
	p.Duration = float64(len(p.Frames)) * p.Interval
	return p
}

// frameSize is what a sample takes in the file.
const frameSize = 41

const event = "event"

// FingerprintRefs says what there is.
func (s *shelf) FingerprintRefs(context.Context) ([]footy.FingerprintRef, error) {
	out := make([]footy.FingerprintRef, s.len())
	for i := range out {
		out[i] = footy.FingerprintRef{ID: event + "/" + strconv.Itoa(i), EventUID: event}
	}
	return out, s.failed
}

// FingerprintsByID reads some.
func (s *shelf) FingerprintsByID(_ context.Context, ids []string) (out []footy.StoredFingerprint, err error) {
	for _, id := range ids {
		_, clip, _ := strings.Cut(id, "/")
		i, err := strconv.Atoi(clip)
		if err != nil {
			return nil, err
		}
		out = append(out, footy.StoredFingerprint{ClipID: clip, EventUID: event, Fingerprint: s.get(i)})
	}
	return out, s.failed
}

// State knows nothing.
func (s *shelf) State(_ context.Context, key string, _ any) error {
	return footy.Errorf(footy.CodeNotFound, "read state "+key, "there is none")
}
