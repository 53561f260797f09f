package source

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"github.com/found-footy/found-footy/internal/footy"
)

// Sink writes a file on, up to a limit, and knows its digest.
type Sink struct {
	Size  int64
	Limit int64
	Err   error // why it took no more: the file is too large, or this machine could not write

	w    io.Writer
	hash hash.Hash
}

// NewSink writes to w.
func NewSink(w io.Writer, limit int64) *Sink { return &Sink{w: w, Limit: limit, hash: sha256.New()} }

// Write implements io.Writer.
func (s *Sink) Write(b []byte) (int, error) {
	const op = "write file"
	if s.Size+int64(len(b)) > s.Limit {
		s.Err = footy.Reject(op, footy.ReasonTooLarge, "more than %d bytes", s.Limit)
		return 0, s.Err
	}
	n, err := s.w.Write(b)
	s.hash.Write(b[:n])
	s.Size += int64(n)
	if err != nil {
		s.Err = &footy.Error{Code: footy.CodeUnavailable, Op: op, Reason: footy.ReasonMachine, Err: err}
	}
	return n, s.Err
}

// Restart empties the writer, where it is a file, so that another one may be written.
func (s *Sink) Restart() error {
	f, ok := s.w.(interface {
		io.Seeker
		Truncate(size int64) error
	})
	if !ok {
		return footy.Errorf(footy.CodeUnavailable, "write file", "what is written to cannot begin anew")
	}
	_, err := f.Seek(0, io.SeekStart)
	if err == nil {
		err = f.Truncate(0)
	}
	s.Size = 0
	s.hash.Reset()
	return footy.Wrap(footy.CodeUnavailable, "write file", err)
}

// Fetched is what was written, from that address.
func (s *Sink) Fetched(url string) Fetched {
	return Fetched{URL: url, Size: s.Size, Digest: hex.EncodeToString(s.hash.Sum(nil))}
}
