// Package native is the binary protocol between drivers and nodes, versions 3 to
// 5 and the beta of 6: envelopes, segments, compression, and the bodies of all
// requests and responses. It does no I/O; engine/serve moves the bytes.
//
// Whatever cannot be decoded gives an *Error, which is what the other side is
// answered. Source: Cassandra 5.0 org.apache.cassandra.transport.
package native
