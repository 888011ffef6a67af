// Package ring is the ring of a cluster and nothing else: partitioners turn keys
// into tokens, a TokenMap says which node owns a token, a Strategy which nodes
// hold its replicas, and the allocators choose the tokens of a new node.
//
// Everything is a pure function of its arguments. Nothing reads a clock, starts a
// goroutine or draws from a hidden generator; a Placement caches, so one Placement
// belongs to one goroutine. Every other value may be shared once built.
package ring
