package alert

import (
	"errors"

	"github.com/nicholas-fedor/shoutrrr/pkg/types"
)

// routed makes one error of the list that the library returns.
type routed struct {
	send func(string, *types.Params) []error
}

// Send implements Sender.
func (r routed) Send(text string) error { return errors.Join(r.send(text, &types.Params{})...) }
