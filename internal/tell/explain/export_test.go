package explain

import (
	"errors"
	"io"

	"github.com/found-footy/found-footy/internal/footy"
)

// SayAllOfNothing says each sentence of the table of empty evidence.
func SayAllOfNothing() (err error) {
	for _, s := range sentences {
		err = errors.Join(err, s.Execute(io.Discard, footy.Evidence{}))
	}
	return err
}
