package types

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// parseInet reads an IPv4 address of one to four parts (1.2.3 is 1.2.0.3) or an
// IPv6 address; IPv4 inside IPv6 becomes the four-byte form. Host names are
// refused. Source: java.net.InetAddress.getByName, Cassandra 5.0 InetAddressType.
func parseInet(s string) ([]byte, bool) {
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && strings.Contains(s, ":") {
		s = s[1 : len(s)-1]
	}
	if !strings.Contains(s, ":") {
		return parseIPv4(s)
	}
	s, _, _ = strings.Cut(s, "%")
	a, err := netip.ParseAddr(s)
	if err != nil || a.Is4() {
		return nil, false
	}
	if a.Is4In6() {
		b := a.As4()
		return b[:], true
	}
	b := a.As16()
	return b[:], true
}

func parseIPv4(s string) ([]byte, bool) {
	parts := strings.Split(s, ".")
	if len(parts) > 4 {
		return nil, false
	}
	b := make([]byte, 4)
	for i, p := range parts {
		if !allDigits(p) {
			return nil, false
		}
		v, err := strconv.ParseUint(p, 10, 64)
		last := i == len(parts)-1
		if err != nil || !last && v > 255 || last && v > 1<<(8*(4-i))-1 {
			return nil, false
		}
		if !last {
			b[i] = byte(v)
			continue
		}
		for j := 3; j >= i; j-- {
			b[j] = byte(v)
			v >>= 8
		}
	}
	return b, true
}

// formatInet writes an address as Java does: IPv6 in full, 0:0:0:0:0:0:0:1.
func formatInet(b []byte) string {
	a, ok := netip.AddrFromSlice(b)
	if !ok {
		return ""
	}
	if a.Is4() || a.Is4In6() {
		return a.Unmap().String()
	}
	var s strings.Builder
	for i := 0; i < 16; i += 2 {
		if i > 0 {
			s.WriteByte(':')
		}
		fmt.Fprintf(&s, "%x", int(b[i])<<8|int(b[i+1]))
	}
	return s.String()
}

// compressInet writes an address as inet_ntop does: ::1, ::ffff:10.0.0.1.
func compressInet(b []byte) string {
	a, ok := netip.AddrFromSlice(b)
	if !ok {
		return ""
	}
	if a.Is6() && !a.Is4In6() {
		zero := true
		for _, c := range b[:12] {
			zero = zero && c == 0
		}
		if zero && (b[12] != 0 || b[13] != 0) { // inet_ntop writes the old compatible form with dots
			return fmt.Sprintf("::%d.%d.%d.%d", b[12], b[13], b[14], b[15])
		}
	}
	return a.String()
}
