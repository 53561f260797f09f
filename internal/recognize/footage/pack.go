package footage

// packedWidth is that of a packed picture, in blocks.
const packedWidth = 64

// Packed is what is kept of the frames in one picture: its blocks side by side, those of one frame after those of another.
func (o Overlay) Packed() Picture {
	places := o.places()
	n := len(places) * len(o.Frames)
	p := Picture{W: packedWidth * block, H: (n + packedWidth - 1) / packedWidth * block}
	p.Pix = make([]byte, p.W*p.H)
	for i, f := range o.Frames {
		for k, place := range places {
			o.copyBlock(p, i*len(places)+k, f, place, func(packed, frame *byte) { *packed = *frame })
		}
	}
	return p
}

// Unpack puts so many packed frames back into an overlay that lacks them; false if they do not fit.
func (o Overlay) Unpack(p Picture, frames int) (Overlay, bool) {
	places := o.places()
	n := len(places) * frames
	if len(places) == 0 || p.W != packedWidth*block || p.H != (n+packedWidth-1)/packedWidth*block || len(p.Pix) < p.W*p.H {
		return o, false
	}
	for i := range frames {
		f := blank(o.W, o.H)
		for k, place := range places {
			o.copyBlock(p, i*len(places)+k, f, place, func(packed, frame *byte) { *frame = *packed })
		}
		o.Frames = append(o.Frames, f)
	}
	return o, true
}

// places are the blocks that are kept.
func (o Overlay) places() (out []int) {
	for i := range o.columns() * o.rows() {
		if o.kept(i) {
			out = append(out, i)
		}
	}
	return out
}

// copyBlock goes through the pixels of the nth packed block and those at its place in the frame.
func (o Overlay) copyBlock(p Picture, n int, f Picture, place int, each func(packed, frame *byte)) {
	px, py := n%packedWidth*block, n/packedWidth*block
	fx, fy := place%o.columns()*block, place/o.columns()*block
	for y := range min(block, o.H-fy) {
		for x := range min(block, o.W-fx) {
			each(&p.Pix[(py+y)*p.W+px+x], &f.Pix[(fy+y)*f.W+fx+x])
		}
	}
}

// blank is a grey picture.
func blank(w, h int) Picture {
	p := Picture{W: w, H: h, Pix: make([]byte, w*h)}
	for i := range p.Pix {
		p.Pix[i] = 128
	}
	return p
}
