package network

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Serve serves on l until ctx ends; closing, if not nil, lets go of streams that would never end by themselves.
func Serve(ctx context.Context, l net.Listener, srv *http.Server, closing func()) error {
	ended := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer close(ended)
		if closing != nil {
			closing()
		}
		grace, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if srv.Shutdown(grace) != nil {
			_ = srv.Close()
		}
	})
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	<-ended
	return nil
}
