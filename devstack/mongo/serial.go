package mongo

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// serial passes commands of the wire protocol on, one at a time for all connections. MongoDB changes a document in one step; FerretDB
// reads it, changes it and writes it by its id, and what another command wrote between is lost.
type serial struct {
	to   string // FerretDB's Unix socket
	turn sync.Mutex
}

// serve returns when the listener is closed and all connections are done.
func (s *serial) serve(ctx context.Context, l net.Listener) {
	var open sync.WaitGroup
	defer open.Wait()
	for {
		client, err := l.Accept()
		if err != nil {
			return // closed: nothing else ends a listener of loopback
		}
		open.Go(func() { s.pass(ctx, client) })
	}
}

// pass ends with either side of the connection, or with ctx.
func (s *serial) pass(ctx context.Context, client net.Conn) {
	defer client.Close()
	server, err := new(net.Dialer).DialContext(ctx, "unix", s.to)
	if err != nil {
		return // to the client it is a server that hangs up
	}
	defer server.Close()
	stop := context.AfterFunc(ctx, func() { client.Close(); server.Close() })
	defer stop()
	for {
		command, err := message(client)
		if err != nil {
			return
		}
		answer, err := s.ask(server, command)
		if err != nil {
			return
		}
		if _, err := client.Write(answer); err != nil {
			return
		}
	}
}

// ask takes a turn; nothing else runs meanwhile.
func (s *serial) ask(server net.Conn, command []byte) ([]byte, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if _, err := server.Write(command); err != nil || unanswered(command) {
		return nil, err
	}
	return message(server)
}

const (
	header     = 16 // length, id, id of what is answered, kind: four bytes each, the lowest first
	opMsg      = 2013
	moreToCome = 1 << 1
	limit      = 48_000_000 // MongoDB's own
)

var errMessage = errors.New("no message of MongoDB's wire protocol")

// message reads one with its header.
func message(from io.Reader) ([]byte, error) {
	head := make([]byte, header)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32(head)
	if length < header || length > limit {
		return nil, fmt.Errorf("%w: %d bytes", errMessage, length)
	}
	out := append(head, make([]byte, length-header)...)
	_, err := io.ReadFull(from, out[header:])
	return out, err
}

// unanswered reports whether a command wants no answer.
func unanswered(command []byte) bool {
	return binary.LittleEndian.Uint32(command[12:]) == opMsg && len(command) >= header+4 && binary.LittleEndian.Uint32(command[header:])&moreToCome != 0
}
