package main

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
)

// network is the classifier while it learns: matrices with a ramp between them.
type network struct{ layers []*layer }

type layer struct {
	in, out int
	w, b    []float32
	// of Adam: running means of the gradient and of its square
	mw, vw, mb, vb []float32
}

func newNetwork(r *rand.Rand, sizes ...int) *network {
	n := &network{}
	for i := range len(sizes) - 1 {
		in, out := sizes[i], sizes[i+1]
		l := &layer{in: in, out: out, w: make([]float32, in*out), b: make([]float32, out), mw: make([]float32, in*out),
			vw: make([]float32, in*out), mb: make([]float32, out), vb: make([]float32, out)}
		for k := range l.w {
			l.w[k] = float32(r.NormFloat64() * math.Sqrt(2/float64(in)))
		}
		n.layers = append(n.layers, l)
	}
	return n
}

// gradient is what a share of a batch says.
type gradient struct{ w, b [][]float32 }

func (n *network) gradient() *gradient {
	g := &gradient{}
	for _, l := range n.layers {
		g.w, g.b = append(g.w, make([]float32, len(l.w))), append(g.b, make([]float32, len(l.b)))
	}
	return g
}

// learn adds the gradient of one sample and returns the loss.
func (n *network) learn(g *gradient, patch *clockface.Patch, class int) float64 {
	acts := [][]float32{patch[:]}
	for i, l := range n.layers {
		next := make([]float32, l.out)
		x := acts[i]
		for r := range next {
			v := l.b[r]
			for k, w := range l.w[r*l.in : (r+1)*l.in] {
				v += w * x[k]
			}
			if v < 0 && i < len(n.layers)-1 {
				v = 0
			}
			next[r] = v
		}
		acts = append(acts, next)
	}
	out := acts[len(acts)-1]
	most, sum := out[0], 0.0
	for _, v := range out {
		most = max(most, v)
	}
	delta := make([]float32, len(out))
	for c, v := range out {
		e := math.Exp(float64(v - most))
		delta[c] = float32(e)
		sum += e
	}
	const soft = 0.02 // nothing is quite sure: keeps scores honest
	loss := -(float64(out[class]-most) - math.Log(sum))
	for c := range delta {
		want := float32(soft / float64(len(out)))
		if c == class {
			want += 1 - soft
		}
		delta[c] = delta[c]/float32(sum) - want
	}
	for i := len(n.layers) - 1; i >= 0; i-- {
		l, x := n.layers[i], acts[i]
		back := make([]float32, l.in)
		for r, d := range delta {
			if d == 0 {
				continue
			}
			g.b[i][r] += d
			gw, w := g.w[i][r*l.in:(r+1)*l.in], l.w[r*l.in:(r+1)*l.in]
			for k, v := range x {
				gw[k] += d * v
				back[k] += d * w[k]
			}
		}
		if i > 0 {
			for k, v := range x {
				if v <= 0 {
					back[k] = 0
				}
			}
		}
		delta = back
	}
	return loss
}

const (
	batch  = 128
	shares = 4 // of a batch, whatever the number of cores: sums come out the same everywhere
)

// epoch goes once through all samples and returns the mean loss.
func (n *network) epoch(all []sample, r *rand.Rand, rate func(step int) float64, step *int) float64 {
	order := r.Perm(len(all))
	var gs [shares]*gradient
	for i := range gs {
		gs[i] = n.gradient()
	}
	total := 0.0
	for at := 0; at+batch <= len(order); at += batch {
		var losses [shares]float64
		var wait sync.WaitGroup
		for s := range shares {
			wait.Go(func() {
				var p clockface.Patch
				for _, k := range order[at+s*batch/shares : at+(s+1)*batch/shares] {
					all[k].unpack(&p)
					losses[s] += n.learn(gs[s], &p, int(all[k].class))
				}
			})
		}
		wait.Wait()
		*step++
		for i := range n.layers {
			n.update(i, gs[:], rate(*step), *step)
		}
		for _, l := range losses {
			total += l
		}
	}
	return total / float64(len(order))
}

// update is one step of Adam; it clears the gradients.
func (n *network) update(i int, gs []*gradient, rate float64, step int) {
	l := n.layers[i]
	c1, c2 := 1-math.Pow(0.9, float64(step)), 1-math.Pow(0.999, float64(step))
	k := float32(rate * math.Sqrt(c2) / c1)
	one := func(w, m, v []float32, of func(*gradient) []float32) {
		for j := range w {
			var g float32
			for _, share := range gs {
				s := of(share)
				g += s[j]
				s[j] = 0
			}
			g /= batch
			m[j] = 0.9*m[j] + 0.1*g
			v[j] = 0.999*v[j] + 0.001*g*g
			w[j] -= k * m[j] / (float32(math.Sqrt(float64(v[j]))) + 1e-8)
		}
	}
	one(l.w, l.mw, l.vw, func(g *gradient) []float32 { return g.w[i] })
	one(l.b, l.mb, l.vb, func(g *gradient) []float32 { return g.b[i] })
}

// pack rounds the weights to a byte each, with a scale for each row.
func (n *network) pack() []byte {
	var out []byte
	for _, l := range n.layers {
		c := clockface.Layer{In: l.in, Out: l.out, Bias: l.b, Scale: make([]float32, l.out), Rows: make([]int8, l.in*l.out)}
		for r := range l.out {
			row := l.w[r*l.in : (r+1)*l.in]
			var most float32 = 1e-6
			for _, w := range row {
				most = max(most, w, -w)
			}
			c.Scale[r] = most / 127
			for k, w := range row {
				c.Rows[r*l.in+k] = int8(math.Round(float64(w / c.Scale[r])))
			}
		}
		out = c.Append(out)
	}
	return out
}
