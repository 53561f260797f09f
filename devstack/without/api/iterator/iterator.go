// Package iterator has the end of a list of Google's storage, which is left out.
package iterator

import "errors"

// Done is that end.
var Done = errors.New("no more items in iterator")
