package session

import (
	"fmt"
	"net/netip"
)

// Native is where drivers reach the nodes: the address that was asked for, and
// how the nodes share it. The zero value is each node's own address at port 9042.
type Native struct {
	Listen netip.AddrPort
	Mode   NativeMode
}

// NativeMode says how nodes share addresses and ports.
type NativeMode uint8

// The modes.
const (
	AddressPerNode NativeMode = iota // consecutive addresses, one port
	PortPerNode                      // one address, consecutive ports
	OneDoor                          // one address and port: nobody has peers
)

// defaultNative is the port of drivers. Source: Cassandra 5.0 Config.native_transport_port.
const defaultNative = 9042

// Address is where drivers reach a node.
func (n Native) Address(c *Core, node int) netip.Addr {
	switch {
	case !n.Listen.IsValid():
		a, _ := netip.ParseAddr(c.Cluster.Nodes[node].Address)
		return a
	case n.Mode != AddressPerNode:
		return n.Listen.Addr()
	}
	a := n.Listen.Addr()
	for range node {
		a = a.Next()
	}
	return a
}

// Port is the port at which drivers reach a node.
func (n Native) Port(node int) int {
	switch {
	case !n.Listen.IsValid():
		return defaultNative
	case n.Mode == PortPerNode:
		return int(n.Listen.Port()) + node
	}
	return int(n.Listen.Port())
}

// At is where drivers reach a node.
func (n Native) At(c *Core, node int) netip.AddrPort {
	return netip.AddrPortFrom(n.Address(c, node), uint16(n.Port(node)))
}

// nativeModes are the words of the modes.
var nativeModes = [...]string{"addresses", "ports", "one"}

// String is what ParseNative reads.
func (n Native) String() string { return n.Listen.String() + " " + nativeModes[n.Mode] }

// ParseNative reads the words of :native: an address with its port, and how the
// nodes share it.
func ParseNative(words []string) (Native, error) {
	var n Native
	var err error
	if len(words) != 2 {
		return n, fmt.Errorf("write an address with its port and one of addresses, ports, one: `:native 127.0.0.1:9042 addresses`")
	}
	if n.Listen, err = netip.ParseAddrPort(words[0]); err != nil {
		return n, fmt.Errorf("%q is no address with a port, such as 127.0.0.1:9042", words[0])
	}
	for i, m := range nativeModes {
		if m == words[1] {
			n.Mode = NativeMode(i)
			return n, nil
		}
	}
	return n, fmt.Errorf("nodes share an address by addresses, ports or one, not by %q", words[1])
}
