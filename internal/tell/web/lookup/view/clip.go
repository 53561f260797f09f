package view

import (
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Choose picks the clip to show first: the one asked for or its winner, else the best. replaced: it is the winner.
func (v *Event) Choose(e *footy.Event, asked string) (chosen *Clip, replaced bool) {
	if c := explain.CurrentClip(e, asked); c != nil {
		for i := range v.Clips {
			if v.Clips[i].ID == c.ID {
				return &v.Clips[i], c.ID != asked
			}
		}
	}
	if len(v.Clips) > 0 {
		return &v.Clips[0], false
	}
	return nil, false
}
