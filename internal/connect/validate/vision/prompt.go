package vision

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/footy"
)

// modelAnswer is the model's answer; want is how many frames it was asked about.
type modelAnswer struct {
	Frames []frameAnswer `json:"frames"`
	want   int
}

type frameAnswer struct {
	Soccer        *bool   `json:"soccer"`
	Screen        *bool   `json:"screen"`
	Clock         *string `json:"clock"`
	Added         *string `json:"added"`
	StoppageClock *string `json:"stoppage_clock"`
	Period        *string `json:"period"`
	Shows         *string `json:"shows"`
}

// Check implements llm.Checked. Which reading belongs to which frame is known only if there are as many; a missing
// verdict on the sport is no verdict.
func (s *modelAnswer) Check() error {
	if len(s.Frames) != s.want {
		return fmt.Errorf("%d readings for %d frames", len(s.Frames), s.want)
	}
	for i, f := range s.Frames {
		if f.Soccer == nil || f.Screen == nil {
			return fmt.Errorf("frame %d: soccer and screen must be true or false", i+1)
		}
	}
	return nil
}

const system = `You read still frames of one short video and report only what you see. Never guess, never calculate, never
carry text over from one frame to another.`

// prompt names the reading errors that models make with clocks, because a wrong clock costs a true clip.
const prompt = `Report on each of the %d frames, in order, one entry per frame:
soccer: ` + soccerMeans + `
screen: ` + screenMeans + `
clock: the match clock of the score graphic exactly as shown, all digits, such as "07:32" or "92:36"; null if none is readable.
added: announced added time such as "+6"; null if none.
stoppage_clock: a second, smaller running clock beside a clock that stands at 45:00 or 90:00, such as "01:48"; null if none.
period: the label of the half beside the clock, such as "1ST", "2ND", "HT" or "ET"; null if none.
Clocks of boards in the stadium, of apps and of phones are not the match clock.`

// picturePrompt asks what frames are; it repeats prompt's words for these two, so that a model answers both alike.
const picturePrompt = `Report on each of the %d frames, in order, one entry per frame:
soccer: ` + soccerMeans + `
screen: ` + screenMeans

const (
	soccerMeans = `true if it shows association football, played or celebrated, in a real match; false for other sports, video games, talk or memes.`
	screenMeans = `true if it was filmed off a television or monitor: its edges, glare, stripes or the room can be seen.`
)

// What a frame's answer takes, with what is around it: with its clock, or two true or false.
const (
	tokensPerFrame   = 160
	tokensPerPicture = 48
	tokensPerKind    = 16
)

func (t topic) prompt(frames int) string {
	text := picturePrompt
	if t.clock {
		text = prompt
	}
	text = fmt.Sprintf(text, frames)
	if len(t.kinds) == 0 {
		return text
	}
	text += "\nshows: "
	for _, k := range t.kinds {
		text += fmt.Sprintf("%q if %s; ", k.Name, k.Seen)
	}
	return text + fmt.Sprintf("%q if none of these can be seen.", footy.ShowsNothing)
}

func (t topic) tokens(frames int) int {
	each, base := tokensPerPicture, 32
	if t.clock {
		each, base = tokensPerFrame, 64
	}
	if len(t.kinds) > 0 {
		each += tokensPerKind
	}
	return base + each*frames
}

// cornerPrompt explains the extra picture: rows are numbered in it, so that no clock goes to another frame.
const cornerPrompt = `
The last picture is no frame of its own: it repeats corners of the frames, enlarged (top left, top right). Its rows are captioned with the frame they were cut
from. Read small clocks there and report them with their frame.`

// schema is the shape of an answer about frames.
func (t topic) schema(frames int) map[string]any {
	text := map[string]any{"type": []string{"string", "null"}}
	flag := map[string]any{"type": "boolean"}
	fields, names := map[string]any{"soccer": flag, "screen": flag}, []string{"soccer", "screen"}
	if t.clock {
		for _, name := range []string{"clock", "added", "stoppage_clock", "period"} {
			fields[name], names = text, append(names, name)
		}
	}
	if len(t.kinds) > 0 {
		words := []string{footy.ShowsNothing}
		for _, k := range t.kinds {
			words = append(words, k.Name)
		}
		fields["shows"], names = map[string]any{"type": "string", "enum": words}, append(names, "shows")
	}
	object := func(properties map[string]any, required []string) map[string]any {
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	return object(map[string]any{"frames": map[string]any{"type": "array", "items": object(fields, names), "minItems": frames, "maxItems": frames}}, []string{"frames"})
}
