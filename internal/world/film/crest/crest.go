// Package crest is the simulated picture server of the feed: it draws a crest for each team and competition.
package crest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strconv"
	"strings"
)

const (
	size = 64
	fine = 4 // points per pixel and direction, for smooth edges
)

// Server answers GET /football/teams/{id}.png and /football/leagues/{id}.png.
func Server() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /football/{kind}/{file}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(strings.TrimSuffix(r.PathValue("file"), ".png"))
		kind := r.PathValue("kind")
		if err != nil || kind != "teams" && kind != "leagues" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(drawPNG(id, kind == "teams"))
	})
	return mux
}

var dyes = []color.RGBA{{178, 34, 52, 255}, {20, 66, 140, 255}, {24, 110, 62, 255}, {96, 42, 120, 255}, {206, 112, 18, 255}, {16, 112, 126, 255},
	{110, 24, 44, 255}, {52, 60, 72, 255}}

var lights = []color.RGBA{{250, 248, 240, 255}, {246, 208, 70, 255}, {170, 212, 242, 255}, {28, 28, 32, 255}}

// drawPNG makes a shield with a pattern of its own, or a disc for a competition.
func drawPNG(id int, shield bool) []byte {
	pic := image.NewNRGBA(image.Rect(0, 0, size, size))
	dye, light := dyes[id%len(dyes)], lights[id/len(dyes)%len(lights)]
	for y := range size {
		for x := range size {
			var r, g, b, a int
			for i := range fine * fine {
				px, py := (float64(x)+(float64(i%fine)+.5)/fine)/size*2-1, (float64(y)+(float64(i/fine)+.5)/fine)/size*2-1
				if !inside(px, py, shield) {
					continue
				}
				c := dye
				if inside(px*1.18, py*1.18, shield) && striped(px, py, id) {
					c = light
				}
				r, g, b, a = r+int(c.R), g+int(c.G), b+int(c.B), a+1
			}
			if a > 0 {
				pic.SetNRGBA(x, y, color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a), uint8(a * 255 / (fine * fine))}) //nolint:gosec // means of bytes
			}
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, pic); err != nil { // a buffer takes everything
		panic(err)
	}
	return out.Bytes()
}

func inside(x, y float64, shield bool) bool {
	if !shield {
		return x*x+y*y < .9
	}
	if y < -.15 {
		return y > -.92 && x > -.78 && x < .78
	}
	t := (y + .15) / 1.1 // the sides meet in a point
	return t < 1 && x*x < .78*.78*(1-t*t)
}

func striped(x, y float64, id int) bool {
	switch id / 3 % 5 {
	case 0:
		return int((x+2)*4)%2 == 0
	case 1:
		return int((y+2)*4)%2 == 0
	case 2:
		return x+y > 0
	case 3:
		return x*x+(y+.1)*(y+.1) < .2
	}
	return x > -.2 && x < .2
}
