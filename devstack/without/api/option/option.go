// Package option has what the server says to Google's storage, which is left out.
package option

import "golang.org/x/oauth2"

// ClientOption says nothing.
type ClientOption struct{}

// WithTokenSource says nothing.
func WithTokenSource(oauth2.TokenSource) ClientOption { return ClientOption{} }
