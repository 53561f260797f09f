package postgres

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/found-footy/found-footy/internal/footy"
)

// SQLSTATE codes of the server; those of two characters are classes.
const (
	uniqueViolation    = "23505"
	serialization      = "40001"
	deadlock           = "40P01"
	insufficientRights = "42501"
	diskFull           = "53100"
	tooManyConnections = "53300"
	readOnly           = "25006"
	noDatabase         = "3D000"
	duplicateTable     = "42P07"
	classData          = "22"
	dataCorrupted      = "XX001"
	indexCorrupted     = "XX002"
	classAuthorization = "28"
	classTooLarge      = "54"
	lengthOfClass      = 2
)

// undone reports whether the server rolled back for the sake of others: the same once more may well succeed.
func undone(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == serialization || e.Code == deadlock)
}

// fault translates an error of the driver into one line with the remedy.
func fault(op string, err error) error {
	var own *footy.Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return footy.Errorf(footy.CodeNotFound, op, "no such document")
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &footy.Error{Code: footy.CodeUnavailable, Op: op, Err: oneLine{err}}
	}
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		if errors.Is(err, pgconn.ErrReadOnlyConnection) {
			return footy.Errorf(footy.CodeUnavailable, op, "this PostgreSQL takes no writes, it is a standby or set so; name the primary: %w", oneLine{err})
		}
		return footy.Errorf(footy.CodeUnavailable, op, "PostgreSQL: %w", oneLine{err})
	}
	code, say := footy.CodeUnavailable, "PostgreSQL"
	switch e.Code {
	case uniqueViolation:
		code, say = footy.CodeConflict, "the document exists"
	case insufficientRights:
		code, say = footy.CodeInvalid, "PostgreSQL does not let this user do that: let it own the schema, or GRANT CREATE ON DATABASE"
	case noDatabase:
		code, say = footy.CodeInvalid, "make the database with createdb, or correct its name"
	case duplicateTable:
		code, say = footy.CodeInvalid, "the schema holds something that is not ours (left untouched): choose another schema"
	case dataCorrupted, indexCorrupted:
		code, say = footy.CodeCorrupt, "PostgreSQL finds its own files damaged: restore a backup, or repair the database"
	case diskFull:
		say = "the disk of PostgreSQL is full: free some space there"
	case tooManyConnections:
		say = "PostgreSQL has no connection left: raise its max_connections, or set pool_max_conns in the address lower"
	case readOnly:
		say = "this PostgreSQL takes no writes, it is a standby or set so; name the primary"
	default:
		switch e.Code[:min(len(e.Code), lengthOfClass)] {
		case classAuthorization:
			code, say = footy.CodeAuthRequired, "PostgreSQL refuses us: check user and password in its address"
		case classTooLarge:
			code, say = footy.CodeInvalid, "the document is too large"
		case classData:
			code, say = footy.CodeInvalid, "PostgreSQL cannot keep this"
		}
	}
	return footy.Errorf(code, op, "%s: %w", say, oneLine{err})
}

// oneLine is an error of the driver as a line: what the server or the network said, without user and database, which a public page of
// health is not to tell.
type oneLine struct{ error }

func (l oneLine) Error() string {
	said := l.error
	var server *pgconn.PgError
	var network *net.OpError
	switch {
	case errors.As(l.error, &server):
		said = server
	case errors.As(l.error, &network):
		said = network
	}
	return strings.Join(strings.Fields(said.Error()), " ")
}

func (l oneLine) Unwrap() error { return l.error }
