package view

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/found-footy/found-footy/internal/footy"
)

var (
	initialsBefore = regexp.MustCompile(`^(\pL\.\s*)+`)
	unsafeInFiles  = regexp.MustCompile(`[\s\x00-\x1f\x7f\\/:*?"<>|\pC]+`)
	// whole are the letters that NFD does not take apart.
	whole = strings.NewReplacer("ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ß", "ss", "ı", "i", "æ", "ae", "Æ", "Ae", "œ", "oe", "Œ", "Oe")
)

// FileName is what a downloaded clip is called: "2026-11-26 Liverpool 2-1 Arsenal - Oedemark 78.mp4". A clip behind the best has its rank.
// Accents go; letters of other scripts stay.
func FileName(f *footy.Fixture, e *footy.Event, c *footy.Clip, zone *time.Location) string {
	score := "v"
	if e.ScoreAfter.Known() {
		score = Score(e.ScoreAfter.Home) + "-" + Score(e.ScoreAfter.Away)
	}
	who := initialsBefore.ReplaceAllString(e.Player.Name, "")
	if who == "" {
		who = e.Kind.Info().One
	}
	name := fmt.Sprintf("%s %s %s %s - %s %s", f.Match.Kickoff.In(zone).Format("2006-01-02"), f.Teams.Home.Name, score, f.Teams.Away.Name, who,
		strings.TrimSuffix(footy.MinuteLabel(e.Minute), "'"))
	if c.Rank > 1 {
		name += fmt.Sprintf(" (%d)", c.Rank)
	}
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && r < 0x370 { // not those that other scripts need
			return -1
		}
		return r
	}, norm.NFD.String(whole.Replace(name)))
	return strings.Trim(unsafeInFiles.ReplaceAllString(norm.NFC.String(plain), " "), " .") + footy.VideoKind(c.Key)
}
