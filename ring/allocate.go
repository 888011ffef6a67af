package ring

import "slices"

// FirstToken gives the token on which a ring without tokens starts.
type FirstToken func() Token

// StartAt starts a ring at a fixed token.
func StartAt(t Token) FirstToken { return func() Token { return t } }

// StartAtRandom starts a ring at a token drawn from src, as Cassandra does.
func StartAtRandom(p Partitioner, src Source) FirstToken {
	return func() Token { return p.Random(src) }
}

// RandomTokens draws n tokens that no node has, ascending: what num_tokens gives
// without an allocator.
// Source: Cassandra 5.0 BootStrapper.getRandomTokens.
func RandomTokens(p Partitioner, existing []Node, n int, src Source) []Token {
	taken := map[Token]bool{}
	for _, node := range existing {
		for _, t := range node.Tokens {
			taken[t] = true
		}
	}
	tokens := make([]Token, 0, n)
	for len(tokens) < n {
		if t := p.Random(src); !taken[t] {
			taken[t] = true
			tokens = append(tokens, t)
		}
	}
	slices.SortFunc(tokens, Token.Compare)
	return tokens
}

// Allocate chooses numTokens tokens for a node that joins the existing ones, so that
// replicas spread evenly for the given replication factor in the node's datacenter:
// allocate_tokens_for_local_replication_factor. The result is ascending. first is
// asked only if the part of the ring considered is empty; all else is determined.
// Source: Cassandra 5.0 TokenAllocation.allocateTokens.
func Allocate(p Partitioner, existing []Node, node Node, numTokens, rf int, first FirstToken) ([]Token, error) {
	return AllocateFor(p, NetworkTopologyStrategy(DatacenterRF{node.DC, rf}), existing, node, numTokens, first)
}

// AllocateFor is Allocate for the strategy of a keyspace:
// allocate_tokens_for_keyspace. Errors are *ConfigError: a strategy or partitioner
// that cannot be allocated for, and fewer racks than replicas.
func AllocateFor(p Partitioner, s Strategy, existing []Node, node Node, numTokens int, first FirstToken) ([]Token, error) {
	if numTokens < 1 {
		return nil, configErrorf("num_tokens must be >= 1")
	}
	plan, err := planAllocation(s, existing, node)
	if err != nil {
		return nil, err
	}
	ring := newAllocationRing(p, plan, existing, node)
	var tokens []Token
	if plan.replicas == 1 {
		tokens, err = ring.withoutReplication(numTokens, first)
	} else {
		tokens, err = ring.withReplication(numTokens, first)
	}
	if err != nil {
		return nil, err
	}
	return avoidClashes(p, plan, existing, tokens)
}

// allocationPlan is which tokens count and how: the virtual ring of one allocation.
type allocationPlan struct {
	dc, rack    string
	wholeRing   bool // not only dc
	oneRack     bool // of dc only rack
	replicas    int
	groupByRack bool // replicas go to different racks, else to different nodes
}

// planAllocation chooses by comparing the racks of the datacenter with the factor. A
// rack that is not in the ring yet counts as a unit of its own.
// Source: Cassandra 5.0 TokenAllocation.createStrategy.
func planAllocation(s Strategy, existing []Node, node Node) (allocationPlan, error) {
	plan := allocationPlan{dc: node.DC, rack: node.Rack}
	switch s.Class() {
	case ClassSimple:
		plan.wholeRing, plan.replicas = true, max(1, s.RF())
		return plan, nil
	case ClassNetworkTopology:
	default:
		return plan, configErrorf("Token allocation does not support replication strategy %s", s.Class())
	}
	plan.replicas = s.RFIn(node.DC)
	racks := rackCount(existing, node)
	switch {
	case plan.replicas <= 1:
		plan.replicas = 1
	case racks == plan.replicas:
		plan.replicas, plan.oneRack = 1, true
	case racks > plan.replicas:
		plan.groupByRack = true
	case racks > 1:
		return plan, configErrorf("Token allocation failed: the number of racks %d in datacenter %s is lower than its replication factor %d.", racks, node.DC, plan.replicas)
	}
	return plan, nil
}

func rackCount(existing []Node, node Node) int {
	var racks []string
	for _, n := range existing {
		if n.DC == node.DC && len(n.Tokens) > 0 && !slices.Contains(racks, n.Rack) {
			racks = append(racks, n.Rack)
		}
	}
	if !slices.Contains(racks, node.Rack) {
		return 1
	}
	return len(racks)
}

func (plan allocationPlan) considers(n Node) bool {
	return plan.wholeRing || n.DC == plan.dc && (!plan.oneRack || n.Rack == plan.rack)
}

// avoidClashes moves tokens that nodes outside the plan have, one step at a time.
// Source: Cassandra 5.0 TokenAllocation.StrategyAdapter.adjustForCrossDatacenterClashes.
func avoidClashes(p Partitioner, plan allocationPlan, existing []Node, tokens []Token) ([]Token, error) {
	owner := map[Token]int{}
	for i, n := range existing {
		for _, t := range n.Tokens {
			owner[t] = i
		}
	}
	for i, t := range tokens {
		for {
			o, taken := owner[t]
			if !taken {
				break
			}
			if plan.considers(existing[o]) {
				return nil, configErrorf("Allocated token %s already assigned to node %s. Is another node also allocating tokens?", p.Format(t), existing[o].label())
			}
			t = p.Offset(t, 1)
		}
		tokens[i] = t
	}
	slices.SortFunc(tokens, Token.Compare)
	return tokens, nil
}
