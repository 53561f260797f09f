package view

import (
	"fmt"
	"github.com/found-footy/found-footy/internal/footy"
)

// Board is a score as two rows, of a match or after a goal of it.
type Board struct {
	Path string // of the match
	Rows [2]Row // home, away
}

// Row is one side of a board.
type Row struct {
	Team
	Goals, Penalties *int
	Scored           bool // the goal that the board is of
	Bold             bool // it scored, or leads
}

func boardOf(f *footy.Fixture, home, away Team, s footy.Score) Board {
	return Board{Path: MatchPath(f.ID), Rows: [2]Row{{Team: home, Goals: s.Home}, {Team: away, Goals: s.Away}}}
}

// MatchPath is the address of a match.
func MatchPath(id int64) string { return fmt.Sprint("/match/", id) }

func (b *Board) mark(side footy.Side) {
	for i, s := range []footy.Side{footy.SideHome, footy.SideAway} {
		b.Rows[i].Scored, b.Rows[i].Bold = s == side, s == side
	}
}

// lead makes the side that leads bold, once there is something to lead in.
func (b *Board) lead(p Phase) {
	total := func(r Row) (n int) {
		for _, g := range []*int{r.Penalties, r.Goals} {
			if g != nil {
				n = n*100 + *g
			}
		}
		return n
	}
	home, away := total(b.Rows[0]), total(b.Rows[1])
	b.Rows[0].Bold, b.Rows[1].Bold = home > away, away > home
	if p == PhaseAhead {
		b.Rows[0].Bold, b.Rows[1].Bold = false, false
	}
}
