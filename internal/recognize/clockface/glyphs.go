package clockface

import (
	_ "embed" // the weights
	"encoding/binary"
	"errors"
	"math"
)

// What a glyph can be: the digits 0 to 9 are their own numbers.
const (
	Colon   = 10
	Plus    = 11 // before the small timer of stoppage time
	None    = 12 // no glyph, another, or not one alone
	Classes = 13
)

// Scores are natural logarithms of probabilities, one for each class.
type Scores [Classes]float32

// Best returns the most probable class.
func (s Scores) Best() int { return best(s[:]) }

func best(scores []float32) int {
	best := 0
	for c, v := range scores {
		if v > scores[best] {
			best = c
		}
	}
	return best
}

// These weights are written by `make clockfont`; a file is a row of layers, see Layer.Append.
var (
	//go:embed glyphs.weights
	weights []byte
	//go:embed letters.weights
	letterWeights []byte
)

// Layer is one matrix of the classifier, with one byte for each weight.
type Layer struct {
	In, Out int
	Scale   []float32 // of each row
	Bias    []float32
	Rows    []int8 // Out rows of In weights
}

// Append writes a layer behind out: sizes, then for each row its scale, its bias and its weights.
func (l Layer) Append(out []byte) []byte {
	out = binary.LittleEndian.AppendUint16(out, uint16(l.In))
	out = binary.LittleEndian.AppendUint16(out, uint16(l.Out))
	for r := range l.Out {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(l.Scale[r]))
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(l.Bias[r]))
		for _, w := range l.Rows[r*l.In : (r+1)*l.In] {
			out = append(out, byte(w))
		}
	}
	return out
}

// dense is a layer unpacked for reckoning.
type dense struct {
	in, out int
	bias    []float32
	rows    []float32
}

// Glyphs classifies glyphs: three small matrices.
type Glyphs struct{ layers []dense }

// NewGlyphs unpacks the weights that are part of the program.
func NewGlyphs() *Glyphs { return embedded(weights, Classes) }

func embedded(data []byte, classes int) *Glyphs {
	g, err := ParseGlyphs(data, classes)
	if err != nil {
		panic("the embedded weights of a glyph classifier are broken: " + err.Error()) // a test reads them
	}
	return g
}

// ParseGlyphs reads weights as Layer.Append writes them, for so many classes.
func ParseGlyphs(data []byte, classes int) (*Glyphs, error) {
	g := &Glyphs{}
	for want := PatchWidth * PatchHeight; len(data) > 0; {
		if len(data) < 4 {
			return nil, errors.New("weights end within the sizes of a layer")
		}
		in, out := int(binary.LittleEndian.Uint16(data)), int(binary.LittleEndian.Uint16(data[2:]))
		data = data[4:]
		if in != want || out == 0 || len(data) < out*(8+in) {
			return nil, errors.New("weights do not fit together, or end within a layer")
		}
		d := dense{in: in, out: out, bias: make([]float32, out), rows: make([]float32, in*out)}
		for r := range out {
			scale := math.Float32frombits(binary.LittleEndian.Uint32(data))
			d.bias[r] = math.Float32frombits(binary.LittleEndian.Uint32(data[4:]))
			for i, b := range data[8 : 8+in] {
				d.rows[r*in+i] = scale * float32(int8(b))
			}
			data = data[8+in:]
		}
		g.layers = append(g.layers, d)
		want = out
	}
	if len(g.layers) == 0 || g.layers[len(g.layers)-1].out != classes {
		return nil, errors.New("weights do not end in one row for each class")
	}
	return g, nil
}

// Read returns what a patch may be.
func (g *Glyphs) Read(p *Patch) (out Scores) {
	g.read(p, out[:])
	return out
}

func (g *Glyphs) read(p *Patch, out []float32) {
	var first sums
	g.layers[0].multiply(p[:], &first)
	g.finish(&first, out)
}

// ReadBoth returns what a patch may be as it is, and with dark and light exchanged: that is the negative of every number, so the first
// matrix, three quarters of the work, serves both.
func (g *Glyphs) ReadBoth(p *Patch) (asIs, exchanged Scores) {
	var first, negative sums
	g.layers[0].multiply(p[:], &first)
	for i, v := range first {
		negative[i] = -v
	}
	g.finish(&first, asIs[:])
	g.finish(&negative, exchanged[:])
	return asIs, exchanged
}

// sums are what the rows of a layer come to.
type sums [256]float32

func (l *dense) multiply(x []float32, to *sums) {
	for r := range l.out {
		to[r] = dot(l.rows[r*l.in:(r+1)*l.in], x)
	}
}

// finish reckons on from the sums of the first layer.
func (g *Glyphs) finish(cur *sums, out []float32) {
	next := &sums{}
	for i, l := range g.layers {
		if i > 0 {
			l.multiply(cur[:l.in], next)
			cur, next = next, cur
		}
		for r, b := range l.bias {
			cur[r] += b
			if cur[r] < 0 && i < len(g.layers)-1 {
				cur[r] = 0
			}
		}
	}
	most := float32(math.Inf(-1))
	for c := range out {
		most = max(most, cur[c])
	}
	sum := 0.0
	for c := range out {
		sum += math.Exp(float64(cur[c] - most))
	}
	for c := range out {
		out[c] = cur[c] - most - float32(math.Log(sum))
	}
}

// dot adds up in four lanes, which keeps the processor busy and the order of additions fixed.
func dot(w, x []float32) float32 {
	var s0, s1, s2, s3 float32
	x = x[:len(w)]
	i := 0
	for ; i+4 <= len(w); i += 4 {
		s0 += w[i] * x[i]
		s1 += w[i+1] * x[i+1]
		s2 += w[i+2] * x[i+2]
		s3 += w[i+3] * x[i+3]
	}
	for ; i < len(w); i++ {
		s0 += w[i] * x[i]
	}
	return s0 + s1 + s2 + s3
}
