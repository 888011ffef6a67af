package admin

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/session"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

func init() {
	register(
		&Command{Name: "ring", Group: "ring", Usage: "[new dc1=3 dc2=3 racks=3|r1,r2|n1:r1,… vnodes=16 partitioner=Murmur3Partitioner seed=1 tokens=n1:0,… names=A,…]",
			Help: "show the ring's tokens, or start an empty lab on a new ring", Run: ringCommand},
		&Command{Name: "status", Group: "ring", Usage: "[KEYSPACE]", Help: "nodes with state, load and ownership, as nodetool status", Run: status},
		&Command{Name: "describering", Group: "ring", Usage: "KEYSPACE", Help: "every range of the ring with its replicas", Run: describeRing},
		&Command{Name: "getendpoints", Group: "ring", Usage: "KEYSPACE TABLE KEY", Help: "the natural replicas of a partition key, in order", Run: getEndpoints},
		&Command{Name: "token", Group: "ring", Usage: "KEY…", Help: "the token of text keys and the node that owns it", Run: token},
		&Command{Name: "compare-hashers", Group: "ring", Usage: "KEY…", Help: "where keys would live under each partitioner, on as many evenly spaced nodes", Run: compareHashers},
	)
}

func ringCommand(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) > 0 && a.Words[0] == "new" {
		words, err := splitWords(strings.TrimSpace(strings.TrimPrefix(a.Raw, "new")))
		if err != nil {
			return nil, err
		}
		var plain []string
		for _, w := range words {
			plain = append(plain, w.text)
		}
		spec, err := session.ParseRing(plain)
		if err != nil {
			return nil, err
		}
		if err := ctx.Rebuild(spec); err != nil {
			return nil, err
		}
		return message("New ring: %s with %s in all; the lab is empty.", plural(len(ctx.Cluster.Nodes), "node"), plural(ctx.Cluster.Ring.Len(), "token")), nil
	}
	if len(a.Words) > 0 || len(a.Named) > 0 {
		return nil, fmt.Errorf(":ring shows the ring; `:ring new %s` starts an empty lab on a new one", a.Raw)
	}
	tm := ctx.Cluster.Ring
	shares := ctx.Cluster.Shares(asked(ctx))
	rows := make([][]string, tm.Len())
	for e := range rows {
		n := ctx.Cluster.Nodes[tm.Node(e)]
		rows[e] = []string{n.Name, n.DC, n.Rack, tm.Partitioner().Format(tm.Token(e)), fmt.Sprintf("%.2f%%", shares[e]*100)}
	}
	return table("node dc rack token owns", rows), nil
}

// owns gives every node its share: the effective one of a keyspace, or of all
// user keyspaces if they agree, else "?".
func owns(ctx *Context, keyspace string) ([]float64, error) {
	names := ctx.Cluster.Schema.Names()
	if keyspace == "" {
		for _, n := range names {
			if keyspace == "" {
				keyspace = n
			} else if !sameReplication(ctx.Cluster.Schema.Keyspace(keyspace), ctx.Cluster.Schema.Keyspace(n)) {
				return nil, fmt.Errorf("non-system keyspaces don't have the same replication settings, effective ownership information is meaningless")
			}
		}
		if keyspace == "" {
			return ctx.Cluster.Owns(asked(ctx), ""), nil
		}
	}
	if ctx.Cluster.Schema.Keyspace(keyspace) == nil {
		return nil, fmt.Errorf("keyspace %s does not exist", keyspace)
	}
	return ctx.Cluster.Owns(asked(ctx), keyspace), nil
}

// asked is the node that a command of nodetool speaks to: the client's coordinator,
// the first member if that is down.
func asked(ctx *Context) int {
	if n, err := ctx.Coordinator(ctx.Current); err == nil {
		return n
	}
	return ctx.Cluster.Members()[0].Index
}

func sameReplication(a, b *schema.Keyspace) bool {
	if len(a.Replication) != len(b.Replication) {
		return false
	}
	for i := range a.Replication {
		if a.Replication[i] != b.Replication[i] {
			return false
		}
	}
	return true
}

func status(ctx *Context, a Args) ([]*answer.Answer, error) {
	keyspace := ""
	if len(a.Words) > 0 {
		if keyspace = a.Words[0]; ctx.Cluster.Schema.Keyspace(keyspace) == nil {
			return nil, fmt.Errorf("keyspace %s does not exist", keyspace)
		}
	}
	share, _ := owns(ctx, keyspace)
	var rows [][]string
	asked, err := ctx.Coordinator(ctx.Current)
	if err != nil {
		asked = -1 // nobody is up to be asked
	}
	for _, n := range ctx.Cluster.Members() {
		state := "U" // as the asked node believes
		if asked < 0 || !ctx.Cluster.Alive.Alive(asked, n.Index) {
			state = "D"
		}
		state += n.State.Letter()
		o := "?"
		if share != nil && n.State != cluster.Joining {
			o = percent(share[n.Index])
		}
		rows = append(rows, []string{state, n.Name, n.Address, bytesText(n.DiskBytes()), strconv.Itoa(len(n.Tokens)), o, n.Host.String(), n.DC, n.Rack})
	}
	return table("status node address load tokens owns host_id dc rack", rows), nil
}

