package admin

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/nodetool"
	"ringlab/engine/session"
)

func init() {
	register(
		&Command{Name: "tablehistograms", Group: "storage", Usage: "ks.table [NODE]", Help: "percentiles of latencies, SSTables a read, partition sizes and cells, on every node", Run: tableHistograms},
		&Command{Name: "getsstables", Group: "storage", Usage: "ks.table KEY", Help: "the SSTables that hold a partition, on every node", Run: getSSTables},
		&Command{Name: "info", Group: "nodes", Usage: "[NODE]", Help: "load, memory, key cache and uptime of every node, or all that one says of itself", Run: info},
		&Command{Name: "describecluster", Group: "ring", Usage: "", Help: "name, partitioner and snitch of the ring, and which nodes agree on the schema", Run: describeCluster},
		&Command{Name: "gossipinfo", Group: "nodes", Usage: "[NODE]", Help: "what a node knows of all by gossip", Run: gossipInfo},
	)
}

// nodesFrom reads [NODE] behind some words: without one it is all that belong to the ring.
func nodesFrom(ctx *Context, words []string) ([]*cluster.Node, error) {
	if len(words) == 0 {
		return ctx.Cluster.Members(), nil
	}
	n, err := ctx.Node(words[0])
	return []*cluster.Node{n}, err
}

func tableHistograms(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) < 1 || len(a.Words) > 2 {
		return nil, usageError(byName["tablehistograms"])
	}
	t, err := ctx.Table(a.Words[0])
	if err != nil {
		return nil, err
	}
	nodes, err := nodesFrom(ctx, a.Words[1:])
	if err != nil {
		return nil, err
	}
	rows := [][]string{}
	for _, n := range nodes {
		h := nodetool.HistogramsOf(ctx.Cluster, ctx.Cluster.Store(n.Index, t))
		for i, p := range nodetool.Percentiles {
			size, cells := "NaN", "NaN"
			if h.Size != nil {
				size, cells = strconv.FormatFloat(h.Size[i], 'f', 0, 64), strconv.FormatFloat(h.Cells[i], 'f', 0, 64)
			}
			rows = append(rows, []string{n.Name, p, strconv.FormatFloat(h.Read[i], 'f', 0, 64), strconv.FormatFloat(h.Write[i], 'f', 0, 64),
				strconv.FormatFloat(h.SSTables[i], 'f', 0, 64), size, cells})
		}
	}
	return table("node percentile read_latency_us write_latency_us sstables partition_size_bytes cell_count", rows), nil
}

func getSSTables(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 2 {
		return nil, usageError(byName["getsstables"])
	}
	t, key, err := tableAndKey(ctx, a.Words)
	if err != nil {
		return nil, err
	}
	rows := [][]string{}
	for _, n := range ctx.Cluster.Members() {
		for _, f := range nodetool.FilesOf(ctx.Cluster, ctx.Cluster.Store(n.Index, t), key) {
			rows = append(rows, []string{n.Name, strconv.Itoa(f.Gen), strconv.Itoa(f.Level), strconv.FormatInt(f.DataBytes, 10), f.Path(t)})
		}
	}
	return table("node generation level data_bytes path", rows), nil
}

func info(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) > 1 {
		return nil, usageError(byName["info"])
	}
	nodes, err := nodesFrom(ctx, a.Words)
	if err != nil {
		return nil, err
	}
	rows := [][]string{}
	if len(a.Words) == 1 {
		for _, r := range nodetool.InfoOf(ctx.Cluster, nodes[0]).Rows(true) {
			rows = append(rows, []string{r[0], r[1]})
		}
		return table("name value", rows), nil
	}
	for _, n := range nodes {
		i := nodetool.InfoOf(ctx.Cluster, n)
		rate := "NaN"
		if i.KeyCache.Requests > 0 {
			rate = fmt.Sprintf("%.3f", float64(i.KeyCache.Hits)/float64(i.KeyCache.Requests))
		}
		rows = append(rows, []string{n.Name, bytesText(i.Load), strconv.FormatInt(i.Uptime, 10), bytesText(i.Heap), bytesText(i.OffHeap),
			strconv.FormatInt(i.KeyCache.Entries, 10), rate, strconv.Itoa(len(i.Tokens)), n.Host.String()})
	}
	return table("node load uptime_s memtable_heap off_heap key_cache_entries key_cache_hit_rate tokens host_id", rows), nil
}

func describeCluster(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) > 0 {
		return nil, usageError(byName["describecluster"])
	}
	rows := [][]string{{"name", session.ClusterName}, {"partitioner", ctx.Cluster.Partitioner().Name()}, {"snitch", nodetool.Snitch}}
	for _, dc := range ctx.Cluster.Ring.Datacenters() {
		down := 0
		for _, n := range ctx.Cluster.Members() {
			if n.DC == dc.Name && n.Down {
				down++
			}
		}
		rows = append(rows, []string{"data center " + dc.Name, fmt.Sprintf("%s, %d down", plural(dc.Nodes, "node"), down)})
	}
	var versions []string
	with := map[string][]string{}
	for _, n := range ctx.Cluster.Members() {
		v := ctx.SchemaVersion(n.Index).String()
		if with[v] == nil {
			versions = append(versions, v)
		}
		with[v] = append(with[v], n.Name)
	}
	for _, v := range versions {
		rows = append(rows, []string{"schema " + v, strings.Join(with[v], ",")})
	}
	for _, name := range ctx.Cluster.Schema.Names() {
		k := ctx.Cluster.Schema.Keyspace(name)
		text := k.Class()[strings.LastIndexByte(k.Class(), '.')+1:]
		for _, o := range k.Replication {
			if o.Key != "class" {
				text += " " + o.Key + "=" + o.Value
			}
		}
		rows = append(rows, []string{"keyspace " + name, text})
	}
	return table("what value", rows), nil
}

func gossipInfo(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) > 1 {
		return nil, usageError(byName["gossipinfo"])
	}
	asked := 0
	if len(a.Words) == 1 {
		n, err := ctx.Node(a.Words[0])
		if err != nil {
			return nil, err
		}
		asked = n.Index
	} else if i, err := ctx.Coordinator(ctx.Current); err == nil {
		asked = i
	}
	rows := [][]string{}
	for _, g := range nodetool.GossipInfo(ctx.Core, asked) {
		believed := "up"
		if !ctx.Cluster.Alive.Alive(asked, g.Node) {
			believed = "down"
		}
		value := map[string]string{}
		for _, s := range g.States {
			value[s[0]] = s[2]
		}
		rows = append(rows, []string{ctx.Cluster.Nodes[g.Node].Name, g.Address, believed, strconv.FormatInt(g.Generation, 10), strconv.FormatInt(g.Heartbeat, 10),
			value["STATUS_WITH_PORT"], value["LOAD"], value["DC"], value["RACK"], value["SCHEMA"], value["HOST_ID"]})
	}
	return table("node address believed generation heartbeat status load dc rack schema host_id", rows), nil
}
