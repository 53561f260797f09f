// Package typeface draws digits in the fonts of Debian's packages, split into families to learn from, to choose limits on,
// and to judge on.
package typeface

import (
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Dir is where Debian's packages put their fonts.
const Dir = "/usr/share/fonts"

// Face is one font of a family.
type Face struct {
	Family, File string
	font         *opentype.Font
}

// Load reads the fonts of a split. It asks for every family: figures of half the fonts are other figures.
func Load(dir string, split Split) ([]Face, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read fonts: %w; install them with: make fonts", err)
	}
	slices.SortFunc(files, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	var out []Face
	for _, family := range Families() {
		if family.Split != split {
			continue
		}
		n := len(out)
		for _, path := range files {
			if !family.has(filepath.Base(path)) || slices.ContainsFunc(out[n:], func(f Face) bool { return f.File == filepath.Base(path) }) {
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			face, err := Parse(family.Name, filepath.Base(path), data)
			if err != nil {
				return nil, err
			}
			out = append(out, face)
		}
		if len(out) == n {
			return nil, fmt.Errorf("read fonts: no file of %s (package %s) in %s; install them with: make fonts", family.Name, family.Package, dir)
		}
	}
	return out, nil
}

func (f Family) has(name string) bool {
	for _, part := range leftOut() {
		if strings.Contains(name, part) {
			return false
		}
	}
	return slices.ContainsFunc(f.Files, func(pattern string) bool { ok, _ := filepath.Match(pattern, name); return ok })
}

// Parse reads a font file.
func Parse(family, file string, data []byte) (Face, error) {
	f, err := opentype.Parse(data)
	if err != nil {
		return Face{}, fmt.Errorf("parse font %s: %w", file, err)
	}
	return Face{Family: family, File: file, font: f}, nil
}

// Has reports whether the font has all of a text's characters.
func (f Face) Has(text string) bool {
	for _, r := range text {
		if i, err := f.font.GlyphIndex(nil, r); err != nil || i == 0 {
			return false
		}
	}
	return true
}

// Glyph is a drawn character: its ink, and where the ink lies from the pen.
type Glyph struct {
	Ink     *image.Alpha
	X, Y    float64 // of the ink's upper left corner; the top of the digits is 0
	Advance float64
}

// Set is a font at one size.
type Set struct {
	Height  float64 // of the digits
	Glyphs  map[rune]Glyph
	Advance float64 // of the widest digit
}

// Runes are what sets hold, as far as the font has them: the last are those of labels of halves.
const Runes = "0123456789:+-'.ABCDEFGHIJKLMNOPQRSTUVWXYZstndºª°前後半"

// Set draws the font so that its digits are so many pixels high.
func (f Face) Set(height float64) (Set, error) {
	size := height * 1.4
	var face font.Face
	for range 2 { // the first drawing measures the digits
		var err error
		face, err = opentype.NewFace(f.font, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			return Set{}, fmt.Errorf("draw %s: %w", f.File, err)
		}
		b, _, ok := face.GlyphBounds('0')
		if !ok || b.Max.Y <= b.Min.Y {
			return Set{}, fmt.Errorf("draw %s: it has no digits", f.File)
		}
		size *= height / (float64(b.Max.Y-b.Min.Y) / 64)
	}
	out := Set{Height: height, Glyphs: map[rune]Glyph{}}
	zero, _, _ := face.GlyphBounds('0')
	top := float64(zero.Min.Y) / 64
	for _, r := range Runes {
		if index, err := f.font.GlyphIndex(nil, r); r > 'Z' && (err != nil || index == 0) {
			continue // else a box is drawn in its place
		}
		box, mask, at, advance, ok := face.Glyph(fixed.Point26_6{}, r)
		if !ok && r > ':' || !ok && r < '0' {
			continue // letters and signs are only beside the clock
		}
		if !ok {
			return Set{}, fmt.Errorf("draw %s: it has no %q", f.File, r)
		}
		ink := image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy()))
		for y := range box.Dy() {
			for x := range box.Dx() {
				_, _, _, a := mask.At(at.X+x, at.Y+y).RGBA()
				ink.Pix[y*ink.Stride+x] = byte(a >> 8)
			}
		}
		g := Glyph{Ink: ink, X: float64(box.Min.X), Y: float64(box.Min.Y) - top, Advance: float64(advance) / 64}
		out.Glyphs[r] = g
		if r >= '0' && r <= '9' {
			out.Advance = max(out.Advance, g.Advance)
		}
	}
	return out, nil
}

// Spacing says how characters follow one another.
type Spacing struct {
	Even  bool    // every digit in the middle of a cell of one width, as clocks mostly do
	Loose float64 // added after each character, in parts of the digits' height
}

// Placed is a character and where its pen stands.
type Placed struct {
	Rune rune
	Glyph
	Pen         float64
	Left, Right float64 // its cell
}

// Line lays a text out from 0 on and returns its length.
func (s Set) Line(text string, sp Spacing) ([]Placed, float64) {
	var out []Placed
	x := 0.0
	for _, r := range text {
		if r == ' ' {
			x += s.Advance / 2
			continue
		}
		g, ok := s.Glyphs[r]
		if !ok {
			continue // a font without this letter
		}
		p := Placed{Rune: r, Glyph: g, Pen: x, Left: x}
		wide := g.Advance
		if sp.Even && r >= '0' && r <= '9' {
			p.Pen += (s.Advance - g.Advance) / 2
			wide = s.Advance
		}
		x += wide
		p.Right = x
		x += sp.Loose * s.Height
		out = append(out, p)
	}
	return out, x - sp.Loose*s.Height
}

// Ink returns from where to where, seen from the left of a cell, any digit has ink.
func (s Set) Ink(sp Spacing) (from, to float64) {
	from = s.Advance
	for r := '0'; r <= '9'; r++ {
		line, _ := s.Line(string(r), sp)
		x := line[0].Pen + line[0].X
		from, to = min(from, x), max(to, x+float64(line[0].Glyph.Ink.Rect.Dx()))
	}
	return from, to
}