func describeRing(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 1 {
		return nil, usageError(byName["describering"])
	}
	if ctx.Cluster.Schema.Keyspace(a.Words[0]) == nil {
		return nil, fmt.Errorf("keyspace %s does not exist", a.Words[0])
	}
	placement := ctx.Cluster.Placement(a.Words[0])
	tm := ctx.Cluster.Ring
	var rows [][]string
	for e := 0; e < tm.Len(); e++ {
		r := tm.Range(e)
		var nodes []string
		for _, n := range placement.ReplicasOf(e) {
			nodes = append(nodes, ctx.Cluster.Nodes[n].Name)
		}
		rows = append(rows, []string{tm.Partitioner().Format(r.Left), tm.Partitioner().Format(r.Right), strings.Join(nodes, ",")})
	}
	return table("start end replicas", rows), nil
}

// PartitionKey reads a key as nodetool does: components joined by ':'.
func PartitionKey(t *schema.Table, text string) ([]byte, error) {
	parts := []string{text}
	if len(t.Key) > 1 {
		parts = strings.Split(text, ":")
		if len(parts) != len(t.Key) {
			return nil, fmt.Errorf("the partition key of %s has %d components, joined by ':'; %q has %d", t, len(t.Key), text, len(parts))
		}
	}
	values := make([][]byte, len(parts))
	for i, p := range parts {
		v, err := fromText(t.Key[i].Type, p)
		if err != nil {
			return nil, fmt.Errorf("%s is no %s for key column %s: %w", p, t.Key[i].Type, t.Key[i].Name, err)
		}
		values[i] = v
	}
	key := schema.PartitionKeyBytes(values)
	if len(key) == 0 {
		return nil, plan.Invalid("Key may not be empty")
	}
	return key, nil
}

func getEndpoints(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 3 {
		return nil, usageError(byName["getendpoints"])
	}
	t, err := ctx.Table(a.Words[0] + "." + a.Words[1])
	if err != nil {
		return nil, err
	}
	key, err := PartitionKey(t, a.Words[2])
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, i := range ctx.Cluster.Placement(t.Keyspace).Replicas(ctx.Cluster.Partitioner().Token(key)) {
		n := ctx.Cluster.Nodes[i]
		rows = append(rows, []string{n.Name, n.Address, n.DC, n.Rack})
	}
	return table("node address dc rack", rows), nil
}

func token(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) == 0 {
		return nil, usageError(byName["token"])
	}
	p, tm := ctx.Cluster.Partitioner(), ctx.Cluster.Ring
	var placement *ring.Placement
	if ks := ctx.Current.Keyspace; ks != "" {
		placement = ctx.Cluster.Placement(ks)
	}
	var rows [][]string
	for _, key := range a.Words {
		t := p.Token([]byte(key))
		e := tm.Primary(t)
		primary := ctx.Cluster.Nodes[tm.Node(e)].Name
		replicas := []string{primary}
		if placement != nil {
			replicas = replicas[:0]
			for _, n := range placement.ReplicasOf(e) {
				replicas = append(replicas, ctx.Cluster.Nodes[n].Name)
			}
		}
		rows = append(rows, []string{key, p.Name(), p.Format(t), primary, strings.Join(replicas, ",")})
	}
	return table("key partitioner token primary replicas", rows), nil
}

// compareHashers places keys on rings of as many nodes as this one has, under
// every partitioner that hashes, and under the slides' ring.
func compareHashers(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) == 0 {
		return nil, usageError(byName["compare-hashers"])
	}
	nodes := ctx.Cluster.Members()
	var rows [][]string
	for _, key := range a.Words {
		for _, p := range []ring.Partitioner{ring.SlideMD5, ring.Random, ring.Murmur3} {
			tm, err := evenRing(p, nodes[0].DC, len(nodes), func(i int) string { return nodes[i].Name })
			if err != nil {
				return nil, err
			}
			t := p.Token([]byte(key))
			rows = append(rows, []string{key, fmt.Sprintf("%x", ring.MD5([]byte(key))), p.Name(), p.Format(t), tm.Nodes()[tm.Node(tm.Primary(t))].Name})
		}
	}
	out := table("key md5 partitioner token owner", rows)
	out[0].Warnings = nil
	return out, nil
}

// evenRing spaces nodes evenly so that the first owns the first part of the
// ring, (0, 1/n], and the last the part that ends at the minimum.
func evenRing(p ring.Partitioner, dc string, n int, name func(int) string) (*ring.TokenMap, error) {
	even := p.Even(n)
	members := make([]ring.Node, n)
	for i := range members {
		members[i] = ring.Node{Name: name(i), DC: dc, Rack: "rack1", Tokens: []ring.Token{even[(i+1)%n]}}
	}
	return ring.NewTokenMap(p, members)
}
