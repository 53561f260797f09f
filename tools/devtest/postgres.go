package devtest

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Postgres is a PostgreSQL server on loopback, which ends with its test.
type Postgres struct {
	URL      string // of a user who may do everything
	Password string
	Port     string

	tb    testing.TB
	bin   string // where its programs are
	dir   string
	as    *syscall.Credential // nil: as we are
	stdin io.Closer
	cmd   *exec.Cmd
}

// StartPostgres runs a server of the test's own in a temporary directory. It skips the test where PostgreSQL is not installed.
func StartPostgres(t testing.TB) *Postgres {
	t.Helper()
	p := &Postgres{tb: t, bin: postgresPrograms(t), Password: rand.Text(), as: unprivileged(t)}
	var err error
	p.dir, err = os.MkdirTemp("", "footy-postgres-") //nolint:usetesting // t.TempDir is closed to the user that it runs as
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(p.dir)) })
	if p.as != nil {
		require.NoError(t, os.Chown(p.dir, int(p.as.Uid), int(p.as.Gid)))
	}
	secret := filepath.Join(p.dir, "password")
	require.NoError(t, os.WriteFile(secret, []byte(p.Password), 0o644)) //nolint:gosec // its directory is private, and it is made up
	out, err := p.program("initdb", "--pgdata=data", "--username=footy", "--pwfile="+secret, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C", "--no-sync").CombinedOutput()
	require.NoError(t, err, "initdb: %s", out)
	p.Start()
	t.Cleanup(p.Stop)
	return p
}

// Start starts the server, after Stop where it was before. The port stays the same.
func (p *Postgres) Start() {
	p.tb.Helper()
	const attempts = 5
	for i := range attempts {
		if p.Port == "" || i > 0 {
			_, p.Port, _ = net.SplitHostPort(FreeAddr(p.tb)) // it is one
		}
		if p.start() {
			p.URL = "postgres://footy:" + p.Password + "@127.0.0.1:" + p.Port + "/postgres"
			return
		}
	}
	require.Fail(p.tb, "PostgreSQL does not start", "directory %s", p.dir)
}

// start reports whether it answers; it does not where the port was taken meanwhile.
func (p *Postgres) start() bool {
	var log io.Reader
	var hold io.Closer
	p.cmd, log, hold = p.serve(filepath.Join(p.bin, "postgres"), "-D", "data", "-p", p.Port,
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off", "-c", "shared_buffers=16MB", "-c", "lc_messages=C")
	p.stdin = hold
	var said []string
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "ready to accept connections") {
			go func() { _, _ = io.Copy(io.Discard, log) }() // a full pipe would stop it; it ends with the server
			return true
		}
		said = append(said, lines.Text())
	}
	p.tb.Log(strings.Join(said, "\n"))
	_ = p.cmd.Wait() // its last lines say why
	_ = hold.Close()
	return false
}

// serve starts a server that ends with hold, and gives its log.
func (p *Postgres) serve(program string, args ...string) (cmd *exec.Cmd, log io.Reader, hold io.Closer) {
	// The shell ends the server with its own standard input, that is, also when the test binary is killed.
	const script = `exec 3<&0; "$0" "$@" 3<&- & server=$!
{ cat <&3; kill -INT $server; } >/dev/null 2>&1 & watch=$!
wait $server; kill $watch`
	stdin, hold, err := os.Pipe()
	require.NoError(p.tb, err)
	cmd = p.program("sh", append([]string{"-c", script, program}, args...)...)
	cmd.Stdin = stdin
	log, err = cmd.StderrPipe()
	require.NoError(p.tb, err)
	require.NoError(p.tb, cmd.Start())
	require.NoError(p.tb, stdin.Close())
	return cmd, log, hold
}

// Pooler runs a pgbouncer before the server until the test ends, and returns its address. It skips the test where there is none.
func (p *Postgres) Pooler(mode string) string {
	p.tb.Helper()
	program := "/usr/sbin/pgbouncer" // Debian keeps it out of PATH
	if path, err := exec.LookPath("pgbouncer"); err == nil {
		program = path
	} else if _, err := os.Stat(program); err != nil {
		p.tb.Skip("pgbouncer is not installed: scripts/need pgbouncer")
	}
	_, port, _ := net.SplitHostPort(FreeAddr(p.tb)) // it is one
	file := filepath.Join(p.dir, "pgbouncer."+mode)
	for name, text := range map[string]string{
		file + ".users": fmt.Sprintf("%q %q\n", "footy", p.Password),
		file + ".ini": "[databases]\n* = host=127.0.0.1 port=" + p.Port + "\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " + port +
			"\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = " + file + ".users\npool_mode = " + mode + "\ndefault_pool_size = 3\n",
	} {
		require.NoError(p.tb, os.WriteFile(name, []byte(text), 0o644)) //nolint:gosec // as the password above
	}
	cmd, log, hold := p.serve(program, file+".ini")
	p.tb.Cleanup(func() { _, _ = hold.Close(), cmd.Wait() }) // how it ends proves nothing
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "process up") {
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return "postgres://footy:" + p.Password + "@127.0.0.1:" + port + "/postgres"
		}
		p.tb.Log(lines.Text())
	}
	require.Fail(p.tb, "pgbouncer does not start")
	return ""
}

// Stop ends the server at once, as a restart of its machine would: connections are cut.
func (p *Postgres) Stop() {
	if p.stdin == nil {
		return
	}
	_ = p.stdin.Close()
	_ = p.cmd.Wait() // how it ends proves nothing
	p.stdin = nil
}

// program prepares one of its programs, or another, in its directory and as its user.
func (p *Postgres) program(name string, args ...string) *exec.Cmd {
	if own := filepath.Join(p.bin, name); name != "sh" {
		name = own
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = p.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.as}
	return cmd
}

// Run runs one of its programs with the input, and returns what that prints.
func (p *Postgres) Run(input []byte, name string, args ...string) []byte {
	p.tb.Helper()
	cmd := p.program(name, args...)
	var said bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &said
	out, err := cmd.Output()
	require.NoError(p.tb, err, "%s: %s", name, said.String())
	return out
}

// postgresPrograms finds the newest ones. Debian, Fedora and Homebrew keep the server's out of PATH.
func postgresPrograms(t testing.TB) string {
	t.Helper()
	var found []string
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin", "/usr/libexec/postgresql*"} {
		dirs, err := filepath.Glob(pattern)
		require.NoError(t, err)
		found = append(found, dirs...)
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		path, err = filepath.EvalSymlinks(path)
		require.NoError(t, err)
		found = append(found, filepath.Dir(path))
	}
	for i := len(found) - 1; i >= 0; i-- {
		_, server := os.Stat(filepath.Join(found[i], "postgres"))
		_, maker := os.Stat(filepath.Join(found[i], "initdb"))
		if server == nil && maker == nil {
			return found[i]
		}
	}
	t.Skip("PostgreSQL is not installed: scripts/need postgres")
	return ""
}

// unprivileged is the user to run as: PostgreSQL refuses to run as root.
func unprivileged(t testing.TB) *syscall.Credential {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, err := strconv.ParseUint(u.Uid, 10, 32)
			require.NoError(t, err)
			gid, err := strconv.ParseUint(u.Gid, 10, 32)
			require.NoError(t, err)
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		}
	}
	t.Skip("PostgreSQL does not run as root, and there is no user postgres or nobody")
	return nil
}
