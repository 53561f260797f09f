package trial

import (
	"fmt"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"
)

// kind of picture; its text is what people read.
type kind string

const (
	clock1080 kind = "clocks, 1080 lines"
	clock720  kind = "clocks, 720 lines"
	stoppage  kind = "stoppage time: a clock that stands and a timer beside it"
	phone     kind = "a phone filming a screen"
	other     kind = "no football"
)

func kinds() []kind { return []kind{clock1080, clock720, stoppage, phone, other} }

// scene is one picture to draw, and what is right about it.
type scene struct {
	kind  kind
	lines int // 1080 or 720
	seed  int // of players, crowd and noise

	font   []byte
	height int  // of the font in pixels
	right  bool // the score bug is top right, else top left
	light  bool // dark letters on a light box, else the other way
	second int  // what the clock shows, in seconds; -1 = there is none
	timer  int  // the timer of stoppage time; -1 = there is none
	sport  int  // which of the things that are no football
}

func (s scene) clock() string { return minutes(s.second) }

func minutes(second int) string {
	if second < 0 {
		return ""
	}
	return fmt.Sprintf("%02d:%02d", second/60, second%60)
}

// scenes are the twenty pictures. Each round has other minutes, players and noise: a server that keeps what it computed for one
// round has nothing of the next. Neighbours are of different kinds, so that nothing can be carried over from one to the next.
func scenes(round int) []scene {
	at := func(minute, second int) int { return (minute+7*round)%90*60 + (second+11*round)%60 }
	bug := func(k kind, lines int, font []byte, height int, right, light bool, second int) scene {
		return scene{kind: k, lines: lines, font: font, height: height, right: right, light: light, second: second, timer: -1}
	}
	extra := func(s scene, end, timer int) scene {
		s.second, s.timer = end*60, (timer+17*round)%360
		return s
	}
	none := func(lines, sport int) scene {
		return scene{kind: other, lines: lines, sport: sport, second: -1, timer: -1, font: gobold.TTF, height: 40}
	}
	out := []scene{
		bug(clock1080, 1080, gobold.TTF, 34, false, false, at(67, 42)),
		bug(clock720, 720, gomono.TTF, 20, false, true, at(8, 5)),
		none(1080, 0),
		extra(bug(stoppage, 1080, gobold.TTF, 32, false, false, 0), 90, 207),
		bug(clock1080, 1080, gomono.TTF, 30, true, true, at(23, 19)),
		bug(phone, 1080, gobold.TTF, 40, false, false, at(51, 30)),
		bug(clock720, 720, gobold.TTF, 24, true, false, at(80, 56)),
		bug(clock1080, 1080, gomedium.TTF, 28, false, false, at(39, 8)),
		extra(bug(stoppage, 720, gomedium.TTF, 23, true, false, 0), 45, 96),
		none(720, 1),
		bug(clock720, 720, gomedium.TTF, 20, false, false, at(12, 34)),
		bug(clock1080, 1080, goregular.TTF, 24, false, true, at(75, 1)),
		extra(bug(stoppage, 1080, gomono.TTF, 28, true, true, 0), 45, 156),
		bug(phone, 720, gomonobold.TTF, 28, true, false, at(33, 12)),
		bug(clock720, 720, goregular.TTF, 18, true, true, at(46, 27)),
		bug(clock1080, 1080, gobolditalic.TTF, 32, true, false, at(5, 50)),
		none(1080, 2),
		extra(bug(stoppage, 720, gomonobold.TTF, 22, false, true, 0), 90, 338),
		bug(clock720, 720, gomonobold.TTF, 20, false, false, at(58, 13)),
		bug(phone, 1080, gomedium.TTF, 38, false, true, at(70, 44)),
	}
	for i := range out {
		out[i].seed = 100*round + i
	}
	return out
}
