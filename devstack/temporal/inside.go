package temporal

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"time"

	"go.temporal.io/server/common/rpc/encryption"

	"github.com/found-footy/found-footy/devstack/loopback"
)

// inside closes what the server's services say to each other to all other programs: both ends prove that they have a key that never
// leaves this process. The frontend speaks to clients and has no TLS.
type inside struct {
	cert tls.Certificate
	pool *x509.CertPool
}

var _ encryption.TLSConfigProvider = (*inside)(nil)

func newInside() (*inside, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the server's own key: %w", err)
	}
	// Valid at any time: the machine's clock may be wrong, and may be set.
	is := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC),
		IPAddresses: []net.IP{net.ParseIP(loopback.Host)}, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, is, is, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("make the server's own certificate: %w", err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("read the server's own certificate: %w", err)
	}
	i := &inside{cert: tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, pool: x509.NewCertPool()}
	i.pool.AddCert(leaf)
	return i, nil
}

// GetInternodeServerConfig implements encryption.TLSConfigProvider.
func (i *inside) GetInternodeServerConfig() (*tls.Config, error) {
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{i.cert}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: i.pool}, nil
}

// GetInternodeClientConfig implements encryption.TLSConfigProvider. Services are found by a resolver that has no host's name.
func (i *inside) GetInternodeClientConfig() (*tls.Config, error) {
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{i.cert}, RootCAs: i.pool, ServerName: loopback.Host}, nil
}

// GetFrontendServerConfig implements encryption.TLSConfigProvider.
func (*inside) GetFrontendServerConfig() (*tls.Config, error) { return nil, nil } //nolint:nilnil // no TLS there

// GetFrontendClientConfig implements encryption.TLSConfigProvider.
func (*inside) GetFrontendClientConfig() (*tls.Config, error) { return nil, nil } //nolint:nilnil // idem

// GetRemoteClusterClientConfig implements encryption.TLSConfigProvider.
func (*inside) GetRemoteClusterClientConfig(string) (*tls.Config, error) { return nil, nil } //nolint:nilnil // there is none

// GetExpiringCerts implements encryption.TLSConfigProvider.
func (*inside) GetExpiringCerts(time.Duration) (expiring, expired encryption.CertExpirationMap, err error) {
	return nil, nil, nil
}
