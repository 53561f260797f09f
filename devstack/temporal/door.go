package temporal

import (
	"context"
	"crypto/subtle"
	"os"
	"strings"

	"go.temporal.io/server/common/authorization"
	"google.golang.org/grpc/metadata"

	"github.com/found-footy/found-footy/devstack/problem"
)

// door admits clients that send the token; without a token it admits all. The server's own calls come by another frontend (inside.go).
type door struct{ bearer string }

// openDoor reads the token. Only its owner may read the file: it is all that keeps other users of the machine out.
func openDoor(file string) (door, error) {
	if file == "" {
		return door{}, nil
	}
	refuse := func(what string, err error) error {
		return &problem.Error{Thing: "--token-file " + file, What: what, Remedy: "write a long random word to it, for this user alone (chmod 600)", Err: err}
	}
	info, err := os.Stat(file)
	if err != nil {
		return door{}, refuse("cannot be read", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return door{}, refuse("others may read or write it", nil)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return door{}, refuse("cannot be read", err)
	}
	token := strings.TrimSpace(string(b))
	if len(token) < 32 {
		return door{}, refuse("has fewer than 32 characters", nil)
	}
	return door{"Bearer " + token}, nil
}

// send adds the token to the calls of ctx.
func (d door) send(ctx context.Context) context.Context {
	if d.bearer == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", d.bearer)
}

// AuthInfoRequired implements authorization.ClaimMapperWithAuthInfoRequired: a call without a header is judged, too.
func (door) AuthInfoRequired() bool { return false }

// GetClaims implements authorization.ClaimMapper.
func (d door) GetClaims(in *authorization.AuthInfo) (*authorization.Claims, error) {
	if subtle.ConstantTimeCompare([]byte(in.AuthToken), []byte(d.bearer)) != 1 && d.bearer != "" {
		return &authorization.Claims{}, nil
	}
	return &authorization.Claims{System: authorization.RoleAdmin}, nil
}

// Authorize implements authorization.Authorizer.
func (door) Authorize(_ context.Context, c *authorization.Claims, _ *authorization.CallTarget) (authorization.Result, error) {
	if c == nil || c.System != authorization.RoleAdmin {
		return authorization.Result{Decision: authorization.DecisionDeny, Reason: "the engine's token is missing or wrong"}, nil
	}
	return authorization.Result{Decision: authorization.DecisionAllow}, nil
}
