package cluster

import "fmt"

// Refusal is why nodetool would not do something, in the words of Cassandra.
type Refusal string

func (r Refusal) Error() string { return string(r) }

func refusal(format string, args ...any) error { return Refusal(fmt.Sprintf(format, args...)) }
