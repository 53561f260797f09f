package source_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
)

func TestTheFirstBytesSayWhatAFileIs(t *testing.T) {
	t.Parallel()
	packet := "G" + strings.Repeat("x", 187)
	for head, want := range map[string]source.Kind{
		"\x00\x00\x00\x18ftypmp42....":                   source.KindVideo,
		"\x00\x00\x00\x14ftypqt  ....":                   source.KindVideo,
		"\x00\x00\x00\x08wide\x00\x00\x00\x00mdat":       source.KindVideo,
		"\x00\x00\x00\x18ftypheic....":                   source.KindPicture,
		"\x00\x00\x00\x18ftypavif....":                   source.KindPicture,
		"\x00\x00\x00\x18ftypM4A ....":                   "",
		"\x1a\x45\xdf\xa3\x01":                           source.KindVideo,
		"FLV\x01\x05":                                    source.KindVideo,
		"RIFF\x10\x00\x00\x00AVI LIST":                   source.KindVideo,
		"RIFF\x10\x00\x00\x00WEBPVP8 ":                   source.KindPicture,
		packet + packet:                                  source.KindVideo,
		"0123" + packet + "0123" + packet:                source.KindVideo,
		packet:                                           "",
		"GIF89a":                                         source.KindPicture,
		"\xff\xd8\xff\xe0":                               source.KindPicture,
		"#EXTM3U\n#EXT-X-VERSION:3":                      source.KindPlaylist,
		"<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:x\">": source.KindPlaylist,
		"\xef\xbb\xbf \r\n<!DOCTYPE html>":               source.KindText,
		` {"error": 404}`:                                source.KindText,
		"Not Found":                                      "",
		"":                                               "",
	} {
		require.Equal(t, want, source.KindOf([]byte(head)), "%q", head)
	}
}
