package httpx

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"syscall"
)

// reserved are ranges that are neither public nor covered by netip's own predicates.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"), // carrier NAT; cloud metadata lives here too
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), // addresses of the old protocol in disguise
	netip.MustParsePrefix("2002::/16"),
}

// guard refuses connections to addresses that are not public.
func guard(allow []string) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, _, address string, _ syscall.RawConn) error {
		if slices.Contains(allow, address) {
			return nil
		}
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return forbidden("address %q: %w", address, err)
		}
		addr, err := netip.ParseAddr(host)
		if err != nil || !Public(addr) {
			return forbidden("address %s is not public", host)
		}
		return nil
	}
}

// Public reports whether an address belongs to the open internet.
func Public(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	if !addr.IsValid() || !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLoopback() || addr.IsLinkLocalUnicast() {
		return false
	}
	return !slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(addr) })
}
