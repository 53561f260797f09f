package mongo

import (
	"errors"
	"slices"

	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/found-footy/found-footy/internal/footy"
)

// Server codes that are not in the driver.
const (
	codeUnauthorized = 13
	codeAuthFailed   = 18
	codeOutOfDisk    = 14031
	codeTooLarge     = 10334
	codeTooLarge2    = 17280
)

// corruptions are what a server calls its own damage; most of it ends the server.
var corruptions = []string{"DataCorruptionDetected", "InvalidBSON"}

func fault(op string, err error) error {
	if _, own := errors.AsType[*footy.Error](err); own || err == nil {
		return err
	}
	if errors.Is(err, mongo.ErrNoDocuments) {
		return footy.Errorf(footy.CodeNotFound, op, "no such document")
	}
	if mongo.IsDuplicateKeyError(err) {
		return footy.Errorf(footy.CodeConflict, op, "the document exists: %w", err)
	}
	if command, ok := errors.AsType[mongo.CommandError](err); ok && slices.Contains(corruptions, command.Name) {
		return footy.Errorf(footy.CodeCorrupt, op, "MongoDB finds its own files damaged: restore a backup, or repair the database: %w", err)
	}
	if server, ok := errors.AsType[mongo.ServerError](err); ok {
		switch {
		case server.HasErrorCode(codeUnauthorized), server.HasErrorCode(codeAuthFailed):
			return footy.Errorf(footy.CodeAuthRequired, op, "MongoDB refuses us: check user and password in its address: %w", err)
		case server.HasErrorCode(codeTooLarge), server.HasErrorCode(codeTooLarge2):
			return footy.Errorf(footy.CodeInvalid, op, "the document is too large: %w", err)
		case server.HasErrorCode(codeOutOfDisk):
			return footy.Errorf(footy.CodeUnavailable, op, "the disk of MongoDB is full: free some space there: %w", err)
		}
	}
	return footy.Errorf(footy.CodeUnavailable, op, "MongoDB: %w", err)
}

const codeDuplicate = 11000

// onlyNew drops the refusals of ids that exist already; any other failure of the bulk write stays.
func onlyNew(err error) error {
	bulk, ok := errors.AsType[mongo.BulkWriteException](err)
	if !ok || bulk.WriteConcernError != nil {
		return err
	}
	for _, e := range bulk.WriteErrors {
		if e.Code != codeDuplicate {
			return err
		}
	}
	return nil
}
