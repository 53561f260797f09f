package source

import (
	"bytes"
	"slices"
)

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
