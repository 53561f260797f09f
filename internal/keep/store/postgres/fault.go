package postgres

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/found-footy/found-footy/internal/footy"
)

// SQLSTATE codes that mean: the same once more may well succeed.
const (
	serialization = "40001"
	deadlock      = "40P01"
)

const protocolViolation = "08P01" // and whatever pgbouncer has to say

type meaning struct {
	code footy.Code
	say  string
}

// meanings are what SQLSTATE codes of the server mean here, and where they begin so, whole classes of them.
var meanings = map[string]meaning{
	"23505": {footy.CodeConflict, "the document exists"},
	"42501": {footy.CodeInvalid, "PostgreSQL does not let this user do that: let it own the schema, or GRANT CREATE ON DATABASE"},
	"3D000": {footy.CodeInvalid, noDatabase},
	"42P07": {footy.CodeInvalid, "the schema holds something that is not ours (left untouched): choose another schema"},
	"XX001": {footy.CodeCorrupt, damagedFiles},
	"XX002": {footy.CodeCorrupt, damagedFiles},
	"53100": {footy.CodeUnavailable, "the disk of PostgreSQL is full: free some space there"},
	"53300": {footy.CodeUnavailable, "PostgreSQL has no connection left: raise its max_connections, or set pool_max_conns in the address lower"},
	"25006": {footy.CodeUnavailable, standby},
	"28":    {footy.CodeAuthRequired, refusesUs},
	"54":    {footy.CodeInvalid, "the document is too large"},
	"22":    {footy.CodeInvalid, "PostgreSQL cannot keep this"},
}

// pooled are the meanings of errors that pgbouncer gives one code, by their words.
var pooled = map[string]meaning{
	"authentication failed":         {footy.CodeAuthRequired, refusesUs},
	"no such user":                  {footy.CodeAuthRequired, refusesUs},
	"no such database":              {footy.CodeInvalid, noDatabase},
	"does not exist":                {footy.CodeInvalid, noDatabase},
	"statement pooling mode":        {footy.CodeInvalid, "the pooler before PostgreSQL must let transactions through: set its pool_mode = transaction, or name the server itself"},
	"unsupported startup parameter": {footy.CodeInvalid, "the pooler before PostgreSQL refuses a parameter of the address: leave it out, or add it to the pooler's ignore_startup_parameters"},
	"no more connections":           {footy.CodeUnavailable, "the pooler before PostgreSQL has no connection left: raise its max_client_conn, or set pool_max_conns in the address lower"},
	"query_wait_timeout":            {footy.CodeUnavailable, "the pooler before PostgreSQL got no connection to it in time: raise its default_pool_size, or look whether PostgreSQL runs"},
	"server login has been failing": {footy.CodeUnavailable, "the pooler before PostgreSQL cannot log in to it: look whether PostgreSQL runs, and check the pooler's own user and password"},
	"pgbouncer cannot connect":      {footy.CodeUnavailable, "the pooler before PostgreSQL cannot reach it: look whether PostgreSQL runs"},
}

const (
	refusesUs    = "PostgreSQL refuses us: check user and password in its address"
	noDatabase   = "make the database with createdb, or correct its name"
	damagedFiles = "PostgreSQL finds its own files damaged: restore a backup, or repair the database"
	standby      = "this PostgreSQL takes no writes, it is a standby or set so; name the primary"
)

// undone reports whether the server rolled back for the sake of others: the same once more may well succeed.
func undone(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == serialization || e.Code == deadlock)
}

// fault translates an error of the driver into one line with the remedy.
func fault(op string, err error) error {
	if _, own := errors.AsType[*footy.Error](err); own || err == nil {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &footy.Error{Code: footy.CodeUnavailable, Op: op, Err: oneLine{err}}
	}
	e, answered := errors.AsType[*pgconn.PgError](err)
	switch {
	case errors.Is(err, pgconn.ErrReadOnlyConnection):
		return footy.Errorf(footy.CodeUnavailable, op, standby+": %w", oneLine{err})
	case !answered:
		return footy.Errorf(footy.CodeUnavailable, op, "PostgreSQL: %w", oneLine{err})
	}
	is, known := meanings[e.Code]
	if !known {
		is, known = meanings[e.Code[:min(len(e.Code), 2)]]
	}
	for words, m := range pooled {
		if e.Code == protocolViolation && strings.Contains(e.Message, words) {
			is, known = m, true
		}
	}
	if !known {
		is.code, is.say = footy.CodeUnavailable, "PostgreSQL"
	}
	return footy.Errorf(is.code, op, "%s: %w", is.say, oneLine{err})
}

// oneLine is an error of the driver as a line: what the server or the network said, without user and database, which a public page of
// health is not to tell.
type oneLine struct{ error }

func (l oneLine) Error() string {
	said := l.error
	if server, ok := errors.AsType[*pgconn.PgError](l.error); ok {
		said = server
	} else if network, ok := errors.AsType[*net.OpError](l.error); ok {
		said = network
	}
	return strings.Join(strings.Fields(said.Error()), " ")
}

func (l oneLine) Unwrap() error { return l.error }
