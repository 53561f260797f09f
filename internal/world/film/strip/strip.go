// Package strip is the machine-readable strip drawn into every frame: what a viewer would see there, and nothing he would not.
package strip

// Reading is what a viewer sees in a frame. Negative minutes mean "not shown".
type Reading struct {
	Soccer bool
	Screen bool // a film of a television
	Minute int  // main clock
	Second int
	Added  int // the board's "+N"
	// SubMinute and SubSecond are the second timer that runs beside a frozen main clock.
	SubMinute int
	SubSecond int
	Period    string // the label beside the clock: "", 1H, 2H, ET1, ET2
	Shows     string // what is not a goal: "", red_card, yellow_card, var, missed_penalty
}

// Blank is a reading of a picture that shows no clock.
func Blank() Reading { return Reading{Minute: -1, Added: -1, SubMinute: -1} }

var (
	periods = []string{"", "1H", "2H", "ET1", "ET2"}
	shows   = []string{"", "red_card", "yellow_card", "var", "missed_penalty"}
)

// Geometry, in shares of the whole picture: far enough inside that cropping 5 % a side leaves it whole.
const (
	Left     = 0.0625
	Right    = 0.9375
	Top      = 0.826
	Bottom   = 0.904
	columns  = 32
	rows     = 2
	finder   = 3 // columns at each end
	dataBits = (columns - 2*finder) * rows
	crcBits  = 13
)

// finders are the end columns: left, right; true = light. They differ from their own mirror image.
var finders = [2][rows][finder]bool{
	{{true, false, true}, {true, true, false}},
	{{false, true, true}, {true, false, false}},
}

// Cells returns the strip as rows of light (true) and dark cells.
func Cells(r Reading) [rows][columns]bool {
	var out [rows][columns]bool
	bits := encode(r)
	n := 0
	for row := range rows {
		for col := range columns {
			switch {
			case col < finder:
				out[row][col] = finders[0][row][col]
			case col >= columns-finder:
				out[row][col] = finders[1][row][col-(columns-finder)]
			default:
				out[row][col] = bits>>n&1 == 1
				n++
			}
		}
	}
	return out
}

// encode packs a reading into 39 bits and puts 13 bits of checksum above them.
func encode(r Reading) uint64 {
	var v uint64
	n := 0
	put := func(x, width int) { v |= uint64(x) & (1<<width - 1) << n; n += width }
	put(flag(r.Soccer), 1)
	put(flag(r.Screen), 1)
	put(flag(r.Minute >= 0), 1)
	put(max(r.Minute, 0), 7)
	put(r.Second, 6)
	put(r.Added+1, 5)
	put(flag(r.SubMinute >= 0), 1)
	put(max(r.SubMinute, 0), 5)
	put(r.SubSecond, 6)
	put(index(periods, r.Period), 3)
	put(index(shows, r.Shows), 3)
	return whiten(v | uint64(crc(v))<<(dataBits-crcBits))
}

func decode(bits uint64) (Reading, bool) {
	bits = whiten(bits)
	v := bits & (1<<(dataBits-crcBits) - 1)
	if uint16(bits>>(dataBits-crcBits)) != crc(v) {
		return Reading{}, false
	}
	n := 0
	get := func(width int) int { x := int(v >> n & (1<<width - 1)); n += width; return x }
	r := Blank()
	r.Soccer, r.Screen = get(1) == 1, get(1) == 1
	shown, minute := get(1) == 1, get(7)
	r.Second = get(6)
	r.Added = get(5) - 1
	sub, subMinute := get(1) == 1, get(5)
	r.SubSecond = get(6)
	period, kind := get(3), get(3)
	if period >= len(periods) || kind >= len(shows) {
		return Reading{}, false
	}
	r.Period, r.Shows = periods[period], shows[kind]
	if shown {
		r.Minute = minute
	}
	if sub {
		r.SubMinute = subMinute
	}
	return r, true
}

// whiten spreads the light cells over the strip, so that no reading is one flat bar.
func whiten(v uint64) uint64 { return (v ^ 0xA5C396695A3C) & (1<<dataBits - 1) }

func crc(v uint64) uint16 {
	c := uint16(0xFFFF)
	for i := range 6 {
		c ^= uint16(v>>(8*i)&0xFF) << 8
		for range 8 {
			if c&0x8000 != 0 {
				c = c<<1 ^ 0x1021
			} else {
				c <<= 1
			}
		}
	}
	return c >> (16 - crcBits)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func index(words []string, word string) int {
	for i, w := range words {
		if w == word {
			return i
		}
	}
	return 0
}
