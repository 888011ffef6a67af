package session

import (
	"ringlab/model/schema"
	"ringlab/model/thrift/bind"
)

// ClassicEnv is what operations of the current client are checked against: the
// schema of its coordinator.
func (c *Core) ClassicEnv() *bind.Env {
	e := &bind.Env{Schema: c.Cluster.Schema, Keyspace: c.Current.Keyspace, Now: c.Epoch + int64(c.Cluster.Now())/1e6}
	if coord, err := c.Coordinator(c.Current); err == nil {
		e.Schema, e.Now = c.Cluster.SchemaOf(coord), c.Cluster.Seconds(coord)
	}
	return e
}

// NewTimeUUID is a time UUID of the current client's coordinator.
func (c *Core) NewTimeUUID() []byte {
	coord, err := c.Coordinator(c.Current)
	if err != nil {
		coord = 0
	}
	return c.nextList(coord, false)
}

// Snitch is the class of the ring's snitch: one data center needs none.
func (c *Core) Snitch() string {
	racks := map[string]bool{}
	for _, n := range c.Cluster.Nodes {
		racks[n.DC+":"+n.Rack] = true
	}
	if len(racks) > 1 {
		return "org.apache.cassandra.locator.GossipingPropertyFileSnitch"
	}
	return "org.apache.cassandra.locator.SimpleSnitch"
}

// Families are the column families of a keyspace in order of name; tables of
// CQL3 are none.
func Families(k *schema.Keyspace) []string {
	var out []string
	for _, n := range k.TableNames() {
		if k.Tables[n].Family != nil {
			out = append(out, n)
		}
	}
	return out
}

// ClassicNow is the clock of the current client, in µs since 1970: clients of the
// classic model give their writes their timestamps.
func (c *Core) ClassicNow() int64 {
	coord, err := c.Coordinator(c.Current)
	if err != nil {
		coord = 0
	}
	return c.Cluster.Timestamp(coord, c.Current.Skew)
}
