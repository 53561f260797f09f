package film

import (
	"strings"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
)

// drawable writes a line with the letters that the font has: Latin, Greek and Cyrillic ones stay, others are written as they sound.
func drawable(line string) string {
	font, err := sfnt.Parse(gobold.TTF)
	if err != nil { // never: it is part of the program
		return unidecode.Unidecode(line)
	}
	var out strings.Builder
	var buf sfnt.Buffer
	for _, r := range line {
		switch glyph, err := font.GlyphIndex(&buf, r); {
		case r < ' ':
			out.WriteByte(' ')
		case err == nil && glyph != 0:
			out.WriteRune(r)
		default:
			out.WriteString(unidecode.Unidecode(string(r)))
		}
	}
	return out.String()
}
