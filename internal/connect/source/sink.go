package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"slices"

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

// Kind is what the first bytes of an answer say that it is, whatever its type is called.
type Kind string

// The kinds; the zero value is none of them.
const (
	KindVideo    Kind = "a video"
	KindPicture  Kind = "a picture"
	KindPlaylist Kind = "a play-list of pieces" // HLS or DASH: no file
	KindText     Kind = "a page"                // or JSON
)

// KindBytes is how much of a file KindOf needs.
const KindBytes = 4 << 10

// magic is how files begin, at an offset.
var magic = []struct {
	kind Kind
	at   int
	text string
}{
	{KindVideo, 0, "\x1a\x45\xdf\xa3"}, {KindVideo, 0, "FLV\x01"}, {KindVideo, 8, "AVI "}, {KindVideo, 0, "OggS"}, {KindVideo, 0, "\x00\x00\x01\xba"},
	{KindVideo, 0, "\x00\x00\x01\xb3"}, {KindVideo, 0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"},
	{KindPicture, 0, "GIF8"}, {KindPicture, 0, "\xff\xd8\xff"}, {KindPicture, 0, "\x89PNG"}, {KindPicture, 8, "WEBP"},
}

var (
	boxes    = []string{"ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "sidx", "pnot"} // that begin an MP4 or MOV
	pictures = []string{"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis", "crx "}
)

// KindOf looks at the first bytes of an answer.
func KindOf(head []byte) Kind {
	for _, m := range magic {
		if len(head) > m.at && bytes.HasPrefix(head[m.at:], []byte(m.text)) {
			return m.kind
		}
	}
	if len(head) >= 12 && slices.Contains(boxes, string(head[4:8])) {
		switch brand := string(head[8:12]); {
		case string(head[4:8]) == "ftyp" && slices.Contains(pictures, brand):
			return KindPicture
		case string(head[4:8]) == "ftyp" && (brand == "M4A " || brand == "M4B "):
			return ""
		}
		return KindVideo
	}
	for _, first := range []int{0, 4} { // MPEG-TS, with time stamps of discs, too
		if packet := 188 + first; len(head) > first+packet && head[first] == 'G' && head[first+packet] == 'G' {
			return KindVideo
		}
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(text, []byte("#EXTM3U")), bytes.HasPrefix(text, []byte("<")) && bytes.Contains(text, []byte("<MPD")):
		return KindPlaylist
	case bytes.HasPrefix(text, []byte("<svg")):
		return KindPicture
	case len(text) > 0 && bytes.IndexByte([]byte("<{["), text[0]) >= 0:
		return KindText
	}
	return ""
}
