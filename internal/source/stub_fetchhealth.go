package source

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

type FetchHealth struct {
	LastOK       time.Time        `json:"last_ok,omitzero"`
	Failed       []string         `json:"failed,omitempty"`
	Reason       footy.Reason     `json:"reason,omitempty"`
	RestingSince time.Time        `json:"resting_since,omitzero"`
	Known        *footy.Candidate `json:"known,omitempty"`
}
