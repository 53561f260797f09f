// Package pushtest is a push service for tests: it speaks Web Push as browsers' services do, and opens what is sealed for a browser.
package pushtest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Server is the push service.
type Server struct {
	*httptest.Server
	t testing.TB

	mu       sync.Mutex
	browsers map[string]*Browser // by path
}

// Browser is one subscription.
type Browser struct {
	Endpoint, P256dh, Auth string

	server     *Server
	key        *ecdh.PrivateKey
	secret     []byte
	status     int
	retryAfter string
	requests   []*http.Request
	messages   [][]byte
}

// BreaksOff is an answer that never comes: the message is taken, and the connection ends.
const BreaksOff = 0

// New starts a push service on loopback.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, browsers: map[string]*Browser{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.receive))
	t.Cleanup(s.Close)
	return s
}

// Browser subscribes one.
func (s *Server) Browser() *Browser {
	s.t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	require.NoError(s.t, err)
	b := &Browser{server: s, key: key, secret: make([]byte, 16), status: http.StatusCreated}
	_, err = rand.Read(b.secret)
	require.NoError(s.t, err)
	path := "/push/" + rand.Text()
	b.Endpoint, b.P256dh, b.Auth = s.URL+path, base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), base64.RawURLEncoding.EncodeToString(b.secret)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers[path] = b
	return b
}

// Answer is what the next messages are answered with; only of a success they arrive.
func (b *Browser) Answer(status int, retryAfter string) {
	b.server.mu.Lock()
	defer b.server.mu.Unlock()
	b.status, b.retryAfter = status, retryAfter
}

// Requests are all that came, in order.
func (b *Browser) Requests() []*http.Request {
	b.server.mu.Lock()
	defer b.server.mu.Unlock()
	return slices.Clone(b.requests)
}

// Clear forgets what came so far.
func (b *Browser) Clear() {
	b.server.mu.Lock()
	defer b.server.mu.Unlock()
	b.requests, b.messages = nil, nil
}

// Messages are those that arrived, opened.
func (b *Browser) Messages() [][]byte {
	b.server.mu.Lock()
	defer b.server.mu.Unlock()
	return slices.Clone(b.messages)
}

func (s *Server) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.browsers[r.URL.Path]
	if err != nil || b == nil || r.Method != http.MethodPost {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	b.requests = append(b.requests, r)
	if err := checkRequest(r, s.URL); err != nil {
		s.t.Errorf("the push service refuses: %v", err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	text, err := Open(b.key, b.secret, body)
	if err != nil {
		s.t.Errorf("the browser cannot open its message: %v", err)
	}
	if b.retryAfter != "" {
		w.Header().Set("Retry-After", b.retryAfter)
	}
	if b.status < 300 { // also where nothing is answered
		b.messages = append(b.messages, text)
	}
	if b.status == BreaksOff {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(b.status)
}

// checkRequest holds a request to RFC 8030 and 8292.
func checkRequest(r *http.Request, origin string) error {
	if r.Header.Get("Content-Encoding") != "aes128gcm" || r.Header.Get("TTL") == "" {
		return errors.New("a message has Content-Encoding aes128gcm and a TTL")
	}
	fields, ok := strings.CutPrefix(r.Header.Get("Authorization"), "vapid ")
	if !ok {
		return errors.New("authorization is not of VAPID")
	}
	var token, public string
	for f := range strings.SplitSeq(fields, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(f), "=")
		switch name {
		case "t":
			token = value
		case "k":
			public = value
		}
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return errors.New("the token has not three parts")
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		return fmt.Errorf("the signature is no ES256: %w", err)
	}
	point, err := base64.RawURLEncoding.DecodeString(public)
	if err != nil {
		return err
	}
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(key, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return errors.New("the signature is not of the key")
	}
	return checkClaims(parts[1], origin)
}

func checkClaims(part, origin string) error {
	raw, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(raw, &claims); err != nil {
		return err
	}
	until := time.Until(time.Unix(claims.Exp, 0))
	if claims.Aud != origin || until <= 0 || until > 24*time.Hour || !strings.HasPrefix(claims.Sub, "https://") && !strings.HasPrefix(claims.Sub, "mailto:") {
		return fmt.Errorf("claims %s", raw)
	}
	return nil
}

// Open undoes RFC 8291 over RFC 8188 with a browser's key and secret.
func Open(own *ecdh.PrivateKey, secret, body []byte) ([]byte, error) {
	const head = 16 + 4 + 1
	if len(body) < head || len(body) < head+int(body[20]) || binary.BigEndian.Uint32(body[16:20]) < 18 {
		return nil, errors.New("no header of aes128gcm")
	}
	salt, sender, sealed := body[:16], body[head:head+int(body[20])], body[head+int(body[20]):]
	other, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := own.ECDH(other)
	if err != nil {
		return nil, err
	}
	info := "WebPush: info\x00" + string(own.PublicKey().Bytes()) + string(sender)
	ikm, err := hkdf.Key(sha256.New, shared, secret, info, 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	padded, err := gcm.Open(nil, nonce, sealed, nil)
	if err != nil {
		return nil, err
	}
	text := strings.TrimRight(string(padded), "\x00")
	if !strings.HasSuffix(text, "\x02") {
		return nil, errors.New("the last record does not end with 2")
	}
	return []byte(strings.TrimSuffix(text, "\x02")), nil
}
