package classic

import (
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// TokenRange is a stretch of the ring with the addresses of its replicas in order,
// as describe_ring gives it: the start token is not part of it, the end token is.
// Source: Cassandra 2.1 interface/cassandra.thrift.
type TokenRange struct {
	Start     string            `json:"start_token"`
	End       string            `json:"end_token"`
	Endpoints []string          `json:"endpoints"`
	RPC       []string          `json:"rpc_endpoints"`
	Details   []EndpointDetails `json:"endpoint_details"`
}

// EndpointDetails is where a replica stands.
type EndpointDetails struct {
	Host       string `json:"host"`
	Datacenter string `json:"datacenter"`
	Rack       string `json:"rack"`
}

// ring is describe_ring. Source: Cassandra 2.1 StorageService.describeRing.
func (r *run) ring(keyspace string) (*Result, error) {
	c := r.core.Cluster
	switch {
	case c.Schema.Keyspace(keyspace) == nil:
		return nil, plan.Invalid("No such keyspace: %s", keyspace)
	case keyspace == "system" || keyspace == "system_schema" || schema.Virtual(keyspace):
		return nil, plan.Invalid("There is no ring for the keyspace: %s", keyspace)
	}
	placement := c.Placement(keyspace)
	res := &Result{Ring: []TokenRange{}}
	for e := range c.Ring.Len() {
		at := c.Ring.Range(e)
		one := TokenRange{Start: c.Ring.Partitioner().Format(at.Left), End: c.Ring.Partitioner().Format(at.Right), Endpoints: []string{}}
		for _, i := range placement.ReplicasOf(e) {
			n := c.Nodes[i]
			one.Endpoints = append(one.Endpoints, n.Address)
			one.Details = append(one.Details, EndpointDetails{n.Address, n.DC, n.Rack})
		}
		one.RPC = one.Endpoints
		res.Ring = append(res.Ring, one)
	}
	return res, nil
}
