package limit

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ParseProxies reads addresses and networks: "127.0.0.1", "10.0.0.0/8".
func ParseProxies(list []string) (out []netip.Prefix, err error) {
	for _, entry := range list {
		entry = strings.TrimSpace(entry)
		p, err := netip.ParsePrefix(entry)
		if err != nil {
			addr, err := netip.ParseAddr(entry)
			if err != nil {
				return nil, err
			}
			p = netip.PrefixFrom(addr, addr.BitLen())
		}
		out = append(out, p)
	}
	return out, nil
}

// Visitor names who asks, as the limits count them.
func (l *Limits) Visitor(r *http.Request) string {
	addr, _ := l.address(r)
	return addr.String()
}

// address is who asks. Behind a proxy that is trusted it is the last address in X-Forwarded-For that no such proxy has: what stands
// before it, the client may have written itself. direct: the connection is the asker's own.
func (l *Limits) address(r *http.Request) (addr netip.Addr, direct bool) {
	peer := parse(r.RemoteAddr)
	if !l.proxy(peer) {
		return group(peer), true
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		at := parse(strings.TrimSpace(hop))
		if !at.IsValid() {
			break
		}
		if peer = at; !l.proxy(at) {
			break
		}
	}
	return group(peer), false
}

func (l *Limits) proxy(addr netip.Addr) bool {
	return slices.ContainsFunc(l.opt.Proxies, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// parse reads an address with or without a port; what is none is the zero address, which is one visitor like any other.
func parse(text string) netip.Addr {
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	addr, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap().WithZone("")
}

// group is what counts as one visitor: a household has 2^64 addresses of IPv6.
func group(addr netip.Addr) netip.Addr {
	if !addr.Is6() {
		return addr
	}
	p, err := addr.Prefix(64)
	if err != nil {
		return addr
	}
	return p.Addr()
}
